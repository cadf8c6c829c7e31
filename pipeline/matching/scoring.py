"""From cosines to a similarity in [0, 1], and from similarities to the best window of a passage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pipeline.config import Match
    from pipeline.matching.model import LinearModel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

# The reference's settings: Jurczyk, Deshmane and Choi, arXiv 1801.02073.
REFERENCE_WEIGHTS = (0.25, 0.35, 0.40)
REFERENCE_DEPTH = 5
REFERENCE_THRESHOLD = 0.4

# An answer sentence of so few tokens matches almost anywhere.
SHORT_TOKENS = 3

# Sums of three products differ in the last bits; a threshold must not.
_DECIMALS = 12


def cosine_similarity(
    cosines: Floats,
    weights: Sequence[float],
    short_sentences: str,
    answer_tokens: Ints,
    sentence_tokens: Ints,
) -> Floats:
    """t = sum over orders n of weight n times cosine n; shape (rows,), values in [0, 1].

    ``cosines`` has the shape (rows, 3). Under ``renormalize`` t is divided by the weights of the
    orders that both sentences are long enough for; under ``paper`` it is the plain sum, so two
    equal sentences of two tokens have 0.6. A row where either sentence has no token has 0.
    """
    row_weights = np.asarray(weights, dtype=np.float64)
    similarity = cosines @ row_weights
    if short_sentences == "renormalize":
        shorter = np.minimum(answer_tokens, sentence_tokens)
        reachable = np.concatenate([[0.0], np.cumsum(row_weights)])[np.minimum(shorter, 3)]
        similarity = np.divide(
            similarity, reachable, out=np.zeros_like(similarity), where=reachable > 0
        )
    return in_range(similarity)


def in_range(similarity: Floats) -> Floats:
    """Similarities without what sums of floating point numbers add: in [0, 1], to 12 decimals."""
    return np.round(np.clip(similarity, 0.0, 1.0), _DECIMALS)


def learned_similarity(model: LinearModel, features: Floats) -> Floats:
    """The model's probability that a passage says the same as the answer sentence; shape (rows,).

    ``features`` has the shape (rows, FEATURES).
    """
    return np.round(model.similarity(features), _DECIMALS)


def highest_similarity(answer_tokens: int, match: Match) -> float:
    """The most that an answer sentence of so many tokens can reach: less than 1 if short."""
    if match.scorer == "learned":
        return 1.0
    if match.short_sentences == "renormalize":
        reachable = sum(match.weights[: min(answer_tokens, 3)])
        return 1.0 if reachable > 0 else 0.0
    return round(sum(match.weights[: min(answer_tokens, 3)]), _DECIMALS)
