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
    width_of_token = max(len(texts.vocabulary), 1)
    columns, width = tokens[positions], width_of_token
    for shift in range(1, order):
        # Pairs of numbers become one number; compressed each time, so that none grows too large.
        columns, width = _numbered(columns * width_of_token + tokens[positions + shift])
    weights = np.zeros(width, dtype=np.int64)
    weights[columns] = sum(token_weights[tokens[positions + shift]] for shift in range(order))
    ones = np.ones(len(rows), dtype=np.int64)
    counts = csr_array((ones, columns, firsts), shape=(len(lengths), width))
    counts.sum_duplicates()
    return Counts(counts, weights)


def _numbered(codes: Ints) -> tuple[Ints, int]:
    """Numbers from 0 on that are equal where the codes are, and how many there are, at least 1."""
    import pyarrow as pa

    encoded = pa.array(codes).dictionary_encode()
    return encoded.indices.to_numpy().astype(np.int64), max(len(encoded.dictionary), 1)


# (counts in the one text, counts in the other, columns), all of the other text's n-grams, to one
# array of whole numbers for each sum that is wanted.
Terms = Callable[[Ints, Ints, Ints], Sequence[Ints]]

# So many texts are laid out at once: their n-grams and no others make the columns, so it is small.
_LAID_OUT = 64


def pair_sums(ones: Any, others: Any, one: Ints, other: Ints, sums: int, terms: Terms) -> Ints:
    """Sums over the n-grams of the other text of each pair; shape (sums, pairs).

    ``ones`` and ``others`` are CSR over the same columns, ``one`` and ``other`` rows of them. Some
    of the one texts at a time are laid out as a dense table, in which what the others hold is
    looked up.
    """
    found = np.zeros((sums, len(one)), dtype=np.int64)
    narrow = np.zeros(ones.shape[1], dtype=np.int64)  # a column's place in the table; 0: in none
    rows, position = np.unique(one, return_inverse=True)
    for first in range(0, len(rows), _LAID_OUT):
        here = ones[rows[first : first + _LAID_OUT]]
        columns = np.unique(here.indices)
        narrow[columns] = np.arange(1, len(columns) + 1)
        table = np.zeros((here.shape[0], len(columns) + 1), dtype=np.int64)
        owners = np.repeat(np.arange(here.shape[0]), np.diff(here.indptr))
        table[owners, narrow[here.indices]] = here.data
        pairs = np.flatnonzero((position >= first) & (position < first + _LAID_OUT))
        there = others[other[pairs]]
        looked_up = np.repeat((position[pairs] - first) * table.shape[1], np.diff(there.indptr))
        looked_up += narrow[there.indices]
        total = np.zeros(len(there.data) + 1, dtype=np.int64)
        for number, value in enumerate(terms(table.ravel()[looked_up], there.data, there.indices)):
            np.cumsum(value, out=total[1:])
            found[number, pairs] = np.diff(total[there.indptr])
        narrow[columns] = 0
    return found
