"""The learned scorer's file: reviewed numbers, read strictly."""

import json
from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import InputError
from pipeline.matching.features import FEATURES
from pipeline.matching.model import (
    INPUTS,
    INPUTS_WITH_ANSWERS,
    LinearModel,
    load_model,
    model_from_json,
    sees_short_answers,
)
from tests.fakes import config


def model(**changed: object) -> LinearModel:
    values = {
        "means": (0.5,) * len(INPUTS),
        "scales": (2.0,) * len(INPUTS),
        "coefficients": (0.25,) * len(INPUTS),
        "intercept": -1.0,
        "threshold": 0.5,
        "trained_on": "nothing",
    }
    return LinearModel(**(values | changed))


def test_the_probability_is_that_of_the_formula() -> None:
    columns = np.random.default_rng(1).random((5, len(INPUTS)))
    log_odds = -1.0 + ((columns - 0.5) / 2.0 * 0.25).sum(axis=1)
    assert model().probability(columns) == pytest.approx(1 / (1 + np.exp(-log_odds)))


def test_the_probability_stays_in_range_however_far_the_inputs_lie_out() -> None:
    columns = np.array([[-1e9], [0.0], [1e9]]) * np.ones(len(INPUTS))
    found = model().probability(columns)
    assert found[0] == 0.0
    assert found[2] == 1.0
    assert 0 < found[1] < 1


def test_a_model_sees_its_inputs_among_the_features() -> None:
    features = np.random.default_rng(2).random((5, len(FEATURES)))
    columns = features[:, [list(FEATURES).index(name) for name in INPUTS]]
    assert np.array_equal(model().similarity(features), model().probability(columns))


def test_a_model_survives_its_file() -> None:
    for given in (model(), load_model("answers")):
        assert model_from_json(json.loads(json.dumps(given.as_json())), "here") == given


def test_the_packages_model_reads_as_a_person_would_expect() -> None:
    default = load_model("default")
    weights = dict(zip(INPUTS, default.coefficients, strict=True))
    for name in ("answer_in_passage", "stems_in_context", "topic_in_passage", "title_in_opening"):
        assert weights[name] > 0
    for name in ("numbers_missing", "numbers_extra"):
        assert weights[name] < 0
    assert "judged pairs" in default.trained_on
    assert 0 < default.threshold < 1


def test_short_answers_are_seen_by_the_model_of_that_name_alone() -> None:
    assert "short_answer" not in load_model("default").inputs
    answers = load_model("answers")
    assert answers.inputs == INPUTS_WITH_ANSWERS
    assert answers.coefficients[-1] > 0
    seen = {
        name: sees_short_answers(config(f"match.model={name}", "match.scorer=learned").match)
        for name in ("default", "answers")
    }
    assert seen == {"default": False, "answers": True}
    assert not sees_short_answers(config("match.model=answers").match)


def test_what_the_inputs_add_is_the_log_odds_of_the_similarity() -> None:
    features = np.random.default_rng(3).random((5, len(FEATURES)))
    for name in ("default", "answers"):
        given = load_model(name)
        added = given.contributions(features)
        assert added.shape == (5, len(given.inputs))
        log_odds = given.intercept + added.sum(axis=1)
        assert given.similarity(features) == pytest.approx(1 / (1 + np.exp(-log_odds)))


def _without(key: str) -> dict:
    return {name: value for name, value in model().as_json().items() if name != key}


def _with_input(**changed: float) -> dict:
    value = model().as_json()
    return value | {"inputs": [value["inputs"][0] | changed, *value["inputs"][1:]]}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (_without("intercept"), "no model of silver tune match"),
        (model().as_json() | {"schema": 99}, "schema 99"),
        (model().as_json() | {"inputs": model().as_json()["inputs"][1:]}, "answer_in_passage"),
        (model().as_json() | {"inputs": model().as_json()["inputs"][::-1]}, "order differs"),
        (model(scales=(0.0,) * len(INPUTS)).as_json(), "scales above 0"),
        (model(intercept=float("nan")).as_json(), "finite"),
        (model().as_json() | {"inputs": 3}, "no model"),
        (model().as_json() | {"intercept": 10**400}, "no model"),
        (model().as_json() | {"threshold": float("inf")}, "finite"),
        (model().as_json() | {"trained_on": "\ud800"}, "surrogate"),
        (_with_input(scale=1e-320), "scales above 0"),
        (_with_input(coefficient=1e308), "finite, none beyond 1e"),
        (_with_input(mean=-1e308), "finite, none beyond 1e"),
    ],
)
def test_a_model_of_another_kind_is_refused(value: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        model_from_json(value, "mine.json")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read"),
        ("{", "not JSON"),
        ("[]", "no JSON object"),
        ('{"a":' * 100_000, "not JSON"),
        ('{"schema": ' + "9" * 5000 + "}", "not JSON"),
    ],
)
def test_a_file_that_is_no_model_is_refused(
    tmp_path: Path, content: str | None, message: str
) -> None:
    path = tmp_path / "mine.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        load_model(str(path))


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(InputError, match=r"match\.model: 'a\\x00\.json' cannot be read"):
        load_model("a\0.json")


def test_an_unknown_name_of_a_model_says_what_is_expected() -> None:
    with pytest.raises(
        InputError, match="no model 'defualt'; expected 'default', 'answers' or a path"
    ):
        load_model("defualt")
