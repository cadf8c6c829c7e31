"""Measures of a run, each with its denominator said: Success, MRR, nDCG and recall at k."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from pipeline.evaluation.figures import Measure, Units, group_numbers
from pipeline.matching.scoring import Floats, Ints

Ranking = Sequence[str]


def first_relevant_rank(ranking: Ranking, relevant: Collection[str]) -> float:
    """1-based rank of the first relevant passage; infinity when none is in the ranking."""
    for rank, passage_id in enumerate(ranking, start=1):
        if passage_id in relevant:
            return rank
    return math.inf


def recall_at_k(ranking: Ranking, relevant: Collection[str], k: int) -> float:
    """Share of the relevant passages that are among the first ``k``; 0 where there is none."""
    return len(set(ranking[:k]) & set(relevant)) / len(relevant) if relevant else 0.0


def ndcg_at_k(ranking: Ranking, relevance: Mapping[str, int], k: int) -> float:
    """Discounted gain of the first ``k`` over that of the best order of the judged passages.

    The gain of a passage is its relevance, 0 where that is negative or unknown, divided by the
    binary logarithm of its rank plus 1, as trec_eval's ``ndcg_cut``. 0 where nothing is relevant.
    """
    gains = [max(relevance.get(passage_id, 0), 0) for passage_id in ranking[:k]]
    best = sorted((max(value, 0) for value in relevance.values()), reverse=True)[:k]
    ideal = _discounted(best)
    return _discounted(gains) / ideal if ideal else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def retrieval_units(
    qrels: Mapping[str, Mapping[str, int]], run: Mapping[str, Ranking], ks: Sequence[int],
    articles: Mapping[str, str] | None = None,
) -> Units:  # fmt: skip
    """A unit a question of ``qrels``, with ``success_k``, ``mrr_k``, ``ndcg_k`` and ``recall_k``.

    A question that the run does not answer is 0 in all of them, as is one without any relevant
    passage. ``articles`` says which questions belong together.
    """
    ids = tuple(qrels)
    amounts: dict[str, Floats] = {"one": np.ones(len(ids))}
    relevant = {name: {p for p, value in qrels[name].items() if value > 0} for name in ids}
    rankings = {name: run.get(name, ()) for name in ids}
    ranks = np.array([first_relevant_rank(rankings[name], relevant[name]) for name in ids])
    for k in ks:
        amounts[f"success_{k}"] = (ranks <= k).astype(np.float64)
        amounts[f"mrr_{k}"] = np.where(ranks <= k, 1.0 / ranks, 0.0)
        amounts[f"ndcg_{k}"] = np.array([ndcg_at_k(rankings[n], qrels[n], k) for n in ids])
        amounts[f"recall_{k}"] = np.array([recall_at_k(rankings[n], relevant[n], k) for n in ids])
    return Units(ids=ids, amounts=amounts, groups=_groups(ids, articles))


def answer_units(
    ranks: Mapping[str, float], ks: Sequence[int], articles: Mapping[str, str] | None = None
) -> Units:
    """A unit a question with short answers: ``has_answer_k``, by the rank of the first hit."""
    ids = tuple(ranks)
    found = np.array([ranks[name] for name in ids])
    amounts: dict[str, Floats] = {"one": np.ones(len(ids))}
    amounts |= {f"has_answer_{k}": (found <= k).astype(np.float64) for k in ks}
    return Units(ids=ids, amounts=amounts, groups=_groups(ids, articles))


def retrieval_measures(ks: Sequence[int]) -> list[Measure]:
    """Success, MRR, nDCG and recall at each k; the denominator is every judged question."""
    return [
        Measure(name=f"{name}_{k}", part=f"{name}_{k}", whole="one",
                denominator="questions in the qrels", binary=name == "success")
        for name in ("success", "mrr", "ndcg", "recall")
        for k in ks
    ]  # fmt: skip


def answer_measures(ks: Sequence[int]) -> list[Measure]:
    """DPR's accuracy by answer string for each k, over the questions that have short answers."""
    return [
        Measure(name=f"has_answer_{k}", part=f"has_answer_{k}", whole="one",
                denominator="questions with short answers", binary=True)
        for k in ks
    ]  # fmt: skip


def _groups(ids: Sequence[str], articles: Mapping[str, str] | None) -> Ints:
    told = articles or {}
    return group_numbers([told.get(name, f"\0{name}") for name in ids])
