"""What can be said of a silver standard's robustness without any judge."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeline.evaluation.cases import best_rows
from pipeline.evaluation.summary import percent
from pipeline.matching.best import ScoreColumns, highest_by_question
from pipeline.matching.scoring import Floats, Ints

# Scorers that never see a title: only theirs is title agreement evidence and not a consequence.
TITLE_FREE = ("cosine", "idf")


def unjudged_figures(
    columns: ScoreColumns, similarity: Floats, rows: Ints, theta: float, *, titles: bool
) -> dict[str, Any]:
    """Title agreement and decoy rate of a rule at a threshold, each with its denominator.

    ``rows`` are those that count for the rule. ``title_percent``: best passages that are of the
    named article, over mapped questions that name one (``title_named``); left out unless
    ``titles``. ``decoy_percent``: questions still mapped without the named article's passages, over
    answerable questions that name one (``decoy_named``).
    """
    named = np.zeros(len(columns.question_ids), dtype=bool)
    named[columns.question[columns.has_title]] = True
    found: dict[str, Any] = {}
    if titles:
        best = best_rows(columns, similarity, rows)
        mapped = best[(similarity[best] >= theta) & named[columns.question[best]]]
        found["title_percent"] = percent(int(columns.title_match[mapped].sum()), len(mapped))
        found["title_named"] = len(mapped)
    others = rows[~columns.title_match[rows]]
    decoys = highest_by_question(columns, similarity, others) >= theta
    found["decoy_percent"] = percent(int((decoys & named).sum()), int(named.sum()))
    found["decoy_named"] = int(named.sum())
    return found
