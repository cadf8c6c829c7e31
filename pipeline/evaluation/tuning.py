"""The figures of tuning: how scorers compare on judged pairs, and what a threshold promises."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.evaluation.intervals import wilson
from pipeline.evaluation.precision import (
    Interval,
    average_precision,
    bootstrap_average_precision,
    bootstrap_recall_at,
    bootstrap_weights,
    effective_count,
    interval,
    recall_at_precision,
)
from pipeline.matching.scoring import Floats, Ints
from pipeline.matching.tuning import CrossValidated

SAMPLES = 1000
RECALL_AT = 0.94


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerFigures:
    """What a scorer does on pairs that it was not fitted on.

    ``recall_at`` is the recall at a precision of ``target``. ``precision`` and ``recall`` are at
    each fold's threshold, chosen on the other folds; ``gain`` is its average precision less that of
    the scorer it is compared with, on the same samples.
    """

    average_precision: Interval
    target: float
    recall_at: Interval
    precision: Interval
    recall: Interval
    gain: Interval

    def as_json(self) -> dict[str, dict[str, float]]:
        """All figures with their intervals, to four decimals."""
        figures = {
            "average_precision": self.average_precision,
            recall_key(self.target): self.recall_at,
            "precision": self.precision,
            "recall": self.recall,
            "gain": self.gain,
        }
        return {
            name: {end: round(getattr(figure, end), 4) for end in ("value", "low", "high")}
            for name, figure in figures.items()
        }


def recall_key(target: float) -> str:
    """The name of the recall at a precision: ``recall_at_94``."""
    return f"recall_at_{100 * target:g}"


def scorer_figures(
    labels: Ints, found: CrossValidated, against: CrossValidated, groups: Ints, weights: Floats,
    seed: int, target: float = RECALL_AT,
) -> ScorerFigures:  # fmt: skip
    """All figures of a scorer with 95% bootstrap intervals over groups."""
    samples = bootstrap_weights(groups, weights, SAMPLES, seed)
    ours = bootstrap_average_precision(labels, found.similarity, samples)
    theirs = bootstrap_average_precision(labels, against.similarity, samples)
    value = average_precision(labels, found.similarity, weights)
    matched = found.similarity >= found.thresholds
    return ScorerFigures(
        average_precision=interval(value, ours),
        target=target,
        recall_at=interval(
            recall_at_precision(labels, found.similarity, weights, target),
            bootstrap_recall_at(labels, found.similarity, samples, target),
        ),
        precision=_share(matched & (labels == 1), matched, weights, samples),
        recall=_share(matched & (labels == 1), labels == 1, weights, samples),
        gain=interval(
            value - average_precision(labels, against.similarity, weights), ours - theirs
        ),
    )


def _share(part: Any, whole: Any, weights: Floats, samples: Floats) -> Interval:
    """Weight of a part over that of a whole; 1 of nothing: what promises nothing breaks nothing."""
    rows = np.vstack([weights, samples])
    parts, wholes = rows[:, part].sum(axis=1), rows[:, whole].sum(axis=1)
    shares = np.divide(parts, wholes, out=np.ones(len(rows)), where=wholes > 0)
    return interval(float(shares[0]), shares[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """A threshold and the precision that it promises.

    ``low`` is the lower end of the 95% Wilson interval of the precision of the pairs at or over the
    threshold, with as many trials as the pairs tell independently. ``judged`` are those pairs.
    ``more`` judged pairs there, of as uneven weights as these, would lift ``low`` to the target at
    the same precision; 0 where it is reached, None where no number would. ``fresh`` pairs drawn
    evenly from what the threshold maps would do without these. ``recall`` is the share of right
    pairs kept.
    """

    threshold: float
    precision: float
    low: float
    recall: float
    judged: int
    more: int | None
    fresh: int | None

    def as_json(self) -> dict[str, float | int | None]:
        """The figures to six decimals."""
        return {
            "threshold": math.floor(self.threshold * 1e6) / 1e6,  # never above what it counts
            "precision": round(self.precision, 6),
            "low": round(self.low, 6),
            "recall": round(self.recall, 6),
            "judged": self.judged,
            "more": self.more,
            "fresh": self.fresh,
        }


def promises(
    labels: Ints, similarity: Floats, groups: Ints, weights: Floats, target: float
) -> list[Promise]:
    """What each distinct similarity promises as a threshold, the highest first."""
    right_weight = float((weights * labels).sum())
    found = []
    for threshold in np.unique(similarity)[::-1].tolist():
        taken = similarity >= threshold
        precision = float((weights * labels)[taken].sum() / weights[taken].sum())
        trials = effective_count(groups[taken], weights[taken])
        low, count = _low(precision, trials), int(taken.sum())
        needed = _needed(precision, target)
        more = None if needed is None else math.ceil(max(0.0, needed - trials) * count / trials)
        found.append(
            Promise(
                threshold=threshold,
                precision=precision,
                low=low,
                recall=float((weights * labels)[taken].sum()) / right_weight if right_weight else 0,
                judged=count,
                more=0 if low >= target else more,
                fresh=needed,
            )
        )
    return found


def lowest_that_keeps(found: list[Promise], target: float) -> Promise | None:
    """The lowest threshold whose lower bound reaches the target, or None."""
    kept = [promise for promise in found if promise.low >= target]
    return kept[-1] if kept else None


def nearest(found: list[Promise]) -> Promise | None:
    """The threshold of the highest lower bound that more judgments could lift, or None.

    The lower threshold of equals.
    """
    reachable = [promise for promise in found if promise.more is not None]
    if not reachable:
        return None
    highest = max(promise.low for promise in reachable)
    return [promise for promise in reachable if promise.low == highest][-1]


def _low(precision: float, trials: float) -> float:
    whole = math.floor(trials + 1e-9)
    return wilson(math.floor(precision * whole + 1e-9), whole)[0]


def _needed(precision: float, target: float) -> int | None:
    """The fewest independent trials of this precision whose lower bound reaches the target."""
    if precision <= target:
        return None
    needed = 1
    while _low(precision, needed) < target:
        needed += max(1, needed // 50)
    return needed
