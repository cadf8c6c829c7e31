"""Tables: rows of the text of their cells, without attributes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.wikipedia.wikitext.marks import CAPTION_OPEN, HOLE, JOIN

_OPEN = re.compile(r"[\s:\x05]*\{\|")
_CLOSE = re.compile(r"\s*\|\}")
_LIST_MARKS = re.compile(r"[*#:;]+\s*")
# The template after them brings the pipe along: ``| rowspan=2 {{n/a}}``.
_ATTRIBUTES = re.compile(
    r"\s*+(?:(?:rowspan|colspan|style|class|align|valign|width|scope|bgcolor)"
    r"\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'|]++)\s*+)+",
    re.IGNORECASE,
)


def opens_table(line: str) -> bool:
    """Whether a table begins on this line."""
    return "{|" in line and _OPEN.match(line) is not None


def table_ends(lines: Sequence[str]) -> dict[int, int]:
    """For each line that opens a table, the line that closes it; for all tables, in one pass.

    A table that is never closed ends before the first line that begins no cell or row.
    """
    ends: dict[int, int] = {}
    opened: list[int] = []
    for number, line in enumerate(lines):
        if "|" not in line:
            continue
        if opens_table(line):
            opened.append(number)
        elif opened and _CLOSE.match(line):
            ends[opened.pop()] = number
    for number in reversed(opened):
        ends[number] = _end_of_open(lines, number, ends)
    return ends


def _end_of_open(lines: Sequence[str], start: int, ends: dict[int, int]) -> int:
    number = start + 1
    while number < len(lines):
        if number in ends:
            number = ends[number] + 1
            continue
        stripped = lines[number].lstrip()
        if stripped[:1] not in ("|", "!"):
            break
        number += 1
    return number - 1


def read_table(lines: Sequence[str]) -> list[list[str]]:
    """The rows of a table given by its lines, from ``{|`` to ``|}``; nested ones in their cell."""
    rows: list[list[list[str]]] = [[]]  # rows of cells of lines
    depth = 0
    for line in lines[1:]:
        line = line.strip(f" \t{JOIN}{HOLE}")
        start = line[:2]
        if opens_table(line):
            depth += 1
        elif start == "|}":
            if not depth:
                break
            depth -= 1
            _append(rows, line[2:])
        elif start == "|-":
            if not depth:
                rows.append([])
        elif start == "|+" and not depth:
            rows += [[[_without_attributes(line[2:])]], []]
        elif line[:1] in ("|", "!"):
            cells = _cells(line)
            if depth:
                _append(rows, " ".join(cells))
            else:
                rows[-1].extend([cell] for cell in cells)
        elif line:
            _append(rows, _LIST_MARKS.sub("", line, count=1))
    return [[" ".join(cell) for cell in row] for row in rows if row]


def after_table(line: str) -> str:
    """What stands behind the ``|}`` of a table's last line; it is no part of the table."""
    closing = _CLOSE.match(line)
    return line[closing.end() :] if closing else ""


def _append(rows: list[list[list[str]]], text: str) -> None:
    """Add a line to the last cell of the last row."""
    if not rows[-1]:
        rows[-1].append([])
    rows[-1][-1].append(text)


def _cells(line: str) -> list[str]:
    cells = line[1:]
    if line[0] == "!":
        cells = cells.replace("!!", "||")
    return [_without_attributes(cell) for cell in cells.split("||")]


def _without_attributes(cell: str) -> str:
    before, pipe, after = cell.partition("|")
    if pipe and CAPTION_OPEN not in before:
        return after
    attributes = _ATTRIBUTES.match(cell) if "=" in cell else None
    return cell[attributes.end() :] if attributes else cell
