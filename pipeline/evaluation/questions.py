"""What is known of each answerable question, as arrays: the base of every figure of the report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from pipeline.config import Match
from pipeline.evaluation.retrieval import Ranking, first_relevant_rank
from pipeline.matching.best import (
    ScoreColumns,
    answer_keys,
    best_windows,
    highest_by_question,
    reference_rows,
)
from pipeline.matching.scoring import REFERENCE_THRESHOLD, Bools, Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionFigures:
    """One entry per answerable question, in the order of ``question_ids``.

    ``reference`` and ``active`` are the highest similarities within depth; ``decoy`` is the active
    one without the candidates of the named article. ``*_rank`` is the rank in the run of the first
    passage that matches (infinity where none is), under the reference's rule and the active one;
    ``baseline_rank`` is the active one's in the run of plain BM25, where there is one.
    ``answers`` and ``mapped_answers`` count answer sentences.
    """

    question_ids: tuple[str, ...]
    split: tuple[str, ...]
    reference: Floats
    active: Floats
    decoy: Floats
    named: Bools
    present: Bools
    reference_rank: Floats
    active_rank: Floats
    baseline_rank: Floats
    answers: Ints
    mapped_answers: Ints

    def __len__(self) -> int:
        return len(self.question_ids)

    def of_split(self, split: str) -> QuestionFigures:
        """The questions of one split only."""
        keep = np.array([name == split for name in self.split], dtype=bool)
        chosen = np.flatnonzero(keep)
        return replace(
            self,
            question_ids=tuple(self.question_ids[n] for n in chosen),
            split=tuple(self.split[n] for n in chosen),
            **{
                name: getattr(self, name)[keep]
                for name in (
                    "reference", "active", "decoy", "named", "present", "reference_rank",
                    "active_rank", "baseline_rank", "answers", "mapped_answers",
                )
            },
        )  # fmt: skip


def question_figures(
    columns: ScoreColumns,
    splits: Mapping[str, str],
    run: Iterable[tuple[str, Ranking]],
    baseline: Iterable[tuple[str, Ranking]],
    match: Match,
) -> QuestionFigures:
    """Figures of all answerable questions of a corpus; ``splits`` gives each question's split.

    The runs are looked at once, question by question, so that they need not be held in memory.
    """
    active = columns.active(match)
    reference = columns.reference()
    within = best_windows(columns, active, match.depth)
    within = within[columns.passage[within] >= 0]
    plain = reference_rows(columns)
    matches = within[active[within] >= match.threshold]
    others = within[~columns.title_match[within]]
    questions = len(columns.question_ids)
    named = np.zeros(questions, dtype=bool)
    present = np.zeros(questions, dtype=bool)
    named[columns.question[columns.has_title]] = True
    present[columns.question[columns.article_present]] = True
    answers, mapped_answers = _answer_counts(columns, active, within, match.threshold)
    active_relevant = _relevant(columns, matches)
    plain_relevant = _relevant(columns, plain[reference[plain] >= REFERENCE_THRESHOLD])
    reference_rank, active_rank = _ranks(columns, (plain_relevant, active_relevant), run)
    (baseline_rank,) = _ranks(columns, (active_relevant,), baseline)
    return QuestionFigures(
        question_ids=columns.question_ids,
        split=tuple(splits[question_id] for question_id in columns.question_ids),
        reference=highest_by_question(columns, reference, plain),
        active=highest_by_question(columns, active, within),
        decoy=highest_by_question(columns, active, others),
        named=named,
        present=present,
        reference_rank=reference_rank,
        active_rank=active_rank,
        baseline_rank=baseline_rank,
        answers=answers,
        mapped_answers=mapped_answers,
    )


def _answer_counts(
    columns: ScoreColumns, similarity: Floats, within: Ints, threshold: float
) -> tuple[Ints, Ints]:
    keys, count = answer_keys(columns)
    question_of = np.zeros(count, dtype=np.int64)
    question_of[keys] = columns.question
    best = np.full(count, -1.0)
    np.maximum.at(best, keys[within], similarity[within])
    questions = len(columns.question_ids)
    mapped = question_of[best >= threshold]
    return (
        np.bincount(question_of, minlength=questions),
        np.bincount(mapped, minlength=questions),
    )


def _relevant(columns: ScoreColumns, matches: Ints) -> dict[str, set[str]]:
    """The passages that match each question, of the questions that any does."""
    relevant: dict[str, set[str]] = {}
    questions = columns.question[matches].tolist()
    passages = columns.passage[matches].tolist()
    for question, passage in zip(questions, passages, strict=True):
        found = relevant.setdefault(columns.question_ids[question], set())
        found.add(columns.passage_ids[passage])
    return relevant


def _ranks(
    columns: ScoreColumns,
    relevant: Iterable[Mapping[str, set[str]]],
    run: Iterable[tuple[str, Ranking]],
) -> list[Floats]:
    """For each notion of relevance, every question's rank of the first relevant passage."""
    position = {question_id: n for n, question_id in enumerate(columns.question_ids)}
    found = [(ids, np.full(len(position), math.inf)) for ids in relevant]
    for question_id, ranking in run:
        for ids, ranks in found:
            if question_id in ids:
                ranks[position[question_id]] = first_relevant_rank(ranking, ids[question_id])
    return [ranks for _, ranks in found]
