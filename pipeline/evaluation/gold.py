"""True precision and recall of the silver standard, where the right passages are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.matching.best import ScoreColumns, best_windows
from pipeline.matching.scoring import Floats, Ints


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """The right passage of one answer sentence by the hash of its text, or None: it has none."""

    question_id: str
    answer_index: int
    text_sha1: str | None


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """Per answer sentence with a gold entry: similarity of its best passage, and whether right."""

    question_ids: tuple[str, ...]
    similarity: Floats
    right: Ints
    has_gold: Ints


def answer_outcomes(
    columns: ScoreColumns, similarity: Floats, depth: int, gold: Iterable[GoldAnswer],
    text_sha1: Mapping[str, str],
) -> AnswerOutcome:  # fmt: skip
    """Compare each answer sentence's best passage with its gold one, by text.

    The best passage has the highest similarity, then the lowest rank. An answer sentence without a
    candidate has similarity -1, so it is mapped at no threshold, and is not right.
    """
    best: dict[tuple[str, int], tuple[float, str]] = {}
    for row in best_windows(columns, similarity, depth).tolist():
        if columns.passage[row] < 0:
            continue
        key = (columns.question_ids[columns.question[row]], int(columns.answer[row]))
        found = (float(similarity[row]), columns.passage_ids[columns.passage[row]])
        if key not in best or found[0] > best[key][0]:
            best[key] = found
    entries = list(gold)
    similarities, rights = [], []
    for entry in entries:
        value, passage_id = best.get((entry.question_id, entry.answer_index), (-1.0, ""))
        similarities.append(value)
        rights.append(entry.text_sha1 is not None and text_sha1.get(passage_id) == entry.text_sha1)
    return AnswerOutcome(
        question_ids=tuple(entry.question_id for entry in entries),
        similarity=np.array(similarities, dtype=np.float64),
        right=np.array(rights, dtype=np.int64),
        has_gold=np.array([entry.text_sha1 is not None for entry in entries], dtype=np.int64),
    )


def gold_figures(outcome: AnswerOutcome, threshold: float) -> dict[str, Any]:
    """Precision, recall, F1 (fractions) and the false-map rate (percent) at a threshold.

    Precision divides by the answer sentences that are mapped; recall by those that have a gold
    passage; ``false_map_percent`` by those that have none, counting the ones mapped all the same.
    """
    mapped = outcome.similarity >= threshold
    right = int(outcome.right[mapped].sum())
    golden = int(outcome.has_gold.sum())
    strangers = outcome.has_gold == 0
    precision = right / int(mapped.sum()) if mapped.any() else 0.0
    recall = right / golden if golden else 0.0
    total = precision + recall
    false_maps = int((mapped & strangers).sum())
    return {
        "precision": round(precision, 6),
        "recall": round(recall, 6),
        "f1": round(2 * precision * recall / total, 6) if total else 0.0,
        "false_map_percent": round(100.0 * false_maps / int(strangers.sum()), 4)
        if strangers.any()
        else 0.0,
        "gold_answers": golden,
        "gold_absent": int(strangers.sum()),
    }


def best_f1(outcome: AnswerOutcome) -> tuple[float, float]:
    """The highest F1 over all thresholds above 0, and the lowest threshold that has it.

    F1 = 2 · right / (mapped + those with a gold passage): all at once, from the running totals
    over the answer sentences in the order of their similarity.
    """
    order = np.argsort(-outcome.similarity, kind="stable")
    order = order[outcome.similarity[order] > 0]
    if not len(order):
        return 0.0, 1.0
    similarity = outcome.similarity[order]
    right = np.cumsum(outcome.right[order])
    mapped = np.arange(1, len(order) + 1)
    thresholds = np.flatnonzero(np.append(similarity[1:] < similarity[:-1], True))
    f1 = np.round(2.0 * right / (mapped + int(outcome.has_gold.sum())), 6)[thresholds]
    best = len(f1) - 1 - int(np.argmax(f1[::-1]))
    return float(f1[best]), float(similarity[thresholds[best]])
