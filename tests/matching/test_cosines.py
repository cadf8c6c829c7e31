"""Cosines of n-gram counts, against scikit-learn's."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from pipeline.matching.cosines import ORDERS, cosines, pair_cosines
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


def test_a_cosine_worked_out_by_hand() -> None:
    first, second, third = cosines(["a", "a", "b"], ["a", "b", "b", "c"])
    assert first == pytest.approx((2 * 1 + 1 * 2) / math.sqrt((4 + 1) * (1 + 4 + 1)))
    assert second == pytest.approx(1 / math.sqrt(2 * 3))
    assert third == 0.0


@given(strategies.token_lists, strategies.token_lists)
def test_every_cosine_equals_scikit_learns(one: list[str], other: list[str]) -> None:
    found = cosines(one, other)
    assert found == pytest.approx([oracle(one, other, order) for order in ORDERS], abs=1e-6)


@given(strategies.token_lists, strategies.token_lists)
def test_cosines_are_symmetric_and_between_0_and_1(one: list[str], other: list[str]) -> None:
    found = cosines(one, other)
    assert found == cosines(other, one)
    assert all(0.0 <= value <= 1.0 for value in found)


@given(strategies.token_lists)
def test_equal_sentences_have_exactly_1_for_each_order_that_they_have(tokens: list[str]) -> None:
    expected = tuple(1.0 if len(tokens) >= order else 0.0 for order in ORDERS)
    assert cosines(tokens, list(tokens)) == expected


@given(st.lists(strategies.token_lists, min_size=1, max_size=6), st.data())
def test_pairs_compared_together_have_the_cosines_of_each_alone(
    texts: list[list[str]], data: st.DataObject
) -> None:
    positions = st.lists(st.integers(0, len(texts) - 1), min_size=1, max_size=12)
    one = data.draw(positions)
    other = data.draw(st.lists(st.sampled_from(range(len(texts))), min_size=len(one),
                               max_size=len(one)))  # fmt: skip
    found = pair_cosines(texts, np.array(one), np.array(other))
    assert found.shape == (len(one), 3)
    for row, first, second in zip(found, one, other, strict=True):
        assert tuple(row) == cosines(texts[first], texts[second])


def test_no_pairs_and_no_texts_have_no_cosines() -> None:
    nothing = np.array([], dtype=np.int64)
    assert pair_cosines([], nothing, nothing).shape == (0, 3)
    assert pair_cosines([["a"]], nothing, nothing).shape == (0, 3)
    assert cosines([], []) == (0.0, 0.0, 0.0)


@pytest.mark.real
def test_cosines_of_real_sentences_equal_scikit_learns(real_data: Path) -> None:
    rows = json.loads((real_data / "qa" / "selqa-ass-dev.json").read_text(encoding="utf-8"))
    answers = [tokenize(row["candidates"][row["answers"][0]]) for row in rows if row["answers"]]
    candidates = [tokenize(sentence) for row in rows[:200] for sentence in row["candidates"]]
    answers, candidates = answers[:300], candidates[:1000]
    pairs = np.meshgrid(np.arange(len(answers)), len(answers) + np.arange(len(candidates)))
    one, other = (side.T.reshape(-1) for side in pairs)
    found = pair_cosines([*answers, *candidates], one, other)
    found = found.reshape(len(answers), len(candidates), 3)
    for order in ORDERS:
        vectorizer = CountVectorizer(analyzer=runs_of(order)).fit([*answers, *candidates])
        expected = cosine_similarity(
            vectorizer.transform(answers), vectorizer.transform(candidates)
        )
        assert np.abs(found[:, :, order - 1] - expected).max() < 1e-6
