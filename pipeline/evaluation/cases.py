"""What robustness is asked of: the silver passages of a rule at a threshold, and their sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.config import Match
from pipeline.evaluation.judgments import role_of
from pipeline.evaluation.robustness import JudgedPair, PairKey, draw_sample
from pipeline.evaluation.summary import threshold_key
from pipeline.matching.best import ScoreColumns, reference_rows
from pipeline.matching.scoring import REFERENCE_DEPTH, Floats, Ints
from pipeline.matching.thresholds import best_passages
from pipeline.records import Silver

ACTIVE, QRELS = "active", "qrels"


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedPair:
    """An answer sentence of a question, and the passage and window that it was mapped to."""

    question_id: str
    answer_index: int
    passage_id: str
    sentence_index: int
    sentence_count: int
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One figure of robustness: a rule, its threshold and every pair that it maps.

    ``name`` is its key in the metrics: ``t040`` for the reference at 0.4; ``active`` for the
    active scorer's best passages, ``qrels`` for all its matched ones.
    """

    name: str
    threshold: float
    pairs: tuple[MappedPair, ...]

    def describe(self) -> str:
        """The case in words, for a table or a terminal."""
        rules = {ACTIVE: "active settings", QRELS: "active settings, all qrels lines"}
        return f"{rules.get(self.name, 'plain cosine')}, t ≥ {self.threshold:g}"


def cases(
    reference: Sequence[MappedPair],
    silver: Sequence[Silver],
    thresholds: Iterable[float],
    match: Match,
) -> list[Case]:
    """The reference at each threshold, then the active settings by question and by qrels line.

    ``reference`` holds each question's best pair by the plain cosine.
    """
    found = [
        Case(
            name=threshold_key(theta),
            threshold=theta,
            pairs=tuple(pair for pair in reference if pair.similarity >= theta),
        )
        for theta in thresholds
    ]
    best = [_mapped(row) for row in best_passages(silver).values()]
    found.append(Case(name=ACTIVE, threshold=match.threshold, pairs=tuple(best)))
    lines: dict[tuple[str, str | None], Silver] = {}
    for row in silver:
        key = (row.question_id, row.passage_id)
        if row.matched and (
            key not in lines or (row.similarity or 0.0) > (lines[key].similarity or 0.0)
        ):
            lines[key] = row
    pairs = tuple(_mapped(row) for row in lines.values())
    found.append(Case(name=QRELS, threshold=match.threshold, pairs=pairs))
    return found


def reference_of_scores(columns: ScoreColumns) -> list[MappedPair]:
    """Each question's best pair under the reference's rule: similarity, rank, passage, answer."""
    similarity = columns.reference()
    rows = best_rows(columns, similarity, reference_rows(columns))
    return [
        MappedPair(
            question_id=columns.question_ids[int(columns.question[row])],
            answer_index=int(columns.answer[row]),
            passage_id=columns.passage_ids[int(columns.passage[row])],
            sentence_index=int(columns.sentence_index[row]),
            sentence_count=int(columns.sentence_count[row]),
            similarity=float(similarity[row]),
        )
        for row in rows.tolist()
    ]


def best_rows(columns: ScoreColumns, similarity: Floats, rows: Ints) -> Ints:
    """Each question's best of these rows: highest similarity, lowest rank, passage, answer."""
    order = np.lexsort(
        (columns.sentence_count[rows], columns.sentence_index[rows], columns.answer[rows],
         columns.passage[rows], columns.rank[rows], -similarity[rows], columns.question[rows])
    )  # fmt: skip
    rows = rows[order]
    first = np.ones(len(rows), dtype=bool)
    first[1:] = columns.question[rows][1:] != columns.question[rows][:-1]
    return rows[first]


def reference_of_silver(rows: Iterable[Silver]) -> list[MappedPair]:
    """The same from a silver standard alone: exact where its windows are the plain cosine's best.

    That is so for scorer cosine over single sentences with a depth of 5 or more.
    """
    best: dict[str, Silver] = {}
    for row in rows:
        within = row.passage_id is not None and (row.rank or 0) <= REFERENCE_DEPTH
        held = best.get(row.question_id)
        if within and (held is None or _order(row) < _order(held)):
            best[row.question_id] = row
    return [_mapped(row, row.cosine_similarity) for row in best.values()]


def drawn(
    case: Case,
    key_of: Callable[[MappedPair], PairKey],
    title_of: Callable[[MappedPair], str],
    judged: Mapping[PairKey, JudgedPair],
    size: int,
    seed: int,
    role: str = "report",
) -> list[PairKey]:
    """The case's sample: pairs whose article's judgments have this role, smallest hashes first.

    Roles follow from a hash of the article, so the pairs that report are a random half.
    """
    eligible = []
    for pair in case.pairs:
        key = key_of(pair)
        if role_of(key, title_of(pair), judged) == role:
            eligible.append(key)
    return draw_sample(eligible, size, seed)


def _order(row: Silver) -> tuple[float, int, str, int]:
    return -(row.cosine_similarity or 0.0), row.rank or 0, row.passage_id or "", row.answer_index


def _mapped(row: Silver, similarity: float | None = None) -> MappedPair:
    return MappedPair(
        question_id=row.question_id,
        answer_index=row.answer_index,
        passage_id=row.passage_id or "",
        sentence_index=row.sentence_index or 0,
        sentence_count=row.sentence_count or 1,
        similarity=(row.similarity if similarity is None else similarity) or 0.0,
    )
