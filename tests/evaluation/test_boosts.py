"""The search for boosts: what is tried, what is chosen, and that choosing is checked honestly."""

import math

import numpy as np
import pytest

from pipeline.config import BM25
from pipeline.evaluation.boosts import Tried, best_of, cross_validated, grid


def tried(name: str, *ranks: float) -> Tried:
    return Tried(
        boosts={"contents": 1.0, name: 1.0}, bm25=BM25(k1=0.9, b=0.4), ranks=np.array(ranks)
    )


def test_the_grid_holds_every_combination_once_and_starts_with_plain_text() -> None:
    found = grid(["contents", "bigrams", "title"])
    assert found[0] == {"contents": 1.0}
    assert len(found) == 25 == len({tuple(sorted(boosts.items())) for boosts in found})
    assert all(boosts["contents"] == 1.0 and 0.0 not in boosts.values() for boosts in found)


def test_reciprocal_rank_counts_a_miss_as_nothing() -> None:
    assert tried("a", 1, 2, math.inf).reciprocal_rank() == pytest.approx((1 + 0.5) / 3)
    assert tried("a", 1, 2, math.inf).success(1) == pytest.approx(100 / 3)


def test_of_equals_the_first_is_chosen() -> None:
    first, second = tried("a", 1, 2), tried("b", 2, 1)
    assert best_of([first, second]) is first
    assert best_of([second, first]) is second


def test_a_question_is_ranked_by_boosts_that_were_chosen_without_its_group() -> None:
    # Each choice is perfect on one group and bad on the other, so each fold gets the bad one.
    one = tried("a", 1, 1, 20, 20)
    other = tried("b", 20, 20, 1, 1)
    found = cross_validated([one, other], ["x", "x", "y", "y"], folds=2)
    assert found.tolist() == [20, 20, 20, 20]


def test_choices_that_generalise_keep_their_ranks() -> None:
    good, bad = tried("a", 1, 2, 3, 1), tried("b", 9, 9, 9, 9)
    assert cross_validated([bad, good], list("wxyz"), folds=4).tolist() == [1, 2, 3, 1]
