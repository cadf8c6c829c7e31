"""Sums over pairs of texts against the same sums made one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.matching.counts import count_ngrams, pair_sums, texts_of

# More texts than are laid out at once.
TEXTS = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6), min_size=1, max_size=150)


@pytest.mark.parametrize("order", [1, 2, 3])
@given(texts=TEXTS, seed=st.integers(0, 9))
def test_sums_over_many_pairs_are_those_of_each_pair(
    order: int, texts: list[list[str]], seed: int
) -> None:
    one, other = np.random.default_rng(seed).integers(0, len(texts), (2, 300))
    counts = count_ngrams(texts_of(texts), order)
    dense = counts.matrix.toarray()
    products, alone = pair_sums(
        counts.matrix, counts.matrix, one, other, 2,
        lambda here, there, _: [here * there, (here == 0) * there],
    )  # fmt: skip
    assert np.array_equal(products, (dense[one] * dense[other]).sum(axis=1))
    assert np.array_equal(alone, (dense[other] * (dense[one] == 0)).sum(axis=1))


def test_equal_ngrams_and_no_others_have_one_column() -> None:
    counts = count_ngrams(texts_of([["a", "b", "a", "b"], ["b", "a"], ["c"]]), 2)
    assert sorted(counts.matrix.toarray()[0].tolist()) == [1, 2]
    assert counts.matrix.toarray().sum(axis=1).tolist() == [3, 1, 0]
