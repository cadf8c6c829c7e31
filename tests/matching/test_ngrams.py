"""Cosines of n-gram counts, against scikit-learn's."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from pipeline.matching.ngrams import ORDERS, cosines, ngrams, profile_of
from pipeline.matching.tokens import tokenize
from tests import strategies


def oracle(one: list[str], other: list[str], order: int) -> float:
    """scikit-learn's cosine of the same n-grams; 0 when either text has none."""
    if len(one) < order or len(other) < order:
        return 0.0
    counts = CountVectorizer(analyzer=runs_of(order)).fit_transform([one, other])
    return float(cosine_similarity(counts)[0, 1])


def runs_of(order: int) -> Callable[[list[str]], list[tuple[str, ...]]]:
    return lambda tokens: [tuple(tokens[n : n + order]) for n in range(len(tokens) - order + 1)]


@pytest.mark.parametrize(
    ("order", "expected"),
    [(1, ["a", "b", "a"]), (2, ["a b", "b a"]), (3, ["a b a"])],
)
def test_ngrams_are_all_runs_of_tokens_with_repetitions(order: int, expected: list) -> None:
    assert list(ngrams(["a", "b", "a"], order)) == expected
    assert list(ngrams(["a"], 2)) == []


def test_a_cosine_worked_out_by_hand() -> None:
    one, other = profile_of(["a", "a", "b"]), profile_of(["a", "b", "b", "c"])
    first, second, third = cosines(one, other)
    assert first == pytest.approx((2 * 1 + 1 * 2) / math.sqrt((4 + 1) * (1 + 4 + 1)))
    assert second == pytest.approx(1 / math.sqrt(2 * 3))
    assert third == 0.0


@given(strategies.token_lists, strategies.token_lists)
def test_every_cosine_equals_scikit_learns(one: list[str], other: list[str]) -> None:
    found = cosines(profile_of(one), profile_of(other))
    assert found == pytest.approx([oracle(one, other, order) for order in ORDERS], abs=1e-6)


@given(strategies.token_lists, strategies.token_lists)
def test_cosines_are_symmetric_and_between_0_and_1(one: list[str], other: list[str]) -> None:
    found = cosines(profile_of(one), profile_of(other))
    assert found == cosines(profile_of(other), profile_of(one))
    assert all(0.0 <= value <= 1.0 for value in found)


@given(strategies.token_lists)
def test_equal_sentences_have_exactly_1_for_each_order_that_they_have(tokens: list[str]) -> None:
    expected = tuple(1.0 if len(tokens) >= order else 0.0 for order in ORDERS)
    assert cosines(profile_of(tokens), profile_of(list(tokens))) == expected


@pytest.mark.real
def test_cosines_of_real_sentences_equal_scikit_learns(real_data: Path) -> None:
    rows = json.loads((real_data / "qa" / "selqa-ass-dev.json").read_text(encoding="utf-8"))
    answers = [tokenize(row["candidates"][row["answers"][0]]) for row in rows if row["answers"]]
    candidates = [tokenize(sentence) for row in rows[:200] for sentence in row["candidates"]]
    answers, candidates = answers[:300], candidates[:1000]
    profiles = [[profile_of(tokens) for tokens in group] for group in (answers, candidates)]
    found = np.array([[cosines(one, other) for other in profiles[1]] for one in profiles[0]])
    for order in ORDERS:
        vectorizer = CountVectorizer(analyzer=runs_of(order)).fit([*answers, *candidates])
        expected = cosine_similarity(
            vectorizer.transform(answers), vectorizer.transform(candidates)
        )
        assert np.abs(found[:, :, order - 1] - expected).max() < 1e-6
