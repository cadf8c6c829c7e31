"""How a learned similarity came about: what each input adds to its log-odds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.matching.features import FEATURES
from pipeline.matching.model import LinearModel
from pipeline.records import Score


def contribution_lines(model: LinearModel, score: Score) -> Iterator[str]:
    """The log-odds of a window's similarity as a sum, the inputs that add or take most first."""
    values = {name: getattr(score, name) or 0.0 for name in FEATURES}
    added = model.contributions(np.array([[*values.values()]]))[0]
    yield (
        f"log-odds {model.intercept + added.sum():+.2f}: {model.intercept:+.2f} of an average "
        "judged pair, and by input:"
    )
    largest_first = sorted(zip(model.inputs, added.tolist(), strict=True), key=_size)
    for name, amount in largest_first:
        yield f"  {amount:+.2f}  {name} {values[name]:.2f}: {FEATURES[name]}"


def _size(entry: tuple[str, float]) -> tuple[float, str]:
    return -abs(entry[1]), entry[0]
