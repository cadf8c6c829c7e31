"""Counts of n-grams, and the cosine between two sentences' counts of one order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ORDERS = (1, 2, 3)

# Tokens joined by spaces: no token holds one, so the joined form is as exact as a tuple, and
# Python's garbage collector need not look at it.
Ngram = str


def ngrams(tokens: Sequence[str], order: int) -> Iterator[Ngram]:
    """The n-grams of one order, in order, with repetitions; tokens are joined by a space."""
    if order == 1:
        return iter(tokens)
    return map(" ".join, zip(*(tokens[start:] for start in range(order)), strict=False))


@dataclass(frozen=True, slots=True)
class Profile:
    """A sentence's n-grams: per order the counts and the sum of their squares."""

    tokens: int
    counts: tuple[dict[Ngram, int], ...]
    squares: tuple[int, ...]


def profile_of(tokens: Sequence[str]) -> Profile:
    """Count a sentence's n-grams of the orders 1, 2 and 3."""
    counted = [_count(list(ngrams(tokens, order))) for order in ORDERS]
    return Profile(
        len(tokens),
        tuple(counts for counts, _ in counted),
        tuple(square for _, square in counted),
    )


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
    # The views intersect in C, and most pairs have few n-grams in common.
    dot = sum(one[ngram] * other[ngram] for ngram in one.keys() & other.keys())
    return dot / math.sqrt(one_square * other_square) if dot else 0.0


def _count(found: list[Ngram]) -> tuple[dict[Ngram, int], int]:
    """Counts of n-grams and the sum of their squares; most sentences repeat none."""
    counts = dict.fromkeys(found, 1)
    if len(counts) == len(found):
        return counts, len(found)
    counts = Counter(found)
    return counts, sum(count * count for count in counts.values())
