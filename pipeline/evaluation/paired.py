"""Is one run better than another on the same questions: McNemar's test, with Holm's correction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.matching.scoring import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedSuccess:
    """Success@k of two runs on the same questions; ``p`` is McNemar's exact two-sided value."""

    k: int
    questions: int
    ours: int
    theirs: int
    only_ours: int
    only_theirs: int
    p: float

    @property
    def difference(self) -> float:
        """Ours minus theirs, in points of a percent."""
        return 100.0 * (self.ours - self.theirs) / self.questions if self.questions else 0.0


def paired_success(ours: Floats, theirs: Floats, ks: Sequence[int]) -> list[PairedSuccess]:
    """Compare two runs by the rank of each question's first relevant passage.

    Both have the shape (questions,).
    """
    compared = []
    for k in ks:
        one, other = ours <= k, theirs <= k
        only_ours, only_theirs = discordant(one, other)
        compared.append(
            PairedSuccess(
                k=k,
                questions=len(ours),
                ours=int(one.sum()),
                theirs=int(other.sum()),
                only_ours=only_ours,
                only_theirs=only_theirs,
                p=mcnemar(only_ours, only_theirs),
            )
        )
    return compared


def discordant(ours: Any, theirs: Any) -> tuple[int, int]:
    """On how many questions only ours is right, and only theirs; two arrays of booleans."""
    return int(np.sum(ours & ~theirs)), int(np.sum(theirs & ~ours))


def mcnemar(only_ours: int, only_theirs: int) -> float:
    """McNemar's exact two-sided p (Psychometrika 12, 1947).

    It looks only at the questions that one run answers and the other does not: under the null
    hypothesis each falls to either side with probability 1/2.
    """
    from scipy.stats import binomtest

    total = only_ours + only_theirs
    return float(binomtest(only_ours, total, 0.5).pvalue) if total else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p values (Scandinavian Journal of Statistics 6, 1979), in the given order."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for position, index in enumerate(np.argsort(p_values, kind="stable").tolist()):
        highest = max(highest, min(1.0, p_values[index] * (len(p_values) - position)))
        adjusted[index] = highest
    return adjusted


def baseline_figures(compared: Sequence[PairedSuccess]) -> Mapping[str, Any]:
    """The baseline's Success@k in percent over the mapped questions, and their number."""
    figures: dict[str, Any] = {
        f"top_{entry.k}": round(100.0 * entry.theirs / entry.questions, 4)
        if entry.questions
        else 0.0
        for entry in compared
    }
    figures["top_n"] = compared[0].questions if compared else 0
    return figures
