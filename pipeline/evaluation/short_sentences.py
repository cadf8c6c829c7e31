"""Answer sentences of a few words, which match almost anywhere: counted apart from the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.config import Match
from pipeline.evaluation.summary import percent, threshold_key
from pipeline.matching.best import ScoreColumns, answer_keys, best_windows, reference_rows
from pipeline.matching.scoring import SHORT_TOKENS, Bools, Floats


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """One entry per answer sentence of a corpus.

    ``active`` and ``reference`` are the highest similarities within depth, -1 where there is no
    candidate; ``short`` says whether it has ``SHORT_TOKENS`` tokens or fewer.
    """

    split: tuple[str, ...]
    short: Bools
    active: Floats
    reference: Floats

    def summary(
        self, split: str | None, match: Match, thresholds: Sequence[float]
    ) -> dict[str, Any]:
        """Coverage by answer sentence, of the short ones and of the longer ones; None: all splits.

        Both divide by the answer sentences of their kind, ``sentences``.
        """
        within = np.array([split in (None, name) for name in self.split], dtype=bool)
        return {
            "short": self._coverage(within & self.short, match, thresholds),
            "longer": self._coverage(within & ~self.short, match, thresholds),
        }

    def _coverage(self, chosen: Bools, match: Match, thresholds: Sequence[float]) -> dict[str, Any]:
        count = int(chosen.sum())
        mapped = int((self.active[chosen] >= match.threshold).sum())
        found = {"sentences": count, "mapped": mapped, "coverage_percent": percent(mapped, count)}
        for theta in thresholds:
            plain = int((self.reference[chosen] >= theta).sum())
            found[f"reference_{threshold_key(theta)}_percent"] = percent(plain, count)
        return found


def answer_figures(columns: ScoreColumns, splits: Mapping[str, str], match: Match) -> AnswerFigures:
    """Figures of all answer sentences of a corpus; ``splits`` gives each question's split."""
    keys, count = answer_keys(columns)
    first = np.zeros(count, dtype=np.int64)  # a row of each answer sentence
    first[keys] = np.arange(len(columns))
    active, reference = columns.active(match), columns.reference()
    within = best_windows(columns, active, match.depth)
    within = within[columns.passage[within] >= 0]
    highest = {}
    for name, similarity, rows in (
        ("active", active, within), ("reference", reference, reference_rows(columns)),
    ):  # fmt: skip
        highest[name] = np.full(count, -1.0)
        np.maximum.at(highest[name], keys[rows], similarity[rows])
    return AnswerFigures(
        split=tuple(splits[columns.question_ids[n]] for n in columns.question[first].tolist()),
        short=columns.answer_tokens[first] <= SHORT_TOKENS,
        **highest,
    )
