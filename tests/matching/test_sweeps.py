"""Sweeps over weights and thresholds give what one evaluation after the other gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.matching.scoring import cosine_similarity
from pipeline.matching.sweeps import counts_at, highest_by_weights, thresholds, weight_triples


def test_there_are_66_triples_and_100_thresholds() -> None:
    triples = weight_triples()
    assert triples.shape == (66, 3)
    assert triples.sum(axis=1) == pytest.approx(np.ones(66))
    assert len({tuple(row) for row in triples.tolist()}) == 66
    assert thresholds().tolist()[::33] == [0.01, 0.34, 0.67, 1.0]


cosine = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)
rows = st.lists(
    st.tuples(cosine, cosine, cosine, st.integers(0, 3), st.integers(1, 5), st.integers(0, 5)),
    max_size=20,
)


@given(rows, st.sampled_from(["paper", "renormalize"]))
def test_the_highest_similarities_are_those_of_a_plain_loop(given_rows: list, rule: str) -> None:
    values = np.array([row[:3] for row in given_rows], dtype=np.float64).reshape(-1, 3)
    owner, answer, sentence = (
        np.array([row[n] for row in given_rows], dtype=np.int64) for n in (3, 4, 5)
    )
    # A sentence has no cosine of an order that it is too short for.
    values[np.minimum(answer, sentence)[:, None] < [1, 2, 3]] = 0.0
    triples = weight_triples()[::5]
    found = highest_by_weights(values, owner, 4, triples, rule, answer, sentence)
    expected = np.full((len(triples), 4), -1.0)
    for number, triple in enumerate(triples):
        similarity = cosine_similarity(values, triple, rule, answer, sentence)
        for one, value in zip(owner, similarity, strict=True):
            expected[number, one] = max(expected[number, one], value)
    assert np.array_equal(found, expected)


def test_counts_include_what_is_exactly_at_a_threshold() -> None:
    counts = counts_at(np.array([[-1.0, 0.4, 0.39, 1.0], [0.0, 0.0, 0.0, 0.0]]), [0.0, 0.4, 1.0])
    assert counts.tolist() == [[3, 2, 1], [4, 0, 0]]
