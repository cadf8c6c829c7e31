"""The n-grams of a sentence's tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

# Tokens joined by spaces: no token holds one, so the joined form is as exact as a tuple.
Ngram = str


def ngrams(tokens: Sequence[str], order: int) -> Iterator[Ngram]:
    """The n-grams of one order, in order, with repetitions; tokens are joined by a space."""
    if order == 1:
        return iter(tokens)
    return map(" ".join, zip(*(tokens[start:] for start in range(order)), strict=False))
