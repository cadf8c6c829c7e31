"""The learned baseline: a logistic regression over the features of a candidate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeline.baselines.features import Candidates
from pipeline.matching.scoring import Floats, Ints
from pipeline.matching.tuning import fold_numbers

# The inverse strengths of the L2 penalty that tuning chooses among.
STRENGTHS = (0.01, 0.1, 1.0)
FOLDS = 10
_INNER_FOLDS = 5
SEED = 20160820

# Scores of all rows, and a mask of questions; how well the scores do on those questions.
Quality = Callable[[Floats, "Ints"], float]


def fit(candidates: Candidates, questions: Ints, strength: float) -> Any:
    """A scikit-learn pipeline fitted on the rows of these questions; None without both labels."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rows = np.isin(candidates.question, questions)
    labels = candidates.labels[rows]
    if len(set(labels.tolist())) < 2:
        return None
    model = make_pipeline(
        StandardScaler(), LogisticRegression(C=strength, solver="newton-cholesky")
    )
    return model.fit(candidates.columns[rows], labels)


def score(model: Any, candidates: Candidates) -> Floats:
    """The probability of each row to be relevant; 0 from a model that could not be fitted."""
    if model is None or len(candidates.columns) == 0:
        return np.zeros(len(candidates.columns))
    found: Floats = model.predict_proba(candidates.columns)[:, 1]
    return found


def best_strength(quality: Callable[[float], float]) -> float:
    """The strength of the highest quality, the strongest penalty of equals."""
    return max(STRENGTHS, key=lambda strength: (quality(strength), -strength))


def fold_of_questions(groups: Ints) -> Ints:
    """The fold of each question: whole groups, and the same folds for every system."""
    return fold_numbers(groups, FOLDS, SEED)


def held_out_scores(
    candidates: Candidates, questions: Ints, groups: Ints, quality: Quality
) -> tuple[float, Floats]:
    """The best strength on some questions, and their rows' scores from fits without their group.

    ``groups`` are those of all questions. Rows of other questions have the score 0.
    """
    folds = fold_numbers(groups[questions], _INNER_FOLDS, SEED)
    found = {value: _held_out(candidates, questions, folds, value) for value in STRENGTHS}
    strength = best_strength(lambda value: quality(found[value], questions))
    return strength, found[strength]


def _held_out(candidates: Candidates, questions: Ints, folds: Ints, strength: float) -> Floats:
    """Scores of the rows of some questions, each from a fit on the other folds of them."""
    found = np.zeros(len(candidates.columns))
    for fold in np.unique(folds):
        rows = np.isin(candidates.question, questions[folds == fold])
        model = fit(candidates, questions[folds != fold], strength)
        found[rows] = score(model, candidates)[rows]
    return found
