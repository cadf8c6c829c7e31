"""Rankings of candidates with ties: groups of equal score, and what is expected of their orders.

The expectation over all orders of the tied has a closed form (McSherry and Najork, Computing
information retrieval performance measures efficiently in the presence of tied scores, ECIR 2008).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

Ties = Literal["expected", "order", "trec"]
TIES: tuple[Ties, ...] = ("expected", "order", "trec")

# The positions of one rank after the other; several where they are tied.
TieGroups = Sequence[Sequence[int]]


def tie_groups(scores: Mapping[int, float], ties: Ties, name: str = "") -> list[list[int]]:
    """Candidate indices by falling score: those of equal score together under ``expected``.

    ``order`` puts the tied in candidate order, one a group. ``trec`` does what trec_eval does: it
    compares scores as 32-bit floats and orders the tied by falling document id, as text; the id of
    candidate n is ``<name>-c<n>``.
    """
    if ties == "trec":
        ranked = sorted(scores, key=lambda index: f"{name}-c{index}", reverse=True)
        ranked.sort(key=lambda index: -_as_32_bits(scores[index]))
        return [[index] for index in ranked]
    ranked = sorted(scores, key=lambda index: (-scores[index], index))
    if ties == "order":
        return [[index] for index in ranked]
    return [list(tied) for _, tied in itertools.groupby(ranked, key=lambda index: scores[index])]


def has_ties(scores: Mapping[int, float]) -> bool:
    """Whether two candidates have the same score."""
    return len(set(scores.values())) < len(scores)


def expected_average_precision(groups: TieGroups, labels: Sequence[int]) -> float:
    """Average precision of a ranking, its expectation where candidates are tied.

    The sum over relevant candidates of the precision at their rank, divided by the number of
    relevant candidates: one that is not in ``groups`` was never retrieved. 0 without relevant ones.
    """
    relevant = sum(labels)
    total = 0.0
    before = found = 0
    for size, right in _counts(groups, labels):
        for place in range(1, size + 1) if right else ():
            # Given that a relevant one stands here, the others spread evenly over the rest.
            earlier = (place - 1) * (right - 1) / (size - 1) if size > 1 else 0.0
            total += right / size * (found + 1 + earlier) / (before + place)
        before += size
        found += right
    return total / relevant if relevant else 0.0


def expected_reciprocal_rank(groups: TieGroups, labels: Sequence[int]) -> float:
    """1 / the rank of the first relevant candidate, its expectation where candidates are tied.

    0 where none is in ``groups``.
    """
    before = 0
    for size, right in _counts(groups, labels):
        if right:
            ways = math.comb(size, right)
            return sum(
                math.comb(size - place, right - 1) / ways / (before + place)
                for place in range(1, size - right + 2)
            )
        before += size
    return 0.0


def _as_32_bits(score: float) -> float:
    """What is left of a score in trec_eval; one too large for 32 bits is infinite."""
    with np.errstate(over="ignore"):
        return float(np.float32(score))


def _counts(groups: TieGroups, labels: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Size and number of relevant candidates of each group."""
    return ((len(group), sum(labels[index] for index in group)) for group in groups)


def ranked_ids(scores: Mapping[str, float], *, trec: bool = False) -> list[str]:
    """Ids by falling score: ties by ascending id, or as ``tie_groups`` does under ``trec``."""
    if trec:
        ranked = sorted(scores, reverse=True)
        return sorted(ranked, key=lambda name: -_as_32_bits(scores[name]))
    return sorted(scores, key=lambda name: (-scores[name], name))
