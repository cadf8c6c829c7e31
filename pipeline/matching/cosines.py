"""Cosines of n-gram counts for many pairs of texts at once, exact: no hashing, no sampling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeline.matching.scoring import Floats, Ints

ORDERS = (1, 2, 3)


def cosines(one: Sequence[str], other: Sequence[str]) -> tuple[float, float, float]:
    """The three cosines of two texts, each a list of tokens."""
    first, second, third = pair_cosines([one, other], np.array([0]), np.array([1]))[0].tolist()
    return first, second, third


def pair_cosines(texts: Sequence[Sequence[str]], one: Ints, other: Ints) -> Floats:
    """The cosine of the counts of 1-, 2- and 3-grams for each pair of texts; shape (pairs, 3).

    ``texts`` are token lists; ``one`` and ``other`` hold positions in it. Values lie in [0, 1]; 0
    for an order of which either text has no n-gram. Sums are whole numbers, so the cosine of two
    texts with the same tokens is exactly 1.
    """
    tokens, starts = _token_numbers(texts)
    found = np.zeros((len(one), len(ORDERS)))
    for column, order in enumerate(ORDERS):
        counts = _count_matrix(tokens, starts, order)
        squares = np.asarray(counts.multiply(counts).sum(axis=1)).reshape(-1)
        dots = _dot_products(counts, one, other)
        norms = np.sqrt(squares[one] * squares[other])
        np.divide(dots, norms, out=found[:, column], where=norms > 0)
    return found


def _dot_products(counts: Any, one: Ints, other: Ints) -> Ints:
    """Dot products of pairs of rows: each text of ``one`` is laid out once, for all its pairs."""
    dots = np.zeros(len(one), dtype=np.int64)
    laid_out = np.zeros(counts.shape[1], dtype=np.int64)
    order = np.argsort(one, kind="stable")
    for pairs in np.split(order, np.flatnonzero(np.diff(one[order])) + 1):
        if len(pairs) == 0:
            continue
        row = slice(*counts.indptr[one[pairs[0]] : one[pairs[0]] + 2])
        laid_out[counts.indices[row]] = counts.data[row]
        others = counts[other[pairs]]
        sums = np.zeros(len(others.data) + 1, dtype=np.int64)
        np.cumsum(laid_out[others.indices] * others.data, out=sums[1:])
        dots[pairs] = np.diff(sums[others.indptr])
        laid_out[counts.indices[row]] = 0
    return dots


def _token_numbers(texts: Sequence[Sequence[str]]) -> tuple[Ints, Ints]:
    """All tokens in a row as numbers from 0, and where each text starts and the last one ends."""
    numbers: dict[str, int] = {}
    row = [numbers.setdefault(token, len(numbers)) for text in texts for token in text]
    starts = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in texts], out=starts[1:])
    return np.array(row, dtype=np.int64), starts


def _count_matrix(tokens: Ints, starts: Ints, order: int) -> Any:
    """A sparse matrix of n-gram counts: a row a text, a column a distinct n-gram."""
    from scipy.sparse import csr_array

    lengths = np.maximum(np.diff(starts) - (order - 1), 0)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    firsts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=firsts[1:])
    positions = np.arange(len(rows)) - firsts[rows] + starts[rows]
    columns, width = tokens[positions], int(tokens.max(initial=-1)) + 1
    for shift in range(1, order):
        # Pairs of numbers become one number; compressed each time, so that none grows too large.
        codes = columns * (int(tokens.max(initial=-1)) + 1) + tokens[positions + shift]
        distinct, columns = np.unique(codes, return_inverse=True)
        width = len(distinct)
    ones = np.ones(len(rows), dtype=np.int64)
    counts = csr_array((ones, columns, firsts), shape=(len(lengths), max(width, 1)))
    counts.sum_duplicates()
    return counts
