"""How well similarities tell right pairs from wrong ones: precision, recall, average precision.

All figures take weights, the inverse inclusion probabilities of a sample that was not drawn
evenly. Pairs of equal similarity are taken or left together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pipeline.matching.scoring import Floats, Ints


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with the ends of its 95% interval."""

    value: float
    low: float
    high: float


def average_precision(labels: Ints, similarity: Floats, weights: Floats) -> float:
    """The mean over right pairs of the precision at their similarity; 0 without right pairs.

    That is the area under precision against recall as a sum of steps, as in scikit-learn.
    """
    right, taken = _curve(labels, similarity, weights[None, :])
    return float(_average_precision(right, taken)[0])


def recall_at_precision(
    labels: Ints, similarity: Floats, weights: Floats, precision: float
) -> float:
    """The most of the right pairs' weight that a threshold of at least this precision keeps."""
    right, taken = _curve(labels, similarity, weights[None, :])
    return float(_recall_at(right, taken, precision)[0])


def threshold_for_precision(
    labels: Ints, similarity: Floats, weights: Floats, precision: float
) -> float:
    """The lowest similarity at which precision is reached; infinite where it never is.

    Half way to the next similarity below, so that it does not hang on one pair's last digits.
    """
    order = np.argsort(-similarity, kind="stable")
    right, taken = _curve(labels, similarity, weights[None, :])
    values = _distinct_descending(similarity[order])
    reached = np.flatnonzero(right[0] >= precision * taken[0])
    if len(reached) == 0:
        return math.inf  # a similarity may be 1: no number in [0, 1] would leave all pairs out
    last = int(reached[-1])
    below = float(values[last + 1]) if last + 1 < len(values) else 0.0
    return (float(values[last]) + below) / 2


def bootstrap_weights(groups: Ints, weights: Floats, samples: int, seed: int) -> Floats:
    """Weights of each bootstrap sample of whole groups; shape (samples, pairs)."""
    names, position = np.unique(groups, return_inverse=True)
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(len(names), np.full(len(names), 1 / len(names)), size=samples)
    found: Floats = drawn[:, position] * weights
    return found


def bootstrap_average_precision(labels: Ints, similarity: Floats, samples: Floats) -> Floats:
    """The average precision in each bootstrap sample; shape (samples,)."""
    return _average_precision(*_curve(labels, similarity, samples))


def bootstrap_recall_at(
    labels: Ints, similarity: Floats, samples: Floats, precision: float
) -> Floats:
    """The recall at a precision in each bootstrap sample; shape (samples,)."""
    return _recall_at(*_curve(labels, similarity, samples), precision)


def interval(value: float, samples: Floats) -> Interval:
    """A figure with the 2.5 and 97.5 percentiles of its bootstrap samples."""
    low, high = np.percentile(samples, [2.5, 97.5])
    return Interval(float(value), float(low), float(high))


def effective_count(groups: Ints, weights: Floats) -> float:
    """How many independent pairs of equal weight tell as much: Kish's (sum w)² / sum w², by group.

    Pairs of one group count as one observation of their joint weight.
    """
    if len(groups) == 0:
        return 0.0
    _, position = np.unique(groups, return_inverse=True)
    by_group = np.bincount(position, weights=weights)
    return float(by_group.sum() ** 2 / (by_group**2).sum())


def _curve(labels: Ints, similarity: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Weight of the right and of all pairs down to each distinct similarity, the highest first.

    ``weights`` has the shape (samples, pairs); the results (samples, distinct similarities).
    """
    order = np.argsort(-similarity, kind="stable")
    ordered = similarity[order]
    last = np.ones(len(ordered), dtype=bool)
    last[:-1] = ordered[1:] != ordered[:-1]
    taken = np.cumsum(weights[:, order], axis=1)
    right = np.cumsum((weights * labels)[:, order], axis=1)
    return right[:, last], taken[:, last]


def _average_precision(right: Floats, taken: Floats) -> Floats:
    precision = np.divide(right, taken, out=np.zeros_like(right), where=taken > 0)
    steps = np.diff(right, axis=1, prepend=0.0)
    total = right[:, -1] if right.shape[1] else np.zeros(len(right))
    sums = (precision * steps).sum(axis=1)
    found: Floats = np.divide(sums, total, out=np.zeros(len(right)), where=total > 0)
    return found


def _recall_at(right: Floats, taken: Floats, precision: float) -> Floats:
    kept = np.where(right >= precision * taken, right, 0.0).max(axis=1, initial=0.0)
    total = right[:, -1] if right.shape[1] else np.zeros(len(right))
    found: Floats = np.divide(kept, total, out=np.zeros(len(right)), where=total > 0)
    return found


def _distinct_descending(ordered: Floats) -> Floats:
    kept = np.ones(len(ordered), dtype=bool)
    kept[1:] = ordered[1:] != ordered[:-1]
    found: Floats = ordered[kept]
    return found
