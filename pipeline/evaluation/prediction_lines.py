"""Files of predictions line by line: JSON objects, cells of TSV, fields of a TREC run."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.errors import InputError

# Lines that hold something, with their numbers from 1.
NumberedLines = Sequence[tuple[int, str]]

_TREC_FIELDS = 6
_QUOTED = 80
_CANDIDATE = re.compile(r"(?P<question>.+)-c(?P<index>\d+)")


class Row(dict[str, Any]):
    """One object of a file, with where it stands for a message."""

    where: str = ""


def json_rows(lines: NumberedLines, source: str) -> Iterator[Row]:
    """The objects of JSON lines, of a JSON list, or one for each key of a JSON object by id."""
    number = lines[0][0]
    whole = _parsed("\n".join(text for _, text in lines))
    if whole is None:
        for number, text in lines:
            value = _parsed(text)
            if value is None:
                raise InputError(f"{source}, line {number}: not valid JSON")
            yield _row(value[0], f"{source}, line {number}")
    elif isinstance(whole[0], list):
        for position, value in enumerate(whole[0], start=1):
            yield _row(value, f"{source}, entry {position}")
    elif isinstance(whole[0], _Object) and "question_id" not in dict(whole[0].pairs):
        for key, value in whole[0].pairs:
            row = _row(value, f"{source}, key '{key}'", bare=True)
            row.setdefault("question_id", key)
            yield row
    else:
        yield _row(whole[0], f"{source}, line {number}")


@dataclass(frozen=True, slots=True)
class _Object:
    """A JSON object as its pairs, so that a key that comes twice is seen."""

    pairs: list[tuple[str, Any]]


def _parsed(text: str) -> tuple[Any] | None:
    try:
        return (json.loads(text, object_pairs_hook=_Object),)
    except (ValueError, RecursionError):
        return None


def _row(value: Any, where: str, *, bare: bool = False) -> Row:
    if isinstance(value, _Object):
        row = Row(value.pairs)
    elif bare:
        row = Row(scores=value) if isinstance(value, list) else Row(pred=value)
    else:
        raise InputError(f"{where}: expected a JSON object")
    row.where = where
    return row


def is_json(lines: NumberedLines) -> bool:
    """Whether the first line begins a JSON object or list."""
    return bool(lines) and lines[0][1].lstrip().startswith(("{", "["))


def id_of(row: Row) -> str:
    """The question that an object names; whole numbers are read as text."""
    named = row.get("question_id")
    if isinstance(named, bool) or not isinstance(named, str | int):
        raise InputError(f"{row.where}: no 'question_id'")
    return str(named)


def is_trec(lines: NumberedLines) -> bool:
    """Whether the first line is one of a TREC run, with spaces or tabs."""
    first = lines[0][1]
    return len(first.split()) == _TREC_FIELDS and first.count("\t") in (0, _TREC_FIELDS - 1)


def trec_rows(lines: NumberedLines, source: str) -> Iterator[tuple[str, ...]]:
    """Where, question id, candidate index and score of each line; the rank is not trusted."""
    for number, text in lines:
        where = f"{source}, line {number}"
        fields = text.split()
        if len(fields) != _TREC_FIELDS:
            raise InputError(
                f"{where}: {len(fields)} fields; expected 'qid Q0 docid rank score tag'"
            )
        found = _CANDIDATE.fullmatch(fields[2])
        if not found:
            raise InputError(
                f"{where}: document '{quoted(fields[2])}'; expected '<question_id>-c<index>'"
            )
        if found["question"] != fields[0]:
            raise InputError(
                f"{where}: document '{quoted(fields[2])}' is not of question '{quoted(fields[0])}'"
            )
        yield where, fields[0], found["index"], fields[4]


def cells_of(
    lines: NumberedLines, source: str, columns: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """Where, and the cells of each line; a header of exactly these names is passed over."""
    for position, (number, text) in enumerate(lines):
        cells = text.split("\t")
        if len(cells) != len(columns):
            raise InputError(
                f"{source}, line {number}: {len(cells)} columns; expected {', '.join(columns)}, "
                "with tabs between them"
            )
        if position == 0 and cells == list(columns):
            continue
        yield (f"{source}, line {number}", *cells)


def quoted(value: Any) -> str:
    """A value as a message shows it: one line, not longer than a line."""
    return " ".join(str(value).split())[:_QUOTED]


def whole_number(value: Any, what: str) -> int:
    """A whole number from JSON or from text; ``what`` it is, for the message."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,18}\s*", value):
        return int(value)
    raise InputError(f"{what} is '{quoted(value)}'; expected a whole number")


def finite(value: Any, where: str) -> float:
    """A score from JSON or from text, which must be a finite number."""
    try:
        score = math.nan if isinstance(value, bool | list | dict) else float(value)
    except (TypeError, ValueError, OverflowError):
        score = math.nan
    if not math.isfinite(score):
        raise InputError(f"{where}: score '{quoted(value)}' is no finite number")
    return score
