"""Which ``{{`` belongs to which ``}}``, found in one pass over the page.

Runs of braces are matched as MediaWiki's preprocessor matches them: a closing run takes the
innermost open one, three braces at a time where both have three, else two. What stays open is a
fault of its own paragraph and takes nothing else along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_INDENT = 100
_STILL_INSIDE = re.compile(r"[ \t]*(?:[|!*]|\}+|$)")


@dataclass(frozen=True, slots=True)
class Span:
    """Where the source of one template begins and ends; ``closed`` if its braces are.

    ``depth`` is how many templates deep it goes, itself counted; ``braces`` how many open it: two
    for a template, three for a template's own parameter.
    """

    start: int
    end: int
    closed: bool
    depth: int
    braces: int


def outermost_templates(text: str) -> list[Span]:
    """The templates of the page that stand in no other, from left to right."""
    opened: list[tuple[int, int, int]] = []  # position of the run, braces left in it, depth below
    kept: list[Span] = []  # those not inside a later one
    for start, end in _brace_runs(text):
        if text[start] == "{":
            opened.append((start, end - start, 0))
            continue
        while end - start >= 2 and opened:
            begin, count, depth = opened.pop()
            taken = 3 if count >= 3 and end - start >= 3 else 2
            start += taken
            count -= taken
            depth += 1
            # Templates come in the order of their ends: what began after this one is inside it.
            while kept and kept[-1].start >= begin + count:
                kept.pop()
            kept.append(Span(begin + count, start, True, depth, taken))
            if count >= 2:
                opened.append((begin, count, depth))
            elif opened and opened[-1][2] < depth:
                opened[-1] = (opened[-1][0], opened[-1][1], depth)
    if opened:
        cut = _unclosed(text, [begin for begin, _, _ in opened], kept)
        return _apart(sorted(cut + kept, key=lambda span: (span.start, -span.end)))
    return kept


def _apart(spans: list[Span]) -> list[Span]:
    """The spans that begin after the one before has ended."""
    apart: list[Span] = []
    for span in spans:
        if not apart or span.start >= apart[-1].end:
            apart.append(span)
    return apart


def _brace_runs(text: str) -> Iterator[tuple[int, int]]:
    """Every run of two or more braces of one kind, from left to right."""
    size = len(text)
    opening, closing = text.find("{{"), text.find("}}")
    while opening >= 0 or closing >= 0:
        opens = opening >= 0 and (closing < 0 or opening < closing)
        start, brace = (opening, "{") if opens else (closing, "}")
        end = start + 2
        while end < size and text[end] == brace:
            end += 1
        yield start, end
        if opens:
            opening = text.find("{{", end)
        else:
            closing = text.find("}}", end)


def _unclosed(text: str, begins: list[int], whole: list[Span]) -> list[Span]:
    """What an open brace costs: the rest of its line, and lines after it that read as arguments.

    In a line of prose the next template is read as if the brace were not there; a box that begins
    its line takes the templates among its arguments along.
    """
    found: list[Span] = []
    covered = place = 0
    for begin in begins:
        if begin < covered:
            continue
        while place < len(whole) and whole[place].start < begin:
            place += 1
        before = text[max(0, begin - _INDENT) : begin].rpartition("\n")
        boxed = (bool(before[1]) or begin <= _INDENT) and not before[2].strip()
        limit = len(text) if boxed or place == len(whole) else whole[place].start
        covered = _line_end(text, begin, limit)
        closing = -1 if boxed else text.find("]]", begin, covered)
        if closing >= 0 and text.find("[[", begin, closing) < 0:
            covered = limit = closing  # the link around it goes on behind it
        while True:
            while boxed and place < len(whole) and whole[place].start < covered:
                covered = max(covered, _line_end(text, whole[place].end, limit))
                place += 1
            line_end = _line_end(text, covered + 1, limit)
            line = text[covered + 1 : line_end]
            if covered >= limit or not line.strip() or not _STILL_INSIDE.match(line):
                break
            covered = line_end
        found.append(Span(begin, covered, False, 1, 2))
    return found


def _line_end(text: str, start: int, limit: int) -> int:
    end = text.find("\n", start, limit)
    return limit if end < 0 else end
