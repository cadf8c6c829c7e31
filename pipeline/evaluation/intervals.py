"""Intervals for shares."""

from __future__ import annotations

import math

_Z_95 = 1.959963984540054


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95% Wilson score interval of a share, as fractions; (0, 1) without trials.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22
    (1927). For simple random samples only: clustered data needs a bootstrap over the clusters.
    """
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    square = _Z_95 * _Z_95
    centre = share + square / (2 * trials)
    spread = _Z_95 * math.sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    scale = 1 + square / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)
