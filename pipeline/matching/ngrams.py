"""Counts of n-grams, and the cosine between two sentences' counts of one order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ORDERS = (1, 2, 3)

Ngram = tuple[str, ...]


def ngrams(tokens: Sequence[str], order: int) -> Iterator[Ngram]:
    """The n-grams of one order, in order, with repetitions."""
    return zip(*(tokens[start:] for start in range(order)), strict=False)


@dataclass(frozen=True, slots=True)
class Profile:
    """A sentence's n-grams: per order the counts and the sum of their squares."""

    tokens: int
    counts: tuple[dict[Ngram, int], ...]
    squares: tuple[int, ...]


def profile_of(tokens: Sequence[str]) -> Profile:
    """Count a sentence's n-grams of the orders 1, 2 and 3."""
    counts = tuple(Counter(ngrams(tokens, order)) for order in ORDERS)
    squares = tuple(sum(count * count for count in order.values()) for order in counts)
    return Profile(len(tokens), counts, squares)


def cosines(one: Profile, other: Profile) -> tuple[float, float, float]:
    """The cosine of the two sentences' counts for the orders 1, 2 and 3, each in [0, 1].

    0 for an order of which either sentence has no n-gram. The sums are whole numbers, so two equal
    sentences have exactly 1.
    """
    first, second, third = (
        _cosine(one.counts[n], other.counts[n], one.squares[n], other.squares[n]) for n in range(3)
    )
    return first, second, third


def _cosine(
    one: dict[Ngram, int], other: dict[Ngram, int], one_square: int, other_square: int
) -> float:
    if len(one) > len(other):
        one, other = other, one
    dot = sum(count * other[ngram] for ngram, count in one.items() if ngram in other)
    return dot / math.sqrt(one_square * other_square) if dot else 0.0
