"""Which passages match, which question is mapped to what, and why one is lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from pipeline.matching.best import ScoreColumns, best_windows
from pipeline.matching.scoring import Floats, Ints, highest_similarity
from pipeline.records import Silver

if TYPE_CHECKING:
    from pipeline.config import Match

ARTICLE_ABSENT = "article absent"
NOT_A_CANDIDATE = "right article not a candidate"
NO_CANDIDATE = "no candidate"
TOO_SHORT = "too short"
BELOW_THRESHOLD = "below threshold"

# From the earliest point at which a question can be lost to the latest.
LOSSES = (ARTICLE_ABSENT, NOT_A_CANDIDATE, NO_CANDIDATE, TOO_SHORT, BELOW_THRESHOLD)


def silver_rows(columns: ScoreColumns, match: Match) -> Iterator[Silver]:
    """One row a (question, answer sentence, candidate passage), sorted by question, answer, rank.

    A question is mapped when any passage of any of its answer sentences matches: similarity at or
    over the threshold. ``loss`` of an unmapped one's row is the reason of that answer sentence.
    """
    similarity = columns.active(match)
    reference = columns.reference()
    rows = best_windows(columns, similarity, match.depth)
    matched = (similarity[rows] >= match.threshold) & (columns.passage[rows] >= 0)
    mapped = np.zeros(len(columns.question_ids), dtype=bool)
    mapped[columns.question[rows[matched]]] = True
    losses = _losses(columns, rows, match)
    for row, is_match in zip(rows.tolist(), matched.tolist(), strict=True):
        question = int(columns.question[row])
        answer = int(columns.answer[row])
        passage = int(columns.passage[row])
        found = passage >= 0
        yield Silver(
            question_id=columns.question_ids[question],
            answer_index=answer,
            passage_id=columns.passage_ids[passage] if found else None,
            sentence_index=int(columns.sentence_index[row]) if found else None,
            sentence_count=int(columns.sentence_count[row]) if found else None,
            similarity=float(similarity[row]) if found else None,
            cosine_similarity=float(reference[row]) if found else None,
            rank=int(columns.rank[row]) if found else None,
            matched=is_match,
            loss=None if mapped[question] else losses[(question, answer)],
        )


def _losses(columns: ScoreColumns, rows: Ints, match: Match) -> dict[tuple[int, int], str]:
    """Why each answer sentence would be lost: the first stage that lost it."""
    losses: dict[tuple[int, int], str] = {}
    right_article: set[tuple[int, int]] = set()
    keys = list(zip(columns.question[rows].tolist(), columns.answer[rows].tolist(), strict=True))
    for row, key in zip(rows.tolist(), keys, strict=True):
        if columns.title_match[row]:
            right_article.add(key)
    for row, key in zip(rows.tolist(), keys, strict=True):
        named = bool(columns.has_title[row])
        if named and not columns.article_present[row]:
            loss = ARTICLE_ABSENT
        elif named and key not in right_article:
            loss = NOT_A_CANDIDATE
        elif columns.passage[row] < 0:
            loss = NO_CANDIDATE
        elif highest_similarity(int(columns.answer_tokens[row]), match) < match.threshold:
            loss = TOO_SHORT
        else:
            loss = BELOW_THRESHOLD
        losses[key] = loss
    return losses


def question_loss(losses: Iterable[str]) -> str:
    """The reason of a question with several answer sentences: of the one that came furthest."""
    return max(losses, key=LOSSES.index)


def best_passages(rows: Iterable[Silver]) -> dict[str, Silver]:
    """Each mapped question's best passage: highest similarity, lowest rank, then passage id."""
    best: dict[str, Silver] = {}
    for row in rows:
        if row.matched and (
            row.question_id not in best or _order(row) < _order(best[row.question_id])
        ):
            best[row.question_id] = row
    return best


def _order(row: Silver) -> tuple[float, int, str]:
    return -(row.similarity or 0.0), row.rank or 0, row.passage_id or ""


def mapped_counts(highest: Floats, thresholds: Iterable[float]) -> list[int]:
    """How many questions are mapped at each threshold, from each question's highest similarity."""
    ordered = np.sort(highest)
    return [
        int(len(ordered) - np.searchsorted(ordered, theta, side="left")) for theta in thresholds
    ]
