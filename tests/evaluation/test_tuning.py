"""What a threshold promises, and how many more judgments it would take."""

import numpy as np
import pytest

from pipeline.evaluation.intervals import wilson
from pipeline.evaluation.tuning import lowest_that_keeps, nearest, promises, scorer_figures
from pipeline.matching.tuning import CrossValidated


def made(right: int, wrong: int) -> tuple:
    """Right pairs above wrong ones, each a group of its own."""
    labels = np.array([1] * right + [0] * wrong)
    return labels, np.linspace(1, 0, len(labels)), np.arange(len(labels)), np.ones(len(labels))


def test_a_threshold_keeps_its_promise_when_the_lower_bound_does() -> None:
    found = promises(*made(200, 50), 0.94)
    kept = lowest_that_keeps(found, 0.94)
    assert kept is not None
    assert kept.low >= 0.94
    assert kept.more == 0
    assert kept.recall == 1.0
    below = found[found.index(kept) + 1]
    assert below.low < 0.94 <= kept.low
    assert kept.low == pytest.approx(wilson(200, kept.judged)[0])


def test_few_judgments_promise_nothing_and_say_how_many_more_would() -> None:
    found = promises(*made(20, 20), 0.94)
    assert lowest_that_keeps(found, 0.94) is None
    near = nearest(found)
    assert near is not None
    assert (near.precision, near.judged) == (1.0, 20)
    assert wilson(near.judged + near.more, near.judged + near.more)[0] >= 0.94
    assert wilson(near.judged + near.more - 3, near.judged + near.more - 3)[0] < 0.94


def test_where_precision_itself_is_too_low_no_number_of_judgments_helps() -> None:
    labels, similarity, groups, weights = made(20, 20)
    found = promises(1 - labels, similarity, groups, weights, 0.94)
    assert nearest(found) is None
    assert {promise.more for promise in found} == {None}


def test_pairs_of_one_group_promise_less_than_pairs_of_many() -> None:
    labels, similarity, groups, weights = made(100, 10)
    together = promises(labels, similarity, groups // 10, weights, 0.94)
    apart = promises(labels, similarity, groups, weights, 0.94)
    assert max(entry.low for entry in together) < max(entry.low for entry in apart)


def test_a_scorer_has_no_gain_over_itself_and_one_over_a_worse_one() -> None:
    labels, similarity, groups, weights = made(30, 30)
    best = CrossValidated(similarity, np.full(60, 0.5))
    worst = CrossValidated(1 - similarity, np.full(60, 0.5))
    same = scorer_figures(labels, best, best, groups, weights, 1)
    assert same.gain.value == same.gain.low == same.gain.high == 0.0
    better = scorer_figures(labels, best, worst, groups, weights, 1)
    assert better.gain.low > 0
    assert better.average_precision.value == better.recall_at.value == 1.0
    assert better.precision.value == pytest.approx(1.0)
    assert better.as_json()["recall"]["value"] == 1.0
    assert "recall_at_94" in better.as_json()
    asked = scorer_figures(labels, best, worst, groups, weights, 1, target=0.9)
    assert "recall_at_90" in asked.as_json()
