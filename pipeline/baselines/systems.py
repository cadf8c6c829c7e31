"""Scores of every system on every file: what learns, what tunes and what reports stay apart."""

from __future__ import annotations

import numpy as np

from pipeline.baselines.features import SINGLE
from pipeline.baselines.learned import (
    best_strength,
    fit,
    fold_of_questions,
    held_out_scores,
    score,
)
from pipeline.baselines.tasks import GoldFile, Scored, quality, threshold
from pipeline.matching.scoring import Floats, Ints

LEARNED = "learned"
SYSTEMS = (*SINGLE, LEARNED)


def cross_validated(task: str, dev: GoldFile) -> dict[str, Scored]:
    """Every system on one file, each question by what was learnt and tuned on other articles."""
    folds = fold_of_questions(dev.groups)
    values = {name: dev.candidates.single(name) for name in SINGLE}
    values[LEARNED] = np.zeros(len(dev.candidates.columns))
    levels = dev.levels(task)
    at = {name: {level: np.zeros(len(folds)) for level in levels} for name in SYSTEMS}
    for fold in np.unique(folds):
        here, others = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        strength, unseen = held_out_scores(
            dev.candidates, others, dev.groups, lambda v, chosen: quality(task, dev, v, chosen)
        )
        rows = np.isin(dev.candidates.question, here)
        model = fit(dev.candidates, others, strength)
        values[LEARNED][rows] = score(model, dev.candidates)[rows]
        for name in SYSTEMS:
            seen = unseen if name == LEARNED else values[name]
            for level in levels:
                at[name][level][here] = threshold(level, dev, seen, others)
    return {name: Scored(values[name], at[name]) for name in SYSTEMS}


def trained(
    task: str, train: GoldFile, dev: GoldFile, test: GoldFile | None
) -> dict[str, dict[str, Scored]]:
    """Every system learnt on train and tuned on dev; by file, dev and test."""
    every = _all(train)
    models = {}

    def on_dev(strength: float) -> float:
        models[strength] = fit(train.candidates, every, strength)
        return quality(task, dev, score(models[strength], dev.candidates), _all(dev))

    model = models[best_strength(on_dev)]
    files = {"dev": dev} | ({"test": test} if test is not None else {})
    values = {
        name: {n: gold.candidates.single(n) for n in SINGLE}
        | {LEARNED: score(model, gold.candidates)}
        for name, gold in files.items()
    }
    return _at_thresholds_of(task, dev, values["dev"], files, values)


def fitted_on_dev(task: str, dev: GoldFile, test: GoldFile) -> dict[str, dict[str, Scored]]:
    """Without train: dev cross-validated, and test by what was learnt and tuned on all of dev."""
    strength, unseen = held_out_scores(
        dev.candidates, _all(dev), dev.groups, lambda v, chosen: quality(task, dev, v, chosen)
    )
    model = fit(dev.candidates, _all(dev), strength)
    tuned_on = {name: dev.candidates.single(name) for name in SINGLE} | {LEARNED: unseen}
    values = {name: test.candidates.single(name) for name in SINGLE}
    values[LEARNED] = score(model, test.candidates)
    found = _at_thresholds_of(task, dev, tuned_on, {"test": test}, {"test": values})
    return {"dev": cross_validated(task, dev), **found}


def _at_thresholds_of(
    task: str, dev: GoldFile, tuned_on: dict[str, Floats], files: dict[str, GoldFile],
    values: dict[str, dict[str, Floats]],
) -> dict[str, dict[str, Scored]]:  # fmt: skip
    levels = dev.levels(task)
    at = {
        name: {level: threshold(level, dev, tuned_on[name], _all(dev)) for level in levels}
        for name in SYSTEMS
    }
    return {
        split: {
            name: Scored(
                values[split][name],
                {level: np.full(len(gold.questions), at[name][level]) for level in levels},
            )
            for name in SYSTEMS
        }
        for split, gold in files.items()
    }


def _all(gold: GoldFile) -> Ints:
    return np.arange(len(gold.questions))
