"""Which ``{{`` belongs to which ``}}``, found in one pass over the page.

Runs of braces are matched as MediaWiki's preprocessor matches them: a closing run takes the
innermost open one, three braces at a time where both have three, else two. What stays open is a
fault of its own paragraph and takes nothing else along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_BRACES = re.compile(r"\{{2,}|\}{2,}")
_OPEN = re.compile(r"\{{2,}")
_STILL_INSIDE = re.compile(r"[ \t]*(?:[|!*]|\}+|$)")


@dataclass(frozen=True, slots=True)
class Span:
    """Where the source of one template begins and ends; ``closed`` if its braces are."""

    start: int
    end: int
    closed: bool
    depth: int


def outermost_templates(text: str) -> list[Span]:
    """The templates of the page that stand in no other, from left to right."""
    opened: list[list[int]] = []  # [position of the run, braces left in it, depth below it]
    found: list[Span] = []
    for run in _BRACES.finditer(text):
        start, end = run.span()
        if text[start] == "{":
            opened.append([start, end - start, 0])
            continue
        while end - start >= 2 and opened:
            begin, count, depth = opened[-1]
            taken = 3 if count >= 3 and end - start >= 3 else 2
            start += taken
            left = count - taken
            found.append(Span(begin + left, start, True, depth + 1))
            if left >= 2:
                opened[-1] = [begin, left, depth + 1]
            else:
                opened.pop()
                if opened:
                    opened[-1][2] = max(opened[-1][2], depth + 1)
    whole = list(_outermost(found))
    if not opened:
        return whole
    return sorted(
        [*whole, *_unclosed(text, [begin for begin, _, _ in opened], whole)],
        key=lambda span: span.start,
    )


def _outermost(found: list[Span]) -> Iterator[Span]:
    """Spans are nested or apart, and come in the order of their ends."""
    kept: list[Span] = []
    for span in found:
        while kept and kept[-1].start >= span.start:
            kept.pop()
        kept.append(span)
    yield from kept


def _unclosed(text: str, begins: list[int], whole: list[Span]) -> Iterator[Span]:
    """What an open brace costs: the rest of its line, and lines after it that read as arguments.

    Templates after the brace are read as if it were not there.
    """
    starts = iter(whole)
    following = next(starts, None)
    covered = 0
    for begin in begins:
        if begin < covered:
            continue
        while following and following.start < begin:
            following = next(starts, None)
        limit = following.start if following else len(text)
        end = _line_end(text, begin, limit)
        while end < limit:
            next_end = _line_end(text, end + 1, limit)
            line = text[end + 1 : next_end]
            if not line.strip() or not _STILL_INSIDE.match(line):
                break
            end = next_end
        yield Span(begin, end, False, 1)
        covered = end


def _line_end(text: str, start: int, limit: int) -> int:
    end = text.find("\n", start, limit)
    return limit if end < 0 else end
