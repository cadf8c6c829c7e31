"""SelQA: answer sentence selection and answer triggering, each as JSON and as TSV.

SelQA has no ids: a question's id is its 0-based position in its split, the same from both forms.
The TSV is the tokenised form without empty candidates and without a mark between questions, so a
question there is a run of lines with the same text; a run that is the same candidates over and
over is a question asked as often. Candidate indices are those of the form that was read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.corpora.reading import read_cells, read_json
from pipeline.corpora.rows import (
    EMPTY_SENTENCE,
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

COLUMNS = ("question", "candidate", "label")

# The sections of a triggering question, as JSON: article, section and number of candidates each.
SECTIONS = "sections"


class _Line(NamedTuple):
    question: str
    candidate: str
    label: int
    number: int


def read_selection_json(
    path: Path, corpus: str, split: str, first: int = 0
) -> Iterator[Question | Rejected]:
    """``selqa-ass-json``: a list of questions, each with one section's sentences."""
    yield from _read_json(path, corpus, split, first, "candidates")


def read_triggering_json(
    path: Path, corpus: str, split: str, first: int = 0
) -> Iterator[Question | Rejected]:
    """``selqa-at-json``: a list of questions, each with candidate sections, five as a rule.

    Their sentences stand one section after the other in ``candidates``; the attribute
    ``sections`` says where each section begins.
    """
    yield from _read_json(path, corpus, split, first, "candidate_list")


def read_tsv(path: Path, corpus: str, split: str, first: int = 0) -> Iterator[Question | Rejected]:
    """``selqa-ass-tsv`` and ``selqa-at-tsv``: question, candidate, label; no header, no quoting."""
    lines = []
    for line, cells in read_cells(path, COLUMNS):
        reason = _fault_of_line(cells)
        if reason:
            where = f"{path.name}, line {line.number}"
            yield Rejected(reason=reason, where=where, what=excerpt(line.text), unit="part")
        else:
            lines.append(_Line(cells[0], cells[1], int(cells[2]), line.number))
    position = first
    for _, run in groupby(lines, key=lambda line: line.question):
        for block in _asked_once(list(run)):
            try:
                yield _question_of_lines(block, corpus, split, position)
            except BadRowError as problem:
                where = f"{path.name}, line {block[0].number}"
                yield Rejected(reason=str(problem), where=where, what=excerpt(block[0].question))
            position += 1


def _fault_of_line(cells: Sequence[str]) -> str | None:
    if len(cells) != len(COLUMNS):
        return "line without three columns"
    if not cells[0]:
        return "no question text"
    if cells[2] not in ("0", "1"):
        return "label is neither 0 nor 1"
    if cells[2] == "1" and not cells[1]:
        return EMPTY_SENTENCE
    return None


def _question_of_lines(lines: Sequence[_Line], corpus: str, split: str, position: int) -> Question:
    return make_question(
        question_id=make_id(corpus, f"{split}-{position}"),
        corpus=corpus,
        split=split,
        question=lines[0].question,
        candidates=[line.candidate for line in lines],
        labels=[line.label for line in lines],
        answer_sentences=[line.candidate for line in lines if line.label],
    )


def _asked_once(run: list[_Line]) -> Iterator[list[_Line]]:
    """Cut a run of lines that is the same candidates several times over."""
    candidates = [line.candidate for line in run]
    size = len(run)
    period = next(
        (
            length
            for length in range(1, size // 2 + 1)
            if size % length == 0 and candidates == candidates[:length] * (size // length)
        ),
        size,
    )
    for start in range(0, size, period):
        yield run[start : start + period]


# ---------------------------------------------------------------- JSON


def _read_json(
    path: Path, corpus: str, split: str, first: int, candidates_key: str
) -> Iterator[Question | Rejected]:
    rows = read_json(path)
    if not isinstance(rows, list):
        raise InputError(
            f"{path}: found a JSON {type(rows).__name__}; expected a list of questions"
        )
    if rows and not any(isinstance(row, Mapping) and candidates_key in row for row in rows):
        raise InputError(
            f"{path}, question 1: no '{candidates_key}'; expected SelQA's JSON for "
            + ("selection" if candidates_key == "candidates" else "triggering")
        )
    for position, row in enumerate(rows):
        try:
            yield _question_of(row, corpus, split, first + position, candidates_key)
        except BadRowError as problem:
            where = f"{path.name}, question {position + 1}"
            yield Rejected(reason=str(problem), where=where, what=excerpt(row))


def _question_of(row: Any, corpus: str, split: str, position: int, candidates_key: str) -> Question:
    if not isinstance(row, Mapping):
        raise BadRowError("not an object")
    parts = [row] if candidates_key == "candidates" else row.get(candidates_key)
    if not isinstance(parts, list) or not all(isinstance(part, Mapping) for part in parts):
        raise BadRowError(f"'{candidates_key}' is no list of sections")
    candidates: list[str] = []
    labels: list[int] = []
    repairs: list[str] = []
    for part in parts:
        sentences = texts_of(part, "candidates")
        right = _answer_indices(part, len(sentences))
        empty = {index for index in right if not sentences[index].strip()}
        repairs += [EMPTY_SENTENCE] * bool(empty)
        candidates += sentences
        labels += [int(index in right - empty) for index in range(len(sentences))]
    return make_question(
        question_id=make_id(corpus, f"{split}-{position}"),
        corpus=corpus,
        split=split,
        question=text_of(row, "question"),
        title=optional_text(row, "article"),
        candidates=candidates,
        labels=labels,
        answer_sentences=[text for text, label in zip(candidates, labels, strict=True) if label],
        attributes=_attributes(row) | _sections(parts, candidates_key),
        repairs=repairs,
    )


def _answer_indices(part: Mapping[str, Any], count: int) -> set[int]:
    indices = part.get("answers")
    if not isinstance(indices, list) or not all(type(index) is int for index in indices):
        raise BadRowError("'answers' is no list of candidate indices")
    if not all(0 <= index < count for index in indices):
        raise BadRowError("answer index out of range")
    return set(indices)


def _attributes(row: Mapping[str, Any]) -> dict[str, str]:
    paraphrase = row.get("is_paraphrase")
    return {
        "topic": optional_text(row, "topic") or "",
        "section": optional_text(row, "section") or "",
        "q_types": ";".join(texts_of(row, "q_types", optional=True)),
        "is_paraphrase": str(paraphrase).lower() if isinstance(paraphrase, bool) else "",
    }


def _sections(parts: Sequence[Mapping[str, Any]], candidates_key: str) -> dict[str, str]:
    if candidates_key == "candidates":
        return {}
    listed = [
        {
            "article": optional_text(part, "article") or "",
            "section": optional_text(part, "section") or "",
            "candidates": len(part["candidates"]),
        }
        for part in parts
    ]
    return {SECTIONS: json.dumps(listed, ensure_ascii=False)}
