"""The weighted sum: the reference's plain one, and the one divided by what is reachable."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.matching.cosines import cosines
from pipeline.matching.scoring import (
    REFERENCE_DEPTH,
    REFERENCE_WEIGHTS,
    cosine_similarity,
    highest_similarity,
)
from pipeline.matching.tokens import tokenize
from tests import strategies
from tests.fakes import config


def similarity(
    one: list[str],
    other: list[str],
    short_sentences: str = "paper",
    weights: tuple[float, ...] = REFERENCE_WEIGHTS,
) -> float:
    """t of two lists of tokens."""
    found = cosine_similarity(
        np.array([cosines(one, other)]),
        weights,
        short_sentences,
        np.array([len(one)]),
        np.array([len(other)]),
    )
    return float(found[0])


def test_the_reference_is_the_published_setting() -> None:
    assert REFERENCE_WEIGHTS == (0.25, 0.35, 0.40)
    assert REFERENCE_DEPTH == 5


def test_a_similarity_worked_out_by_hand() -> None:
    one, other = tokenize("The old bridge fell down"), tokenize("The old bridge stood")
    expected = 0.25 * 3 / np.sqrt(5 * 4) + 0.35 * 2 / np.sqrt(4 * 3) + 0.40 * 1 / np.sqrt(3 * 2)
    assert similarity(one, other) == pytest.approx(expected, abs=1e-12)
    assert similarity(one, other, "renormalize") == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("tokens", "paper", "renormalize"),
    [
        ([], 0.0, 0.0),
        (["yes"], 0.25, 1.0),
        (["in", "1901"], 0.6, 1.0),
        (["born", "in", "1901"], 1.0, 1.0),
        (["a", "a", "a", "a"], 1.0, 1.0),
    ],
)
def test_an_identical_sentence_reaches_all_that_its_length_allows(
    tokens: list[str], paper: float, renormalize: float
) -> None:
    assert similarity(tokens, tokens, "paper") == paper
    assert similarity(tokens, tokens, "renormalize") == renormalize
    for rule, highest in (("paper", paper), ("renormalize", renormalize)):
        match = config(f"match.short_sentences={rule}").match
        assert highest_similarity(len(tokens), match) == highest


def test_renormalizing_looks_at_the_shorter_of_the_two_sentences() -> None:
    pair = (["in", "1901"], ["in", "1901", "the", "bridge", "fell"])
    expected = (0.25 * 2 / np.sqrt(2 * 5) + 0.35 * 1 / np.sqrt(1 * 4)) / 0.6
    assert similarity(*pair, "renormalize") == pytest.approx(expected, abs=1e-12)
    assert similarity(*reversed(pair), "renormalize") == pytest.approx(expected, abs=1e-12)


def test_weights_that_nothing_can_reach_give_0_and_not_an_error() -> None:
    assert similarity(["a", "b"], ["a", "b"], "renormalize", (0.0, 0.0, 1.0)) == 0.0


@given(strategies.token_lists, strategies.token_lists, st.sampled_from(["paper", "renormalize"]))
def test_similarity_is_symmetric_and_between_0_and_1(
    one: list[str], other: list[str], rule: str
) -> None:
    found = similarity(one, other, rule)
    assert 0.0 <= found <= 1.0
    assert found == similarity(other, one, rule)


@given(strategies.token_lists, strategies.token_lists)
def test_renormalizing_changes_nothing_for_sentences_of_three_or_more_tokens(
    one: list[str], other: list[str]
) -> None:
    plain, divided = similarity(one, other), similarity(one, other, "renormalize")
    if min(len(one), len(other)) >= 3:
        assert divided == plain
    else:
        assert divided >= plain


def test_a_shuffled_answer_of_another_topic_matches_nothing() -> None:
    answer = tokenize("The lighthouse of Orvik was lit by gas from 1871 until the war.")
    other = tokenize("Beetles of this genus live under bark and feed on fungi in spring.")
    assert similarity(answer, other) < 0.1
    assert similarity(answer, sorted(answer)) < 0.4 < similarity(answer, answer)
