"""Predictions of answer sentences, sections and answers, read from what tools write.

JSON lines, a JSON list of the same objects or one JSON object by question; TSV; a TREC run. Which
one a file is shows in it. Of a duplicate the last counts; unknown and duplicate ids are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.errors import InputError
from pipeline.evaluation.prediction_lines import (
    NumberedLines,
    Row,
    cells_of,
    finite,
    id_of,
    is_json,
    is_trec,
    json_rows,
    quoted,
    trec_rows,
    whole_number,
)
from pipeline.records import Question

_SPLITS = ("train", "dev", "test")
_SCORE_COLUMNS = ("question_id", "candidate_index", "score")
_SECTION_COLUMNS = ("question_id", "section_index", "label")


@dataclass(slots=True)
class Predicted[Id]:
    """What was read: values by id, ids that the gold lacks, ids that came more than once.

    ``ranked`` says that a value was read from a ranking, so that its scores are no more than an
    order.
    """

    values: dict[Id, Any] = field(default_factory=dict)
    unknown: int = 0
    duplicates: int = 0
    ranked: bool = False


def known_ids(questions: Sequence[Question]) -> dict[str, str]:
    """The ids by which predictions may name a question, each with its own.

    Its own, and the same without the name of the corpus, or without corpus and split; where the
    gold's split is not told, with that of any split. So ``selqa-dev-7`` may also be named ``dev-7``
    or ``7``, and ``wikiqa-Q1`` just ``Q1``.
    """
    names: dict[str, str] = {}
    for question in questions:
        own = question.question_id
        short = own.removeprefix(f"{question.corpus}-")
        names[short] = own
        names[short.removeprefix(f"{question.split}-")] = own
        if question.split == "all" and short.startswith("all-"):
            for split in _SPLITS:
                names[f"{split}-{short.removeprefix('all-')}"] = own
                names[f"{question.corpus}-{split}-{short.removeprefix('all-')}"] = own
    return names | {question.question_id: question.question_id for question in questions}


def read_scores(lines: NumberedLines, source: str, questions: Sequence[Question]) -> Predicted[str]:
    """Scores of candidates by question: ``values[question_id]`` maps a candidate's index to one.

    A ranking's scores fall from 0 in steps of 1. An index that the question does not have, a score
    that is no finite number and a list of scores of another length are errors.
    """
    by_id = {question.question_id: question for question in questions}
    names = known_ids(questions)
    found: Predicted[str] = Predicted()
    unknown: set[str] = set()
    if is_json(lines):
        for row in json_rows(lines, source):
            named = id_of(row)
            if named not in names:
                unknown.add(named)
                continue
            own = names[named]
            found.duplicates += own in found.values
            count = len(by_id[own].candidates)
            found.values[own] = _scores_of(row, count)
            found.ranked |= "scores" not in row
    else:
        for where, named, index, score in _score_lines(lines, source):
            if named not in names:
                unknown.add(named)
                continue
            own = names[named]
            _check_index(index, len(by_id[own].candidates), f"{where}: question '{named}'")
            mine = found.values.setdefault(own, {})
            found.duplicates += index in mine
            mine[index] = score
    found.unknown = len(unknown)
    _check_any(found.values, unknown, source)
    return found


def read_section_labels(
    lines: NumberedLines,
    source: str,
    sizes: Mapping[str, int],
    names: Mapping[str, str],
) -> Predicted[tuple[str, int]]:
    """0 or 1 by (question id, section index); ``sizes`` are the sections of each question."""
    found: Predicted[tuple[str, int]] = Predicted()
    unknown: set[str] = set()
    rows: Iterable[tuple[Any, ...]]
    if is_json(lines):
        rows = (
            (row.where, id_of(row), row.get("section_index"), row.get("label"))
            for row in json_rows(lines, source)
        )
    else:
        rows = cells_of(lines, source, _SECTION_COLUMNS)
    for where, named, index, label in rows:
        if named not in names:
            unknown.add(named)
            continue
        own = names[named]
        number = whole_number(index, f"{where}: section_index")
        if not 0 <= number < sizes[own]:
            raise InputError(
                f"{where}: section {number} of question '{named}'; it has {sizes[own]} sections, "
                "counted from 0"
            )
        if str(label) not in ("0", "1"):
            raise InputError(f"{where}: label '{quoted(label)}'; expected 0 or 1")
        found.duplicates += (own, number) in found.values
        found.values[own, number] = int(label)
    found.unknown = len(unknown)
    _check_any(found.values, unknown, source)
    return found


def has_section_labels(lines: NumberedLines, source: str) -> bool:
    """Whether a file of predictions names sections rather than candidates.

    Three columns without a header could be either, so they are an error.
    """
    if is_json(lines):
        return any("section_index" in row for row in json_rows(lines, source))
    head = lines[0][1].split("\t")
    if not is_trec(lines) and head[0] != "question_id":
        raise InputError(
            f"{source}, line {lines[0][0]}: no header, so sections or candidates; expected "
            f"{', '.join(_SECTION_COLUMNS)} or {', '.join(_SCORE_COLUMNS)}"
        )
    return "section_index" in head


def read_answers(lines: NumberedLines, source: str, known: Iterable[str]) -> Predicted[str]:
    """Answers by question id: a list of {question_id, pred}, {id: answer}, JSON lines or TSV."""
    found: Predicted[str] = Predicted()
    ids, unknown = set(known), set()
    rows: Iterable[tuple[Any, ...]]
    if is_json(lines):
        rows = ((row.where, id_of(row), _answer_of(row)) for row in json_rows(lines, source))
    else:
        rows = cells_of(lines, source, ("question_id", "answer"))
    for where, named, answer in rows:
        if not isinstance(answer, str):
            raise InputError(f"{where}: no answer to question '{quoted(named)}'; expected a text")
        if named not in ids:
            unknown.add(named)
            continue
        found.duplicates += named in found.values
        found.values[named] = answer
    found.unknown = len(unknown)
    _check_any(found.values, unknown, source)
    return found


def prediction_counts(read: Predicted[str], gold: Sequence[Question]) -> dict[str, int]:
    """Questions without a prediction, unknown and duplicate ids, candidates left out."""
    values: Mapping[str, Mapping[int, float]] = read.values
    return {
        "missing": sum(question.question_id not in values for question in gold),
        "unknown": read.unknown,
        "duplicates": read.duplicates,
        "candidates_missing": sum(
            len(question.candidates) - len(values[question.question_id])
            for question in gold
            if question.question_id in values
        ),
    }


def _answer_of(row: Row) -> Any:
    for key in ("pred", "answer", "prediction"):
        if key in row:
            return row[key]
    return None


def _scores_of(row: Row, count: int) -> dict[int, float]:
    scores, ranking = row.get("scores"), row.get("ranking")
    if isinstance(scores, list):
        if len(scores) != count:
            raise InputError(
                f"{row.where}: {len(scores)} scores; question '{id_of(row)}' has {count} candidates"
            )
        return {n: finite(score, row.where) for n, score in enumerate(scores)}
    if not isinstance(ranking, list):
        raise InputError(f"{row.where}: neither 'scores' nor 'ranking' is a list")
    indices = [whole_number(index, f"{row.where}: a candidate of 'ranking'") for index in ranking]
    for index in indices:
        _check_index(index, count, f"{row.where}: question '{id_of(row)}'")
    if len(set(indices)) < len(indices):
        twice = next(index for index, times in Counter(indices).items() if times > 1)
        raise InputError(f"{row.where}: candidate {twice} is ranked twice")
    return {index: -float(rank) for rank, index in enumerate(indices)}


def _score_lines(lines: NumberedLines, source: str) -> Iterator[tuple[str, str, int, float]]:
    """Where, question id, candidate index and score of each line of a TSV file or TREC run."""
    cells = trec_rows(lines, source) if is_trec(lines) else cells_of(lines, source, _SCORE_COLUMNS)
    for where, named, index, score in cells:
        yield where, named, whole_number(index, f"{where}: candidate_index"), finite(score, where)


def _check_index(index: int, count: int, where: str) -> None:
    if not 0 <= index < count:
        raise InputError(f"{where}: candidate {index}; it has {count}, counted from 0")


def _check_any(values: Mapping[Any, Any], unknown: set[str], source: str) -> None:
    if not values and unknown:
        raise InputError(
            f"{source}: no question id is in the gold file; found '{quoted(min(unknown))}', for one"
        )
