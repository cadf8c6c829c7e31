"""Answer triggering: is there an answer, and which? Two readings are in use, and both are named.

``question``, that of WikiQA's script and the SelQA paper: of each question the candidate of the
highest score is looked at, and is predicted when that score reaches the threshold.
``section``, the simple recipe in circulation: each (question, section) is a yes or a no.
A figure of the one says nothing of the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.corpora.selqa import SECTIONS
from pipeline.evaluation.figures import Measure, Units
from pipeline.evaluation.selection import Scores, question_groups
from pipeline.evaluation.slices import slices_of
from pipeline.evaluation.ties import Ties, tie_groups
from pipeline.matching.scoring import Floats
from pipeline.records import Question

# (question id, section index) of the gold, and what is said of it.
SectionLabels = Mapping[tuple[str, int], int]


def _measures(predicted: str, relevant: str) -> tuple[Measure, ...]:
    return (
        Measure(name="precision", part="true_positives", whole="predicted", denominator=predicted),
        Measure(name="recall", part="true_positives", whole="relevant", denominator=relevant),
        Measure(
            name="f1", part="true_positives", whole="predicted_and_relevant",
            denominator=f"mean of {predicted} and {relevant}",
        ),
    )  # fmt: skip


MEASURES = {
    "question": _measures("questions predicted", "answerable questions"),
    "section": _measures("sections predicted", "sections with an answer"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section of a question: where its candidates stand, and whether one is relevant."""

    question: Question
    index: int
    first: int
    size: int

    @property
    def label(self) -> int:
        """1 where the section holds an answer sentence."""
        return int(any(self.question.labels[self.first : self.first + self.size]))


def sections_of(questions: Iterable[Question]) -> list[Section]:
    """Every section of every question, in order, as the corpus's JSON tells them."""
    found = []
    for question in questions:
        first = 0
        for index, told in enumerate(json.loads(question.attributes.get(SECTIONS, "[]"))):
            found.append(
                Section(question=question, index=index, first=first, size=told["candidates"])
            )
            first += told["candidates"]
    return found


@dataclass(frozen=True, slots=True)
class Best:
    """The best-scored candidate of each question: its score, -inf without one, and its label.

    Of tied candidates ``right`` is the share that is relevant, which is what is expected of one.
    """

    scores: Floats
    right: Floats
    tied: int


def best_candidates(
    gold: Sequence[Question], predictions: Mapping[str, Scores], ties: Ties = "expected"
) -> Best:
    """The candidate of each question that triggering looks at; shapes (questions,)."""
    scores, right = np.full(len(gold), -np.inf), np.zeros(len(gold))
    tied = 0
    for position, question in enumerate(gold):
        mine = predictions.get(question.question_id, {})
        if mine:
            first = tie_groups(mine, ties, question.question_id)[0]
            scores[position] = mine[first[0]]
            right[position] = sum(question.labels[index] for index in first) / len(first)
            best = max(mine.values())
            tied += sum(score == best for score in mine.values()) > 1
    return Best(scores, right, tied)


def question_units(gold: Sequence[Question], best: Best, threshold: float | Floats) -> Units:
    """A unit a question: ``true_positives``, ``predicted``, ``relevant`` (answerable).

    True positives are answerable, predicted, and the best candidate is relevant. A question without
    a prediction is not predicted. ``threshold`` is one for all or one a question; scores may be of
    any sign and scale, and are never compared with anything else.
    """
    predicted = ((best.scores > -np.inf) & (best.scores >= threshold)).astype(np.float64)
    relevant = np.array([float(any(question.labels)) for question in gold])
    return Units(
        ids=tuple(question.question_id for question in gold),
        amounts=_amounts(predicted * best.right, predicted, relevant),
        groups=question_groups(gold),
        slices=slices_of(gold, [_mean_section(question) for question in gold]),
    )


def section_units(sections: Sequence[Section], labels: SectionLabels) -> Units:
    """A unit a section: predicted 0 or 1 against gold 0 or 1; one without a prediction is 0."""
    questions = [section.question for section in sections]
    relevant = np.array([float(section.label) for section in sections])
    predicted = np.array(
        [float(labels.get((s.question.question_id, s.index), 0)) for s in sections]
    )
    return Units(
        ids=tuple(f"{s.question.question_id}-s{s.index}" for s in sections),
        amounts=_amounts(predicted * relevant, predicted, relevant),
        groups=question_groups(questions),
        slices=slices_of(questions, [_sentences(section) for section in sections]),
    )


def section_scores(
    sections: Sequence[Section], predictions: Mapping[str, Scores]
) -> dict[tuple[str, int], float]:
    """The highest score of each section's candidates; sections without a score are left out."""
    found = {}
    for section in sections:
        mine = predictions.get(section.question.question_id, {})
        inside = [mine[n] for n in range(section.first, section.first + section.size) if n in mine]
        if inside:
            found[section.question.question_id, section.index] = max(inside)
    return found


def tuned_threshold(scores: Floats, right: Floats, relevant: int) -> float:
    """The threshold of the highest F1, the highest of equals; inf where every F1 is 0.

    Half way from the lowest score predicted to the next below, so that it does not hang on the last
    digits of one.

    ``right`` is what each adds to the true positives when predicted; ``relevant`` how many there
    are to find. What has no score, -inf, is never predicted.
    """
    known = np.flatnonzero(np.isfinite(scores))
    order = known[np.argsort(-scores[known], kind="stable")]
    ranked = scores[order]
    if len(ranked) == 0:
        return float("inf")
    last = np.append(ranked[1:] < ranked[:-1], True)
    f1 = 2 * np.cumsum(right[order]) / (np.arange(1, len(order) + 1) + relevant)
    f1 = np.where(last, np.round(f1, 12), -1.0)
    best = int(np.argmax(f1))
    if f1[best] <= 0:
        return float("inf")
    lowest = float(ranked[best])
    below = float(ranked[best + 1]) if best + 1 < len(ranked) else lowest
    middle = below + (lowest - below) / 2
    return middle if below < middle else lowest


def _amounts(right: Floats, predicted: Floats, relevant: Floats) -> dict[str, Floats]:
    return {
        "true_positives": right,
        "predicted": predicted,
        "relevant": relevant,
        "predicted_and_relevant": (predicted + relevant) / 2,
    }


def _sentences(section: Section) -> int:
    inside = section.question.candidates[section.first : section.first + section.size]
    return sum(map(bool, inside))


def _mean_section(question: Question) -> int:
    """Sentences a section, rounded up; of all candidates where no sections are told."""
    sections = sections_of([question])
    if not sections:
        return sum(map(bool, question.candidates))
    return -(-sum(map(_sentences, sections)) // len(sections))
