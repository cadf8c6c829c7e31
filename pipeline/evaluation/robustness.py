"""Robustness: the share of right passages in a seeded sample of the mapped questions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.evaluation.intervals import wilson

# A pair is known by its texts, so that a judgment survives new dumps, ids and settings.
PairKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """What a judge said of an answer sentence and a passage, both by the SHA-1 of their text."""

    key: PairKey
    label: str  # "1" right, "0" wrong, "?" undecided
    role: str  # "report" or "tune": what tunes never reports
    judge: str = ""
    judge_kind: str = ""  # "person" or "program"; "" where nobody said
    known_wrong: bool = False  # mixed in to see whether the judge reads


def draw_sample(pairs: Iterable[PairKey], size: int, seed: int) -> list[PairKey]:
    """The ``size`` pairs with the smallest hashes of (seed, answer text, passage text).

    A simple random sample of the distinct pairs, and stable: a pair that another threshold shares
    is drawn there too, so that what was judged once is not asked again.
    """
    return sorted(set(pairs), key=lambda pair: _hash(seed, pair))[:size]


def robustness(
    sample: Iterable[PairKey], judgments: Mapping[PairKey, JudgedPair]
) -> dict[str, Any]:
    """Right / decided of a sample in percent, with bounds; the counts alone if none is decided.

    ``judged`` counts the undecided pairs too, ``decided`` does not. ``low`` and ``high`` are the
    ends of the 95% Wilson interval of all judged pairs, an undecided one counted as wrong for the
    one and as right for the other.
    """
    labels = [
        judgments[pair].label
        for pair in sample
        if pair in judgments and judgments[pair].role == "report"
    ]
    right, undecided = labels.count("1"), labels.count("?")
    decided = len(labels) - undecided
    counts = {"judged": len(labels), "decided": decided}
    if decided == 0:
        return dict(counts)
    return {
        "percent": round(100.0 * right / decided, 4),
        "low": round(100.0 * wilson(right, len(labels))[0], 4),
        "high": round(100.0 * wilson(right + undecided, len(labels))[1], 4),
        **counts,
    }


def _hash(seed: int, pair: PairKey) -> str:
    return hashlib.sha256(f"{seed}\0{pair[0]}\0{pair[1]}".encode()).hexdigest()
