"""Folds that tell nothing apart that belongs together, and fits that see only what they may."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.matching.best import columns_of
from pipeline.matching.features import FEATURES
from pipeline.matching.scoring import Floats, Ints
from pipeline.matching.tuning import (
    FOLDS,
    JudgedColumns,
    connected_groups,
    cross_validate,
    fit_model,
    fold_numbers,
    learned,
)
from pipeline.records import Score, arrow_schema
from tests.fakes import score


def judged(pairs: int = 60, seed: int = 3) -> JudgedColumns:
    """Pairs of two windows each; right ones have higher features in their better window."""
    random = np.random.default_rng(seed)
    labels = np.arange(pairs) % 2
    rows = []
    for n in range(pairs):
        for window in (0, 1):
            level = labels[n] * (1 - window) + random.normal(0, 0.3)
            rows.append(
                score(f"{n:09d}", f"{n:09d}", sentence_index=window, title_match=False,
                      **{name: level + random.normal(0, 0.3) for name in FEATURES})
            )  # fmt: skip
    columns = columns_of(pa.Table.from_pylist(rows, schema=arrow_schema(Score)))
    return JudgedColumns(columns, labels, np.ones(pairs), np.arange(pairs) // 2)


def test_groups_are_the_components_of_shared_keys() -> None:
    keys = [["a"], ["b"], ["a", "c"], ["d"], ["c", "b"], []]
    assert connected_groups(keys).tolist() == [0, 0, 0, 1, 0, 2]


@given(st.lists(st.lists(st.integers(0, 8), max_size=3), max_size=20), st.integers(0, 5))
def test_items_that_share_a_key_are_in_one_group_and_one_fold(keys: list, seed: int) -> None:
    groups = connected_groups(keys)
    folds = fold_numbers(groups, 4, seed)
    for one, keys_of_one in enumerate(keys):
        for other, keys_of_other in enumerate(keys):
            if set(keys_of_one) & set(keys_of_other):
                assert groups[one] == groups[other]
            if groups[one] == groups[other]:
                assert folds[one] == folds[other]


def test_folds_are_about_equally_large() -> None:
    folds = fold_numbers(np.repeat(np.arange(40), 3), 10, seed=1)
    assert set(np.bincount(folds).tolist()) == {12}


def test_a_fit_tells_right_pairs_from_wrong_ones_by_their_better_window() -> None:
    pairs = judged()
    model = fit_model(pairs, np.arange(len(pairs)), trained_on="these")
    assert model.trained_on == "these"
    highest = pairs.highest(model.probability(pairs.inputs()))
    assert np.median(highest[pairs.labels == 1]) > 0.8
    assert np.median(highest[pairs.labels == 0]) < 0.2


def test_a_fit_on_right_pairs_alone_holds_everything_to_be_right() -> None:
    pairs = judged()
    model = fit_model(pairs, np.flatnonzero(pairs.labels == 1))
    assert (model.probability(pairs.inputs()) > 0.9).all()


def test_every_pair_is_scored_by_a_fit_that_never_saw_its_group() -> None:
    pairs = judged()
    seen: list[set[int]] = []

    def spy(given: JudgedColumns, chosen: Ints) -> Floats:
        seen.append(set(given.groups[chosen].tolist()))
        return given.groups.astype(np.float64)

    def choose(labels: Ints, similarity: Floats, weights: Floats) -> float:
        return float(len(labels))

    found = cross_validate(pairs, spy, choose, seed=1)
    assert found.similarity.tolist() == pairs.groups.tolist()
    assert (found.thresholds < len(pairs)).all()
    outer = [groups for groups in seen if len(groups) >= 27]
    assert len(outer) == FOLDS
    for groups in outer:
        assert len(groups) < 30


def test_cross_validation_of_noise_finds_nothing() -> None:
    pairs = judged()
    noise = JudgedColumns(
        pairs.columns, np.random.default_rng(5).permutation(pairs.labels), pairs.weights,
        np.arange(len(pairs)),
    )  # fmt: skip
    found = cross_validate(noise, learned, lambda *_: 0.5, seed=1)
    right = found.similarity[noise.labels == 1].mean()
    assert right - found.similarity[noise.labels == 0].mean() == pytest.approx(0, abs=0.15)
