"""How telling a token is: its inverse document frequency in the collection, from 0 to 1.

A token's rate is the share of passages that have it. The weight falls with the logarithm of the
rate, from 1 for a token in fewer than one of 5,000 passages to 0 for one in all of them. Rates
mean the same in a small and in a large collection, and only tokens above that rate need to be
kept: some ten thousands, for a whole Wikipedia too. In a collection of fewer than some 2,500
passages nothing is that rare, and all weights lie closer together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.matching.scoring import Ints

# Weights are whole thousandths, so that sums of them are exact.
UNIT = 1000
RAREST = 5000


@dataclass(frozen=True, slots=True)
class Idf:
    """Document frequencies of the tokens that are not rare, in a collection of ``passages``."""

    passages: int
    frequencies: Mapping[str, int]

    def weights(self, tokens: Sequence[str]) -> Ints:
        """Weights in thousandths, 0 to 1000; a token that the collection lacks is a rare one."""
        known = [self.frequencies.get(token, 0) for token in tokens]
        rates = (np.array(known, dtype=np.float64) + 0.5) / (self.passages + 1)
        weights = np.minimum(-np.log(rates) / math.log(RAREST), 1.0)
        return np.rint(np.maximum(weights, 0.0) * UNIT).astype(np.int64)


def least_frequency(passages: int) -> int:
    """Tokens in fewer passages than this have the weight of the rarest: they need not be kept."""
    return max(1, math.floor((passages + 1) / RAREST - 0.5))
