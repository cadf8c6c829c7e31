"""Tables: rows of the text of their cells, without attributes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.wikipedia.marks import CAPTION_OPEN, JOIN

_OPEN = re.compile(r"[\s:\x05]*\{\|")
_CLOSE = re.compile(r"\s*\|\}")
_CELLS = re.compile(r"\|\|")
_HEADER_CELLS = re.compile(r"\|\||!!")
_LIST_MARKS = re.compile(r"[*#:;]+\s*")


def opens_table(line: str) -> bool:
    """Whether a table begins on this line."""
    return "{|" in line and _OPEN.match(line) is not None


def table_ends(lines: Sequence[str]) -> dict[int, int]:
    """For each line that opens a table, the line that closes it; for all tables, in one pass.

    A table that is never closed ends before the first line after a blank one that is no part of a
    table.
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
    rows: list[list[str]] = [[]]
    depth = 0
    for line in lines[1:]:
        stripped = line.strip(" \t:" + JOIN) if depth else line.strip()
        start = stripped[:2]
        if start == "{|" or opens_table(line):
            depth += 1
        elif start == "|}":
            if not depth:
                rest = stripped[2:]
                if rest.strip():
                    rows.append([rest])
                break
            depth -= 1
            _append(rows, stripped[2:])
        elif start == "|-":
            if not depth:
                rows.append([])
        elif start == "|+":
            rows.append([_without_attributes(stripped[2:])])
            rows.append([])
        elif stripped[:1] in ("|", "!"):
            separator = _CELLS if stripped[0] == "|" else _HEADER_CELLS
            cells = [_without_attributes(cell) for cell in separator.split(stripped[1:])]
            if depth:
                _append(rows, " ".join(cells))
            else:
                rows[-1].extend(cells)
        else:
            _append(rows, _LIST_MARKS.sub("", stripped, count=1) if stripped else stripped)
    return [row for row in rows if row]


def _append(rows: list[list[str]], text: str) -> None:
    if not text:
        return
    if not rows[-1]:
        rows[-1].append(text)
    else:
        rows[-1][-1] += " " + text


def _without_attributes(cell: str) -> str:
    before, pipe, after = cell.partition("|")
    return after if pipe and CAPTION_OPEN not in before else cell
