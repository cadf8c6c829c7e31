"""Which boosts and BM25 rank the right passages first: a grid, checked by cross-validation."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.config import BM25
from pipeline.matching.scoring import Floats

# Weights that a field may have besides the text's own words, which always have 1.
WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.5)
# BM25's parameters: how soon a repeated word counts no more, and how much long passages lose.
K1S = (0.3, 0.4, 0.6, 0.9, 1.2)
BS = (0.3, 0.4, 0.5, 0.6, 0.75)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """Settings and the rank of the first right passage of each question; infinity where none."""

    boosts: dict[str, float]
    bm25: BM25
    ranks: Floats

    def reciprocal_rank(self, chosen: Sequence[int] | None = None) -> float:
        """Mean reciprocal rank over the questions, or over some; a miss counts 0."""
        ranks = self.ranks if chosen is None else self.ranks[np.asarray(chosen, dtype=np.int64)]
        return float(np.mean(1.0 / ranks)) if len(ranks) else 0.0

    def success(self, k: int) -> float:
        """Success@k over all questions, in percent."""
        return 100.0 * float(np.mean(self.ranks <= k)) if len(self.ranks) else 0.0


def grid(fields: Sequence[str]) -> list[dict[str, float]]:
    """All combinations of weights for the fields beside ``contents``; a weight of 0 is left out."""
    others = [field for field in fields if field != "contents"]
    return [
        {"contents": 1.0, **{name: weight for name, weight in zip(others, weights, strict=True)
                             if weight > 0}}
        for weights in itertools.product(WEIGHTS, repeat=len(others))
    ]  # fmt: skip


def bm25_grid() -> list[BM25]:
    """All combinations of BM25's two parameters that are tried."""
    return [BM25(k1=k1, b=b) for k1, b in itertools.product(K1S, BS)]


def best_of(tried: Sequence[Tried], chosen: Sequence[int] | None = None) -> Tried:
    """The settings with the highest mean reciprocal rank; of equals the first, so the simpler."""
    return max(tried, key=lambda entry: round(entry.reciprocal_rank(chosen), 12))


def cross_validated(tried: Sequence[Tried], groups: Sequence[Hashable], folds: int = 5) -> Floats:
    """Ranks that settings chosen on the other folds give; shape (questions,).

    Questions of one group, such as those of one article, are always in one fold. Groups go to folds
    in turn, by their first question.
    """
    fold_of: dict[Hashable, int] = {}
    for group in groups:
        fold_of.setdefault(group, len(fold_of) % folds)
    membership = np.array([fold_of[group] for group in groups], dtype=np.int64)
    ranks = np.full(len(groups), np.inf)
    for fold in range(folds):
        inside, outside = np.flatnonzero(membership == fold), np.flatnonzero(membership != fold)
        if len(inside) and len(outside):
            ranks[inside] = best_of(tried, outside.tolist()).ranks[inside]
    return ranks
