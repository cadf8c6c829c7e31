"""Answer sentence selection: MAP and MRR of candidate sentences, as for SelQA and WikiQA."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.evaluation.figures import Measure, Units, group_numbers
from pipeline.evaluation.slices import slices_of
from pipeline.evaluation.ties import (
    Ties,
    expected_average_precision,
    expected_reciprocal_rank,
    has_ties,
    tie_groups,
)
from pipeline.matching.scoring import Ints
from pipeline.records import Question

# Scores of candidates by their index; a candidate without one was not retrieved.
Scores = Mapping[int, float]

MEASURES = (
    Measure(name="map", part="average_precision", whole="one", denominator="questions used"),
    Measure(name="mrr", part="reciprocal_rank", whole="one", denominator="questions used"),
)
SIMPLE_MEASURES = (
    Measure(name="mrr", part="reciprocal_rank", whole="found", denominator="questions where the "
            "gold sentence was found"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """The questions that count, as units, and how many there are of which kind.

    ``unanswerable`` have no relevant candidate, ``all_positive`` no other; ``tied`` count among the
    questions used: those with candidates of equal score.
    """

    units: Units
    questions: int
    unanswerable: int
    all_positive: int
    tied: int


def select(
    gold: Sequence[Question], predictions: Mapping[str, Scores], *, ties: Ties = "expected",
    keep_unanswerable: bool = False, drop_all_positive: bool = False, simple: bool = False,
) -> Selected:  # fmt: skip
    """A unit for each question that counts, with ``average_precision`` and ``reciprocal_rank``.

    Questions without a relevant candidate are left out, as the field does, or count 0 with
    ``keep_unanswerable``; ``drop_all_positive`` leaves out those whose candidates are all relevant.
    A question without a prediction is 0, and so is what a relevant candidate that was not
    retrieved adds.

    ``simple`` is the recipe in circulation for MRR: a question has one gold sentence, its first;
    the rank is that of the first candidate of the same text, and the mean is over the questions
    where one was found: misses are left out. Ties go by candidate order. It has no MAP.
    """
    used = [
        question
        for question in gold
        if (keep_unanswerable or any(question.labels))
        and not (drop_all_positive and question.labels and all(question.labels))
    ]
    scores = [predictions.get(question.question_id, {}) for question in used]
    if simple:
        ranks = np.array([_simple_rank(*pair) for pair in zip(used, scores, strict=True)])
        found = (ranks > 0).astype(np.float64)
        reciprocal = np.divide(found, ranks, out=np.zeros(len(used)), where=ranks > 0)
        amounts = {"reciprocal_rank": reciprocal, "found": found}
    else:
        groups = [
            tie_groups(mine, ties, question.question_id)
            for question, mine in zip(used, scores, strict=True)
        ]
        pairs = [(g, q.labels) for g, q in zip(groups, used, strict=True)]
        amounts = {
            "average_precision": np.array([expected_average_precision(*pair) for pair in pairs]),
            "reciprocal_rank": np.array([expected_reciprocal_rank(*pair) for pair in pairs]),
        }
    return Selected(
        units=Units(
            ids=tuple(question.question_id for question in used),
            amounts={"one": np.ones(len(used)), **amounts},
            groups=question_groups(used),
            slices=slices_of(used),
        ),
        questions=len(gold),
        unanswerable=sum(not any(question.labels) for question in gold),
        all_positive=sum(bool(q.labels) and all(q.labels) for q in gold),
        tied=sum(map(has_ties, scores)),
    )


def question_groups(questions: Sequence[Question]) -> Ints:
    """A number an article; a question whose article is not told stands alone."""
    return group_numbers([question.title or f"\0{question.question_id}" for question in questions])


def _simple_rank(question: Question, scores: Scores) -> int:
    """1-based rank of the first candidate that reads as the first gold sentence; 0 without one."""
    if not any(question.labels):
        return 0
    gold = question.candidates[question.labels.index(1)]
    ranked = sorted(scores, key=lambda index: (-scores[index], index))
    texts = [question.candidates[index] for index in ranked]
    return texts.index(gold) + 1 if gold in texts else 0
