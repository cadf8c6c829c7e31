"""The figures of ``metrics.json`` for a set of questions, each with its denominator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeline.config import Match
from pipeline.evaluation.questions import QuestionFigures
from pipeline.matching.scoring import REFERENCE_THRESHOLD, Floats
from pipeline.matching.thresholds import mapped_counts

_DECIMALS = 4


def percent(part: float, whole: float) -> float:
    """``part`` of ``whole`` in percent, rounded to 4 decimals; 0 of nothing is 0."""
    return round(100.0 * part / whole, _DECIMALS) if whole else 0.0


def threshold_key(theta: float) -> str:
    """How a threshold stands in a metric's name: 0.4 is ``t040``."""
    return f"t{round(theta * 100):03d}"


def summarize(
    figures: QuestionFigures, all_questions: int, match: Match, thresholds: Sequence[float],
    ks: Sequence[int],
) -> dict[str, Any]:  # fmt: skip
    """All figures of some questions, as nested mappings of numbers.

    Coverage divides by answerable questions (those with an answer sentence); ``coverage_present``
    by those whose named article is in the collection; ``by_answer`` by answer sentences. ``top_k``
    divides by ``top_n``, the questions with a silver passage; ``top_k_all`` by answerable ones.
    ``decoy_percent`` divides by answerable questions that name an article.
    """
    mapped = figures.active >= match.threshold
    return {
        "questions": all_questions,
        "answerable": len(figures),
        "mapped": int(mapped.sum()),
        "reference": {
            **_coverage(figures.reference, thresholds),
            **_top_k(figures.reference_rank, figures.reference >= REFERENCE_THRESHOLD, ks),
        },
        "active": {
            **_coverage(figures.active, thresholds),
            **_top_k(figures.active_rank, mapped, ks),
            **{
                f"top_{k}_all": percent(int((figures.active_rank <= k).sum()), len(figures))
                for k in ks
            },
            "coverage_percent": percent(int(mapped.sum()), len(figures)),
            "coverage_by_answer_percent": percent(
                int(figures.mapped_answers.sum()), int(figures.answers.sum())
            ),
            "coverage_present_percent": percent(
                int((mapped & figures.present).sum()), int(figures.present.sum())
            ),
            "present": int(figures.present.sum()),
            "decoy_percent": percent(
                int(((figures.decoy >= match.threshold) & figures.named).sum()),
                int(figures.named.sum()),
            ),
            "named": int(figures.named.sum()),
        },
    }


def coverage_curve(highest: Floats, steps: int = 100) -> list[tuple[float, float]]:
    """(threshold, percent of the questions mapped) for thresholds 0.01, 0.02 … 1."""
    thetas = [step / steps for step in range(1, steps + 1)]
    counts = mapped_counts(highest, thetas)
    return [(theta, percent(n, len(highest))) for theta, n in zip(thetas, counts, strict=True)]


def _coverage(highest: Floats, thresholds: Sequence[float]) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for theta, count in zip(thresholds, mapped_counts(highest, thresholds), strict=True):
        figures[f"coverage_{threshold_key(theta)}_count"] = count
        figures[f"coverage_{threshold_key(theta)}_percent"] = percent(count, len(highest))
    return figures


def _top_k(ranks: Floats, mapped: Any, ks: Sequence[int]) -> dict[str, Any]:
    count = int(np.sum(mapped))
    figures: dict[str, Any] = {
        f"top_{k}": percent(int((ranks[mapped] <= k).sum()), count) for k in ks
    }
    figures["top_n"] = count
    return figures
