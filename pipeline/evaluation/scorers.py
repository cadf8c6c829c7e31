"""Every scorer on judged pairs: cross-validated, fitted on all of them, and what that suggests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.config import Config
from pipeline.evaluation.precision import average_precision, threshold_for_precision
from pipeline.evaluation.tuning import (
    Promise,
    lowest_that_keeps,
    nearest,
    promises,
    scorer_figures,
)
from pipeline.matching.features import FEATURES
from pipeline.matching.model import INPUTS, INPUTS_WITH_ANSWERS, SHORT_ANSWER, LinearModel
from pipeline.matching.scoring import Floats, Ints
from pipeline.matching.sweeps import highest_by_weights, weight_triples
from pipeline.matching.tuning import (
    CrossValidated,
    JudgedColumns,
    cross_validate,
    fit_model,
    learned,
    learned_with_answers,
)

SEED = 1801
IDF_COSINES = [list(FEATURES).index(f"idf_cosine_{order}") for order in (1, 2, 3)]
COSINES = ("cosine", "idf")
WITH_ANSWERS = "learned_with_answers"


def cross_validated(
    judged: JudgedColumns, config: Config, target: float
) -> dict[str, CrossValidated]:
    """Similarities and thresholds of every scorer on pairs that it was not fitted on."""
    choose = _chooser(target)
    found = {}
    for name in COSINES:
        match = config.match.model_copy(update={"scorer": name})
        similarity = judged.highest(judged.columns.active(match))

        def fixed(judged: JudgedColumns, chosen: Ints, same: Floats = similarity) -> Floats:
            return same

        found[name] = cross_validate(judged, fixed, choose, SEED)
    for name in COSINES:
        every_triple = by_weights(judged, name, config)

        def tuned(judged: JudgedColumns, chosen: Ints, every: Floats = every_triple) -> Floats:
            best: Floats = every[_best_triple(every, judged, chosen)]
            return best

        found[f"{name}_tuned"] = cross_validate(judged, tuned, choose, SEED)
    found["learned"] = cross_validate(judged, learned, choose, SEED)
    if judged.columns.features[:, list(FEATURES).index(SHORT_ANSWER)].any():
        found[WITH_ANSWERS] = cross_validate(judged, learned_with_answers, choose, SEED)
    return found


def fitted_models(
    found: Mapping[str, CrossValidated], judged: JudgedColumns, target: float,
    judgments: Sequence[Path],
) -> dict[str, LinearModel]:  # fmt: skip
    """The learned scorer fitted on all pairs, and one that sees short answers where some are known.

    By the name of the file each goes to.
    """
    sources = ", ".join(path.name for path in judgments)
    kinds = {"model.json": ("learned", INPUTS)}
    if WITH_ANSWERS in found:
        kinds["model-answers.json"] = (WITH_ANSWERS, INPUTS_WITH_ANSWERS)
    return {
        file: fit_model(
            judged,
            np.arange(len(judged)),
            threshold=_threshold(found[scorer], judged, target),
            trained_on=f"{len(judged)} judged pairs of {sources}",
            names=names,
        )
        for file, (scorer, names) in kinds.items()
    }


def by_weights(judged: JudgedColumns, name: str, config: Config) -> Floats:
    """Each pair's similarity under each triple of weights; shape (triples, pairs)."""
    columns = judged.columns
    cosines = (
        columns.cosines if name == "cosine" else columns.features[:, IDF_COSINES].astype(np.float64)
    )
    return highest_by_weights(
        cosines, columns.question, len(judged), weight_triples(), config.match.short_sentences,
        columns.answer_tokens, columns.sentence_tokens,
    )  # fmt: skip


def _best_triple(every: Floats, judged: JudgedColumns, chosen: Ints) -> int:
    """The triple of highest average precision on the chosen pairs, the first of equals."""
    labels, weights = judged.labels[chosen], judged.weights[chosen]
    return int(np.argmax([average_precision(labels, row[chosen], weights) for row in every]))


def _threshold(found: CrossValidated, judged: JudgedColumns, target: float) -> float | None:
    """The threshold of that precision, to three decimals; None where no threshold reaches it."""
    value = threshold_for_precision(judged.labels, found.similarity, judged.weights, target)
    return math.ceil(value * 1000) / 1000 if math.isfinite(value) else None


def figures_by_file(
    rows: Sequence[Mapping[str, Any]],
    judged: JudgedColumns,
    found: Mapping[str, CrossValidated],
    target: float,
) -> dict[str, dict[str, Any]]:
    """The weighted figures on the pairs of each file, of the same fits: does one setting hold?"""
    files_of = np.array([Path(row["file"]).name for row in rows])
    figures: dict[str, dict[str, Any]] = {}
    for name in sorted(set(files_of.tolist())):
        here = np.flatnonzero(files_of == name)
        if not 0 < judged.labels[here].sum() < len(here):
            continue
        parts = {
            scorer: CrossValidated(validated.similarity[here], validated.thresholds[here])
            for scorer, validated in found.items()
        }
        figures[name] = {
            scorer: scorer_figures(
                judged.labels[here], part, parts["idf"], judged.groups[here], judged.weights[here],
                SEED, target,
            ).as_json()
            for scorer, part in parts.items()
        }  # fmt: skip
    return figures


def suggestion(
    best: str, found: Mapping[str, CrossValidated], judged: JudgedColumns, config: Config,
    out: Path, target: float,
) -> dict[str, object]:  # fmt: skip
    """The match section's keys that tuning decides; no threshold where none reaches the target."""
    scorer = best.removesuffix("_tuned")
    suggested: dict[str, object] = {"scorer": scorer}
    if scorer == "learned":
        suggested["model"] = str(out / "model.json")
    elif best.endswith("_tuned"):
        every = by_weights(judged, scorer, config)
        chosen = _best_triple(every, judged, np.arange(len(judged)))
        suggested["weights"] = weight_triples()[chosen].tolist()
    else:
        suggested["weights"] = list(config.match.weights)
    threshold = _threshold(found[best], judged, target)
    if threshold is not None:
        suggested["threshold"] = threshold
    return suggested


def promised(found: CrossValidated, judged: JudgedColumns, target: float) -> dict[str, Any]:
    """The lowest threshold whose lower bound keeps the target, else the one that comes nearest."""
    every = promises(judged.labels, found.similarity, judged.groups, judged.weights, target)
    kept = lowest_that_keeps(every, target)
    near: Promise | None = kept or nearest(every)
    return {
        "target": target,
        "kept": kept is not None,
        "at": near.as_json() if near is not None else None,
    }


def weightings(judged: JudgedColumns) -> dict[str, Floats]:
    """The pairs' weights in their collection, and one for each."""
    return {"weighted": judged.weights, "unweighted": np.ones(len(judged))}


def _chooser(target: float) -> Any:
    def choose(labels: Ints, similarity: Floats, weights: Floats) -> float:
        return threshold_for_precision(labels, similarity, weights, target)

    return choose
