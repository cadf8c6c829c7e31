"""Precision, recall and average precision of weighted pairs, against scikit-learn's."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from pipeline.evaluation.precision import (
    average_precision,
    bootstrap_average_precision,
    bootstrap_recall_at,
    bootstrap_weights,
    effective_count,
    interval,
    recall_at_precision,
    threshold_for_precision,
)

LABELS = np.array([1, 1, 0, 1, 0, 0])
SIMILARITY = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4])
ONES = np.ones(6)

pairs = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.floats(0.1, 10)),
    min_size=1,
    max_size=15,
)


@given(pairs)
def test_average_precision_is_that_of_scikit_learn(rows: list) -> None:
    labels, similarity, weights = (np.array(column) for column in zip(*rows, strict=True))
    found = average_precision(labels, similarity, weights)
    if labels.any():
        expected = average_precision_score(labels, similarity, sample_weight=weights)
        assert found == pytest.approx(expected)
    else:
        assert found == 0.0


def test_recall_at_a_precision_takes_the_best_threshold_that_reaches_it() -> None:
    assert recall_at_precision(LABELS, SIMILARITY, ONES, 1.0) == pytest.approx(2 / 3)
    assert recall_at_precision(LABELS, SIMILARITY, ONES, 0.75) == 1.0
    assert recall_at_precision(1 - LABELS, SIMILARITY, ONES, 0.9) == 0.0


def test_pairs_of_equal_similarity_are_taken_together() -> None:
    same = np.full(6, 0.5)
    assert recall_at_precision(LABELS, same, ONES, 0.6) == 0.0
    assert recall_at_precision(LABELS, same, ONES, 0.5) == 1.0


def test_the_threshold_lies_half_way_to_the_next_pair_below() -> None:
    assert threshold_for_precision(LABELS, SIMILARITY, ONES, 1.0) == pytest.approx(0.75)
    assert threshold_for_precision(LABELS, SIMILARITY, ONES, 0.1) == pytest.approx(0.2)


def test_where_no_threshold_reaches_the_precision_it_lies_above_all_pairs() -> None:
    assert threshold_for_precision(1 - LABELS, SIMILARITY, ONES, 0.9) == math.inf
    highest = np.array([1.0, 0.5])
    assert threshold_for_precision(np.array([0, 1]), highest, np.ones(2), 0.94) == math.inf


@given(pairs, st.floats(0.05, 0.99))
def test_the_pairs_at_or_over_the_threshold_have_the_precision(rows: list, target: float) -> None:
    labels, similarity, weights = (np.array(column) for column in zip(*rows, strict=True))
    taken = similarity >= threshold_for_precision(labels, similarity, weights, target)
    assert weights[taken] @ labels[taken] >= target * weights[taken].sum() - 1e-9


def test_weights_decide_precision() -> None:
    heavy = np.array([1, 1, 9.0, 1, 1, 1])
    assert recall_at_precision(LABELS, SIMILARITY, heavy, 0.75) == pytest.approx(2 / 3)


def test_a_bootstrap_sample_takes_whole_groups_or_leaves_them() -> None:
    groups = np.array([3, 3, 5, 7])
    samples = bootstrap_weights(groups, np.array([1.0, 2.0, 1.0, 1.0]), 50, seed=1)
    assert (samples[:, 1] == 2 * samples[:, 0]).all()
    assert ((samples[:, 0] + samples[:, 2] + samples[:, 3]) == 3).all()


def test_the_figures_of_bootstrap_samples_are_those_of_each_sample_alone() -> None:
    samples = bootstrap_weights(np.arange(6), ONES, 20, seed=1)
    for found, one in (
        (bootstrap_average_precision(LABELS, SIMILARITY, samples), average_precision),
        (
            bootstrap_recall_at(LABELS, SIMILARITY, samples, 0.8),
            lambda *arguments: recall_at_precision(*arguments, 0.8),
        ),
    ):
        assert found.tolist() == [one(LABELS, SIMILARITY, weights) for weights in samples]


def test_an_interval_holds_95_of_100_samples() -> None:
    found = interval(0.5, np.linspace(0, 1, 101))
    assert (found.value, found.low, found.high) == pytest.approx((0.5, 0.025, 0.975))


def test_pairs_of_one_group_and_uneven_weights_tell_less() -> None:
    assert effective_count(np.arange(8), np.ones(8)) == pytest.approx(8)
    assert effective_count(np.zeros(8, dtype=int), np.ones(8)) == pytest.approx(1)
    assert effective_count(np.arange(2), np.array([9.0, 1.0])) == pytest.approx(100 / 82)
    assert effective_count(np.array([], dtype=int), np.array([])) == 0.0
