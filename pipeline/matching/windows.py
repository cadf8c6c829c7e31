"""Windows of adjacent sentences: a corpus may cut sentences otherwise than we do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.records import Passage


@dataclass(frozen=True, slots=True)
class Window:
    """``count`` adjacent sentences of a passage from sentence ``first`` on, as one text."""

    first: int
    count: int
    text: str


def windows(passage: Passage, longest: int) -> Iterator[Window]:
    """All windows of 1 to ``longest`` sentences, by their first sentence, then by their length.

    A passage without sentence spans is one window.
    """
    starts, ends = passage.sentence_starts, passage.sentence_ends
    if not starts and passage.text:  # from elsewhere: nobody marked its sentences
        yield Window(0, 1, passage.text)
    for first in range(len(starts)):
        for count in range(1, min(longest, len(starts) - first) + 1):
            text = passage.text[starts[first] : ends[first + count - 1]]
            yield Window(first, count, text)
