"""The two tasks as the baselines see them: what is tuned for, and on which threshold it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from pipeline.baselines.features import Candidates
from pipeline.corpora.selqa import SECTIONS
from pipeline.evaluation.selection import Scores
from pipeline.evaluation.ties import expected_average_precision, tie_groups
from pipeline.evaluation.triggering import (
    best_candidates,
    section_scores,
    sections_of,
    tuned_threshold,
)
from pipeline.matching.scoring import Floats, Ints
from pipeline.records import Question

SELECTION = "selection"
TRIGGERING = "triggering"


@dataclass(frozen=True, slots=True)
class GoldFile:
    """One gold file: its questions, the features of their candidates, the articles as groups."""

    questions: Sequence[Question]
    candidates: Candidates
    groups: Ints

    def predictions(self, values: Floats) -> dict[str, Scores]:
        """Scores of all rows, by question and candidate; questions without candidates left out."""
        ends = np.searchsorted(self.candidates.question, np.arange(len(self.questions) + 1))
        return {
            question.question_id: dict(enumerate(values[ends[n] : ends[n + 1]].tolist()))
            for n, question in enumerate(self.questions)
            if ends[n] < ends[n + 1]
        }

    def levels(self, task: str) -> tuple[str, ...]:
        """At which levels a task is scored: sections only where the corpus tells them."""
        if task == SELECTION:
            return ()
        told = all(SECTIONS in question.attributes for question in self.questions)
        return ("question", "section") if told else ("question",)


@dataclass(frozen=True, slots=True)
class Scored:
    """What a system says of a gold file: a score a row, and by level a threshold a question."""

    values: Floats
    thresholds: dict[str, Floats] = field(default_factory=dict)


def quality(task: str, gold: GoldFile, values: Floats, chosen: Ints) -> float:
    """What tuning maximises on some questions: MAP, or the highest F1 of any threshold."""
    if task == TRIGGERING:
        at = threshold("question", gold, values, chosen)
        scores, right, relevant = _decided("question", gold, values, chosen)
        predicted = scores >= at
        total = int(predicted.sum()) + relevant
        return float(2 * right[predicted].sum() / total) if total else 0.0
    said = gold.predictions(values)
    found = [
        expected_average_precision(
            tie_groups(said.get(question.question_id, {}), "expected"), question.labels
        )
        for question in (gold.questions[number] for number in chosen)
        if any(question.labels)
    ]
    return float(np.mean(found)) if found else 0.0


def threshold(level: str, gold: GoldFile, values: Floats, chosen: Ints) -> float:
    """The threshold of the highest F1 on some questions, above every score where none helps."""
    scores, right, relevant = _decided(level, gold, values, chosen)
    found = tuned_threshold(scores, right, relevant)
    return found if np.isfinite(found) else float(values.max(initial=0.0)) + 1.0


def _decided(
    level: str, gold: GoldFile, values: Floats, chosen: Ints
) -> tuple[Floats, Floats, int]:
    """Of each unit of some questions its score and what is right of it; how many are to find."""
    questions = [gold.questions[number] for number in chosen]
    said = gold.predictions(values)
    if level == "question":
        best = best_candidates(questions, said)
        relevant = sum(any(question.labels) for question in questions)
        return best.scores, best.right, relevant
    sections = sections_of(questions)
    by_key = section_scores(sections, said)
    scores = np.array(
        [by_key.get((s.question.question_id, s.index), -np.inf) for s in sections], dtype=np.float64
    )
    right = np.array([float(section.label) for section in sections])
    return scores, right, int(right.sum())
