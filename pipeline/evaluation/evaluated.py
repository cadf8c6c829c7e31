"""Which files an evaluation is of."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """The files of an evaluation: gold, predictions, and those to compare with."""

    gold: Path
    predictions: Path
    compare: Path | None = None
    strict: bool = False
