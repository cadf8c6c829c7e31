"""Cosines of n-gram counts for many pairs of texts at once, exact: no hashing, no sampling."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.matching.counts import count_ngrams, pair_sums, texts_of
from pipeline.matching.scoring import Floats, Ints

ORDERS = (1, 2, 3)


def cosines(one: Sequence[str], other: Sequence[str]) -> tuple[float, float, float]:
    """The three cosines of two texts, each a list of tokens."""
    first, second, third = pair_cosines([one, other], np.array([0]), np.array([1]))[0].tolist()
    return first, second, third


def pair_cosines(token_lists: Sequence[Sequence[str]], one: Ints, other: Ints) -> Floats:
    """The cosine of the counts of 1-, 2- and 3-grams for each pair of texts; shape (pairs, 3).

    ``one`` and ``other`` hold positions in ``token_lists``. Values lie in [0, 1]; 0 for an order of
    which either text has no n-gram.
    """
    texts = texts_of(token_lists)
    found = np.zeros((len(one), len(ORDERS)))
    for column, order in enumerate(ORDERS):
        counts = count_ngrams(texts, order)
        squares = counts.row_sums(lambda count, _: count * count)
        dots = pair_sums(
            counts.matrix, counts.matrix, one, other, 1, lambda here, there, _: [here * there]
        )[0]
        found[:, column] = ratio(dots, squares[one], squares[other])
    return found


def ratio(dots: Ints, one: Ints, other: Ints) -> Floats:
    """Dot products over the root of the product of two squared lengths; 0 where either is 0."""
    norms = np.sqrt(one.astype(np.float64) * other.astype(np.float64))
    return np.divide(dots, norms, out=np.zeros(len(dots)), where=norms > 0)
