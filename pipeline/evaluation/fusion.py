"""Reciprocal rank fusion: one ranking of several (Cormack, Clarke and Büttcher, SIGIR 2009)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

RRF_K = 60


def fused_scores(
    rankings: Iterable[Sequence[str]], depth: int, k: int = RRF_K
) -> list[tuple[str, float]]:
    """The best ``depth`` documents by the sum over rankings of 1 / (k + rank), ties by id.

    Ranks count from 1; a ranking that lacks a document adds nothing to it.
    """
    parts: dict[str, list[float]] = {}
    for ranking in rankings:
        for rank, name in enumerate(ranking, start=1):
            parts.setdefault(name, []).append(1.0 / (k + rank))
    scores = {name: math.fsum(mine) for name, mine in parts.items()}
    return sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))[:depth]
