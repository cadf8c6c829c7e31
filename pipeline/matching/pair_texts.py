"""The texts that are compared, as token lists, and where each stands among all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.matching.counts import Texts, texts_of
from pipeline.matching.scoring import Bools, Ints

# What a sentence is about is named in its first words.
_OPENING = 6


@dataclass(frozen=True, slots=True)
class Pairs:
    """Answer sentences and windows to compare, as token lists and positions in them.

    ``topics`` are the titles of the articles that the corpus names, one an answer sentence, empty
    where it names none; ``titles`` those of the passages; both without what stands in brackets at
    their end. ``answer`` and ``window`` hold the positions of each pair. Of each window ``passage``
    says to which passage it belongs, ``single`` whether it is one sentence, so that all of those
    are the passage, and ``previous`` which window is the one sentence before it, -1 for none.
    ``short_answers`` has those of the corpus for each answer sentence; left out, none is known.
    """

    answers: Sequence[Sequence[str]]
    topics: Sequence[Sequence[str]]
    windows: Sequence[Sequence[str]]
    titles: Sequence[Sequence[str]]
    answer: Ints
    window: Ints
    passage: Ints
    single: Bools
    previous: Ints
    short_answers: Sequence[Sequence[Sequence[str]]] = ()


class Rows:
    """Where the texts of the pairs stand among ``texts``, and what whole passages consist of.

    ``answer`` and ``window`` have an entry a pair. An answer sentence meets a passage once,
    whatever the number of its windows: ``passage_answer``, ``topic``, ``opening``, ``passage`` and
    ``title`` have an entry each time, and ``of_pair`` says which is that of each pair.
    ``passage`` counts passages, the others texts.
    """

    def __init__(self, pairs: Pairs) -> None:
        openings = [answer[:_OPENING] for answer in pairs.answers]
        groups = (pairs.answers, pairs.windows, pairs.titles, pairs.topics, openings)
        self.texts: Texts = texts_of([text for group in groups for text in group])
        starts = np.cumsum([0, *map(len, groups)])
        self.compared = self.texts.first(int(starts[2]))  # answer sentences and windows
        self.answer = pairs.answer
        self.window = pairs.window + starts[1]
        count = max(len(pairs.titles), 1)
        keys = pairs.answer * count + pairs.passage[pairs.window]
        distinct, self.of_pair = np.unique(keys, return_inverse=True)
        self.passage_answer = distinct // count
        self.passage = distinct % count
        self.title = self.passage + starts[2]
        self.topic = self.passage_answer + starts[3]
        self.opening = self.passage_answer + starts[4]
        self._windows = slice(int(starts[1]), int(starts[2]))
        self._titles = slice(int(starts[2]), int(starts[3]))
        self._pairs = pairs

    def passages(self, counts: Any) -> Any:
        """The counts of each whole passage and its bare title; CSR, as ``counts`` of all texts."""
        parts = np.flatnonzero(self._pairs.single)
        summed = _sums(self._pairs.passage[parts], parts, self._titles, self._windows)
        return summed @ counts[self._windows] + counts[self._titles]

    def contexts(self, counts: Any) -> Any:
        """The counts of each window, the sentence before it and its passage's bare title; CSR."""
        later = np.flatnonzero(self._pairs.previous >= 0)
        before = _sums(later, self._pairs.previous[later], self._windows, self._windows)
        windows, titles = counts[self._windows], counts[self._titles]
        return windows + before @ windows + titles[self._pairs.passage]

    def in_contexts(self) -> Ints:
        """Of each pair, the row of its window among the contexts."""
        return self._pairs.window


def _sums(into: Ints, of: Ints, rows: slice, columns: slice) -> Any:
    """The array whose product with counts adds rows ``of`` up in rows ``into``; CSR."""
    from scipy.sparse import csr_array

    shape = (rows.stop - rows.start, columns.stop - columns.start)
    return csr_array((np.ones(len(of), dtype=np.int64), (into, of)), shape=shape)
