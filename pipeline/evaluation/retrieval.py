"""Top-k accuracy of a run: Success@k, with its denominator said."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

Ranking = Sequence[str]


def first_relevant_rank(ranking: Ranking, relevant: Collection[str]) -> float:
    """1-based rank of the first relevant passage; infinity when none is in the ranking."""
    for rank, passage_id in enumerate(ranking, start=1):
        if passage_id in relevant:
            return rank
    return math.inf


def success_at_k(
    relevant: Mapping[str, Collection[str]], run: Mapping[str, Ranking], k: int
) -> float:
    """Share of questions with a relevant passage among the first ``k``: Success@k.

    ``relevant`` holds the relevant passages of each question. The denominator is every question in
    it, so one that the run does not answer is a miss, as is one without any relevant passage; 0
    when there is no question. Equals ir_measures' ``Success@k`` on the same questions.
    """
    if not relevant:
        return 0.0
    hits = sum(
        first_relevant_rank(run.get(question, ()), passages) <= k
        for question, passages in relevant.items()
    )
    return hits / len(relevant)
