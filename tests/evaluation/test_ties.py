"""Ties: the closed form against every order, and trec_eval's order against ir_measures."""

import itertools
import math

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.ties import (
    expected_average_precision,
    expected_reciprocal_rank,
    has_ties,
    ranked_ids,
    tie_groups,
)

scored = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 1)), min_size=1, max_size=6
)
distinct = st.lists(st.floats(-100, 100, width=32), min_size=1, max_size=12, unique=True)


def orders(scores: dict[int, float]) -> list[list[int]]:
    """Every order that the scores allow."""
    groups = tie_groups(scores, "expected")
    every = itertools.product(*(itertools.permutations(group) for group in groups))
    return [list(itertools.chain(*parts)) for parts in every]


def one_by_one(order: list[int]) -> list[list[int]]:
    return [[index] for index in order]


@given(scored)
def test_the_expectation_is_the_mean_over_all_orders_of_the_tied(
    rows: list[tuple[float, int]],
) -> None:
    scores = {n: score for n, (score, _) in enumerate(rows)}
    labels = [label for _, label in rows]
    groups = tie_groups(scores, "expected")
    every = orders(scores)
    for measure in (expected_average_precision, expected_reciprocal_rank):
        mean = math.fsum(measure(one_by_one(order), labels) for order in every) / len(every)
        assert measure(groups, labels) == pytest.approx(mean, abs=1e-12)


@given(distinct, st.data())
def test_distinct_scores_have_one_order_whatever_is_done_with_ties(
    values: list[float], data: st.DataObject
) -> None:
    scores = dict(enumerate(values))
    expected = tie_groups(scores, "expected")
    assert expected == tie_groups(scores, "order") == tie_groups(scores, "trec", "q")
    assert not has_ties(scores)


@given(scored)
def test_trec_ties_are_those_of_trec_eval(rows: list[tuple[float, int]]) -> None:
    # More than ten candidates, so that ids as text are not in the order of their numbers.
    rows = rows * 3
    labels = [label for _, label in rows]
    scores = {n: score for n, (score, _) in enumerate(rows)}
    groups = tie_groups(scores, "trec", "q")
    qrels = {"q": {f"q-c{n}": label for n, label in enumerate(labels)}}
    run = {"q": {f"q-c{n}": score for n, score in scores.items()}}
    theirs = ir_measures.calc_aggregate([ir_measures.AP, ir_measures.RR], qrels, run)
    assert expected_average_precision(groups, labels) == pytest.approx(theirs[ir_measures.AP])
    assert expected_reciprocal_rank(groups, labels) == pytest.approx(theirs[ir_measures.RR])
    names = [f"q-c{group[0]}" for group in groups]
    assert names == ranked_ids(run["q"], trec=True)


def test_candidate_order_puts_the_first_of_the_tied_first() -> None:
    assert tie_groups({0: 1.0, 1: 2.0, 2: 1.0}, "order") == [[1], [0], [2]]
    assert tie_groups({0: 1.0, 1: 2.0, 2: 1.0}, "expected") == [[1], [0, 2]]
    assert tie_groups({2: 1.0, 10: 1.0, 1: 1.0}, "trec", "q") == [[2], [10], [1]]
    assert ranked_ids({"2-0": 1.0, "1-0": 1.0, "3-0": 2.0}) == ["3-0", "1-0", "2-0"]


def test_trec_compares_scores_as_32_bit_floats() -> None:
    close = {0: 1.0, 1: 1.0 + 1e-12}
    assert tie_groups(close, "expected") == [[1], [0]]
    assert tie_groups({1: 1.0, 2: 1.0 + 1e-12, 3: 1e300, 4: 1e200}, "trec", "q") == [
        [4], [3], [2], [1],
    ]  # fmt: skip


def test_all_tied_is_what_chance_gives() -> None:
    # One relevant of two: first or second with equal chance.
    assert expected_average_precision([[0, 1]], [1, 0]) == pytest.approx(0.75)
    assert expected_reciprocal_rank([[0, 1]], [1, 0]) == pytest.approx(0.75)


def test_a_relevant_candidate_outside_the_ranking_was_never_retrieved() -> None:
    assert expected_average_precision([[0]], [1, 1]) == 0.5
    assert expected_average_precision([], [1, 1]) == 0.0
    assert expected_average_precision([[0]], [0, 0]) == 0.0
    assert expected_reciprocal_rank([[0]], [0, 1]) == 0.0
