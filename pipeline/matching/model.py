"""The learned scorer: a logistic regression whose coefficients are a reviewed JSON file.

Models that come with the package stand in ``models/``; ``silver tune match`` writes others in the
same form. scikit-learn fits them; here they are only added up.
"""

from __future__ import annotations

import functools
import importlib.resources
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.errors import InputError
from pipeline.files import is_text
from pipeline.matching.features import FEATURES
from pipeline.matching.scoring import Floats

if TYPE_CHECKING:
    from pipeline.config import Match

SHORT_ANSWER = "short_answer"
# What a model sees of a pair: all features but the cosines of the scorer idf, and the corpus's
# short answers only where it is fitted to see them. No title and one whose words the passage lacks
# are the same to it, so that a wrong one costs a right match nothing but the bonus.
INPUTS = tuple(
    name for name in FEATURES if not name.startswith("idf_cosine") and name != SHORT_ANSWER
)
INPUTS_WITH_ANSWERS = (*INPUTS, SHORT_ANSWER)
MODEL_SCHEMA = 2
_DIGITS = 6
_LEAST_SCALE = 1e-9  # beyond it, or its inverse, sums are no numbers any more


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearModel:
    """A logistic regression over ``inputs``, each taken off its mean and divided by its scale.

    ``threshold`` is the similarity at which the model is recommended, None where none reached the
    precision that was asked for; ``trained_on`` says on what.
    """

    means: tuple[float, ...]
    scales: tuple[float, ...]
    coefficients: tuple[float, ...]
    intercept: float
    threshold: float | None
    trained_on: str
    inputs: tuple[str, ...] = INPUTS

    def similarity(self, features: Floats) -> Floats:
        """The similarity of each row, in [0, 1]; ``features`` has the shape (rows, FEATURES)."""
        return self.probability(inputs_of(features, self.inputs))

    def probability(self, columns: Floats) -> Floats:
        """The same of what the model sees; ``columns`` has the shape (rows, inputs)."""
        factors = np.array(self.coefficients) / np.array(self.scales)
        constant = self.intercept - float(np.array(self.means) @ factors)
        found: Floats = 0.5 * (1.0 + np.tanh(0.5 * (columns @ factors + constant)))
        return found

    def contributions(self, features: Floats) -> Floats:
        """What each input adds to the log-odds of an average pair; shape (rows, inputs).

        The log-odds of a row's similarity are ``intercept`` and the sum of its row.
        """
        scaled = (inputs_of(features, self.inputs) - np.array(self.means)) / np.array(self.scales)
        found: Floats = scaled * np.array(self.coefficients)
        return found

    def as_json(self) -> dict[str, Any]:
        """The model as it stands in its file: one entry an input, so that a person can review it.

        ``coefficient`` is the change of the log-odds when the input grows by one ``scale``.
        """
        rows = zip(self.inputs, self.means, self.scales, self.coefficients, strict=True)
        return {
            "schema": MODEL_SCHEMA,
            "trained_on": self.trained_on,
            "threshold": self.threshold,
            "intercept": round(self.intercept, _DIGITS),
            "inputs": [
                {
                    "name": name,
                    "mean": round(mean, _DIGITS),
                    "scale": round(scale, _DIGITS),
                    "coefficient": round(coefficient, _DIGITS),
                }
                for name, mean, scale, coefficient in rows
            ],
        }


def inputs_of(features: Floats, inputs: Sequence[str] = INPUTS) -> Floats:
    """The columns of the features that a model sees; shape (rows, inputs)."""
    columns = [list(FEATURES).index(name) for name in inputs]
    found: Floats = features[:, columns].astype(np.float64)
    return found


def sees_short_answers(match: Match) -> bool:
    """Whether a silver standard of these settings was made by the corpora's short answers, too."""
    return match.scorer == "learned" and SHORT_ANSWER in load_model(match.model).inputs


def model_from_json(value: Mapping[str, Any], source: str) -> LinearModel:
    """A model from its file's content; one of other inputs is refused."""
    try:
        if value["schema"] != MODEL_SCHEMA:
            raise InputError(f"{source}: model schema {value['schema']}; expected {MODEL_SCHEMA}")
        names = tuple(entry["name"] for entry in value["inputs"])
        if names not in (INPUTS, INPUTS_WITH_ANSWERS):
            strange = sorted(set(names) ^ set(INPUTS)) or ["their order"]
            raise InputError(f"{source}: a model of other inputs; {strange[0]} differs")
        means, scales, coefficients = (
            tuple(float(entry[key]) for entry in value["inputs"])
            for key in ("mean", "scale", "coefficient")
        )
        model = LinearModel(
            means=means,
            scales=scales,
            coefficients=coefficients,
            intercept=float(value["intercept"]),
            threshold=None if value["threshold"] is None else float(value["threshold"]),
            trained_on=str(value["trained_on"]),
            inputs=names,
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{source}: no model of silver tune match ({error!r})") from None
    numbers = [*model.means, *model.scales, *model.coefficients, model.intercept]
    if model.threshold is not None:
        numbers.append(model.threshold)
    if not (np.abs(numbers) <= 1 / _LEAST_SCALE).all() or min(model.scales) < _LEAST_SCALE:
        raise InputError(
            f"{source}: numbers must be finite, none beyond {1 / _LEAST_SCALE:g}, and scales above "
            f"0, at least {_LEAST_SCALE:g}"
        )
    if not is_text(model.trained_on):
        raise InputError(f"{source}: trained_on holds half of a surrogate pair")
    return model


@functools.cache
def load_model(name: str) -> LinearModel:
    """A model of the package by its name, or one of your own by the path of its JSON file."""
    if name.endswith(".json"):
        try:
            text = Path(name).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:  # no UTF-8, or a name that no file can have
            raise InputError(f"match.model: {name!r} cannot be read ({error})") from None
    else:
        file = importlib.resources.files("pipeline.matching") / "models" / f"{name}.json"
        if not file.is_file():
            raise InputError(
                f"match.model: no model '{name}'; expected 'default', 'answers' or a path "
                "that ends in .json"
            )
        text = file.read_text(encoding="utf-8")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"match.model: {name} is not JSON") from None
    if not isinstance(value, dict):
        raise InputError(f"match.model: {name} holds no JSON object")
    return model_from_json(value, name)
