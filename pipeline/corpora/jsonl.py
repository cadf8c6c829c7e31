"""The project's own plain form: one JSON object a line, for any corpus of one's own.

Keys: ``id``, ``question``, ``answer_sentences``; optional ``title``, ``answers``, ``split`` (wins
over the split of the file) and ``attributes`` (an object of plain values).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pipeline.corpora.reading import read_lines
from pipeline.corpora.rows import (
    BadRowError,
    Rejected,
    excerpt,
    make_id,
    make_question,
    optional_text,
    text_of,
    texts_of,
)
from pipeline.errors import InputError
from pipeline.records import Question

_NOT_JSON = "line is not valid JSON"


def read(path: Path, corpus: str, split: str) -> Iterator[Question | Rejected]:
    """The questions of one file, line by line; blank lines are passed over."""
    for line in read_lines(path):
        if not line.text.strip():
            continue
        if line.number == 1 and line.text.lstrip().startswith("["):
            raise InputError(f"{path}, line 1: a JSON list; expected one JSON object a line")
        try:
            yield _question_of(_object_of(line.text), corpus, split)
        except BadRowError as problem:
            if str(problem) == _NOT_JSON and not line.whole:
                raise InputError(
                    f"{path}, line {line.number}: no valid JSON and no line end, so most likely "
                    "cut off; expected a whole file"
                ) from None
            where = f"{path.name}, line {line.number}"
            yield Rejected(reason=str(problem), where=where, what=excerpt(line.text))


def _object_of(line: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise BadRowError(_NOT_JSON) from None
    if not isinstance(row, Mapping):
        raise BadRowError("not an object")
    return row


def _question_of(row: Mapping[str, Any], corpus: str, split: str) -> Question:
    return make_question(
        question_id=make_id(corpus, row.get("id")),
        corpus=corpus,
        split=optional_text(row, "split") or split,
        question=text_of(row, "question"),
        title=optional_text(row, "title"),
        answer_sentences=texts_of(row, "answer_sentences"),
        answers=texts_of(row, "answers", optional=True),
        attributes=_attributes(row.get("attributes")),
    )


def _attributes(value: Any) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadRowError("'attributes' is no object")
    if not all(isinstance(item, str | int | float) for item in value.values()):
        raise BadRowError("'attributes' holds more than plain values")
    return {key: item if isinstance(item, str) else json.dumps(item) for key, item in value.items()}
