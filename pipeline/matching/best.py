"""The scores of a corpus as columns, and the best window of each pair of answer and passage."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.matching.features import FEATURES
from pipeline.matching.model import load_model
from pipeline.matching.scoring import (
    REFERENCE_DEPTH,
    REFERENCE_WEIGHTS,
    Bools,
    Floats,
    Ints,
    cosine_similarity,
    learned_similarity,
)

if TYPE_CHECKING:
    from pipeline.config import Match

PLAIN_COSINES = tuple(f"cosine_{order}" for order in (1, 2, 3))
_IDF_COSINES = tuple(f"idf_{name}" for name in PLAIN_COSINES)
_IDF_COLUMNS = [list(FEATURES).index(name) for name in _IDF_COSINES]

_ROW_COLUMNS = (
    "question", "answer", "passage", "rank", "sentence_index", "sentence_count", "cosines",
    "answer_tokens", "sentence_tokens", "title_match", "has_title", "article_present",
    "features",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScoreColumns:
    """Score rows as arrays of one length, ``rows``.

    ``question`` and ``passage`` are positions in ``question_ids`` and ``passage_ids``, both sorted;
    a row of an answer sentence without candidates has passage -1, rank 0 and cosines of 0.
    ``features`` has a column for each of ``FEATURES``, in 32 bits.
    """

    question_ids: tuple[str, ...]
    passage_ids: tuple[str, ...]
    question: Ints
    answer: Ints
    passage: Ints
    rank: Ints
    sentence_index: Ints
    sentence_count: Ints
    cosines: Floats
    answer_tokens: Ints
    sentence_tokens: Ints
    title_match: Bools
    has_title: Bools
    article_present: Bools
    features: Floats

    def __len__(self) -> int:
        return len(self.question)

    def take(self, rows: Any) -> ScoreColumns:
        """The rows at these positions, or where a mask is true."""
        return replace(self, **{name: getattr(self, name)[rows] for name in _ROW_COLUMNS})

    def active(self, match: Match) -> Floats:
        """The similarity of each row by the configured scorer; shape (rows,)."""
        if match.scorer == "learned":
            return learned_similarity(load_model(match.model), self.features)
        return cosine_similarity(
            self.cosines if match.scorer == "cosine" else self.features[:, _IDF_COLUMNS],
            match.weights,
            match.short_sentences,
            self.answer_tokens,
            self.sentence_tokens,
        )

    def reference(self) -> Floats:
        """The reference's t of each row, whatever is configured; shape (rows,)."""
        return cosine_similarity(
            self.cosines, REFERENCE_WEIGHTS, "paper", self.answer_tokens, self.sentence_tokens
        )


def columns_read(match: Match) -> tuple[str, ...]:
    """The columns of the scores that the configured scorer takes its similarity from."""
    if match.scorer == "learned":
        return load_model(match.model).inputs
    return PLAIN_COSINES if match.scorer == "cosine" else _IDF_COSINES


def columns_of(table: Any) -> ScoreColumns:
    """An Arrow table of Score rows as columns."""

    def numbers(name: str, kind: str = "int64") -> Any:
        column = table.column(name)
        if column.null_count:
            column = column.fill_null(False if kind == "bool" else 0)
        return column.to_numpy().astype(kind)

    question_ids, question = _codes(table.column("question_id"))
    passage_ids, passage = _codes(table.column("passage_id"))
    return ScoreColumns(
        question_ids=question_ids,
        passage_ids=passage_ids,
        question=question,
        answer=numbers("answer_index"),
        passage=passage,
        rank=numbers("rank"),
        sentence_index=numbers("sentence_index"),
        sentence_count=numbers("sentence_count"),
        cosines=np.column_stack([numbers(name, "float64") for name in PLAIN_COSINES]),
        answer_tokens=numbers("answer_tokens"),
        sentence_tokens=numbers("sentence_tokens"),
        title_match=numbers("title_match", "bool"),
        has_title=table.column("article_present").is_valid().to_numpy(),
        article_present=numbers("article_present", "bool"),
        features=np.column_stack([numbers(name, "float32") for name in FEATURES]),
    )


def best_windows(columns: ScoreColumns, similarity: Floats, depth: int) -> Ints:
    """Positions of the best window of each (question, answer, passage) with rank up to ``depth``.

    Best: highest similarity, then the first sentence, then the shorter window. The row of an
    answer sentence without candidates is kept. Sorted by question, answer sentence and rank.
    """
    rows = np.flatnonzero(columns.rank <= depth)
    order = np.lexsort(
        (
            columns.sentence_count[rows],
            columns.sentence_index[rows],
            -similarity[rows],
            columns.rank[rows],
            columns.answer[rows],
            columns.question[rows],
        )
    )
    rows = rows[order]
    keys = np.column_stack([columns.question[rows], columns.answer[rows], columns.rank[rows]])
    first = np.ones(len(rows), dtype=bool)
    first[1:] = np.any(keys[1:] != keys[:-1], axis=1)
    return rows[first]


def highest_by_question(columns: ScoreColumns, similarity: Floats, rows: Any) -> Floats:
    """Each question's highest similarity over the rows chosen; shape (questions,).

    -1 where there is none: what has no passage is mapped at no threshold, 0 included.
    """
    best = np.full(len(columns.question_ids), -1.0)
    np.maximum.at(best, columns.question[rows], similarity[rows])
    return best


def answer_keys(columns: ScoreColumns) -> tuple[Ints, int]:
    """A number per row that is equal for rows of one answer sentence, and how many there are."""
    pairs = np.column_stack([columns.question, columns.answer])
    _, keys = np.unique(pairs, axis=0, return_inverse=True)
    keys = np.asarray(keys, dtype=np.int64).reshape(-1)
    return keys, int(keys.max()) + 1 if len(keys) else 0


def reference_rows(columns: ScoreColumns) -> Ints:
    """Positions of what the reference compares: single sentences of the first 5 passages."""
    within = (columns.rank > 0) & (columns.rank <= REFERENCE_DEPTH)
    return np.flatnonzero(within & (columns.sentence_count == 1))


def _codes(column: Any) -> tuple[tuple[str, ...], Ints]:
    """Sorted distinct strings of a column, and each row's position among them, -1 for null."""
    import pyarrow.compute as pc

    encoded = column.combine_chunks().dictionary_encode()
    names = encoded.dictionary
    order = pc.array_sort_indices(names).to_numpy()
    position = np.full(len(order) + 1, -1, dtype=np.int64)  # the last is that of null
    position[order] = np.arange(len(order))
    codes = encoded.indices.fill_null(-1).to_numpy().astype(np.int64)
    return tuple(names.take(order).to_pylist()), position[codes]
