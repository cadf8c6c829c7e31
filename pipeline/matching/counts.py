"""Texts as sparse counts of n-grams, and sums over what pairs of texts share: whole numbers only.

Whole numbers make sums exact: a text compared with itself has a cosine of exactly 1, and the same
pair has the same figures whatever it is computed together with.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.matching.scoring import Ints


@dataclass(frozen=True, slots=True)
class Texts:
    """Token lists laid end to end as numbers.

    ``tokens`` holds positions in ``vocabulary``; text n is ``tokens[starts[n]:starts[n + 1]]``.
    """

    vocabulary: tuple[str, ...]
    tokens: Ints
    starts: Ints

    def __len__(self) -> int:
        return len(self.starts) - 1

    def lengths(self) -> Ints:
        """How many tokens each text has; shape (texts,)."""
        return np.diff(self.starts)

    def first(self, count: int) -> Texts:
        """The first texts only, over the same vocabulary."""
        starts = self.starts[: count + 1]
        return Texts(self.vocabulary, self.tokens[: starts[-1]], starts)


def texts_of(token_lists: Sequence[Sequence[str]]) -> Texts:
    """Number the tokens of these texts in the order in which they first occur."""
    numbers: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    starts = np.zeros(len(token_lists) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in token_lists], out=starts[1:])
    in_a_row = itertools.chain.from_iterable(token_lists)
    tokens = np.fromiter(map(numbers.__getitem__, in_a_row), np.int64, count=int(starts[-1]))
    return Texts(tuple(numbers), tokens, starts)


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each text has each n-gram of one order.

    ``matrix`` is a SciPy CSR array of shape (texts, n-grams); ``weights`` is the sum of the weights
    of each n-gram's tokens.
    """

    matrix: Any
    weights: Ints

    def row_sums(self, values: Callable[[Ints, Ints], Ints]) -> Ints:
        """The sum over each text's n-grams of ``values(counts, columns)``; shape (texts,)."""
        total = np.zeros(len(self.matrix.data) + 1, dtype=np.int64)
        np.cumsum(values(self.matrix.data, self.matrix.indices), out=total[1:])
        found: Ints = np.diff(total[self.matrix.indptr])
        return found


def count_ngrams(texts: Texts, order: int, token_weights: Ints | None = None) -> Counts:
    """Count the n-grams of one order; without ``token_weights`` all weights are 0."""
    from scipy.sparse import csr_array

    tokens = texts.tokens
    if token_weights is None:
        token_weights = np.zeros(len(texts.vocabulary), dtype=np.int64)
    lengths = np.maximum(texts.lengths() - (order - 1), 0)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    firsts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=firsts[1:])
    positions = np.arange(len(rows)) - firsts[rows] + texts.starts[rows]
    columns, width = tokens[positions], max(len(texts.vocabulary), 1)
    for shift in range(1, order):
        # Pairs of numbers become one number; compressed each time, so that none grows too large.
        codes = columns * max(len(texts.vocabulary), 1) + tokens[positions + shift]
        distinct, columns = np.unique(codes, return_inverse=True)
        width = max(len(distinct), 1)
    weights = np.zeros(width, dtype=np.int64)
    weights[columns] = sum(token_weights[tokens[positions + shift]] for shift in range(order))
    ones = np.ones(len(rows), dtype=np.int64)
    counts = csr_array((ones, columns, firsts), shape=(len(lengths), width))
    counts.sum_duplicates()
    return Counts(counts, weights)


# (counts in the one text, counts in the other, columns), all of the other text's n-grams, to one
# array of whole numbers for each sum that is wanted.
Terms = Callable[[Ints, Ints, Ints], Sequence[Ints]]


def pair_sums(matrix: Any, one: Ints, other: Ints, sums: int, terms: Terms) -> Ints:
    """Sums over the n-grams of the other text of each pair; shape (sums, pairs).

    ``matrix`` is CSR; ``one`` and ``other`` are rows of it. Each row of ``one`` is laid out once,
    for all its pairs.
    """
    found = np.zeros((sums, len(one)), dtype=np.int64)
    laid_out = np.zeros(matrix.shape[1], dtype=np.int64)
    order = np.argsort(one, kind="stable")
    for pairs in np.split(order, np.flatnonzero(np.diff(one[order])) + 1):
        if len(pairs) == 0:
            continue
        row = slice(*matrix.indptr[one[pairs[0]] : one[pairs[0]] + 2])
        laid_out[matrix.indices[row]] = matrix.data[row]
        others = matrix[other[pairs]]
        total = np.zeros((sums, len(others.data) + 1), dtype=np.int64)
        values = terms(laid_out[others.indices], others.data, others.indices)
        for number, value in enumerate(values):
            np.cumsum(value, out=total[number, 1:])
        found[:, pairs] = np.diff(total[:, others.indptr], axis=1)
        laid_out[matrix.indices[row]] = 0
    return found
