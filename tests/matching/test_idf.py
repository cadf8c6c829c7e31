"""How telling a token is, in collections of any size."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pipeline.matching.idf import RAREST, UNIT, Idf, least_frequency


def weight(passages: int, frequency: int) -> int:
    return int(Idf(passages, {"it": frequency}).weights(["it"])[0])


def test_weights_run_from_the_token_in_every_passage_to_the_one_in_none() -> None:
    assert weight(1_000_000, 1_000_000) == 0
    assert weight(1_000_000, 0) == UNIT
    assert 0 < weight(1_000_000, 10_000) < weight(1_000_000, 1_000) < UNIT


def test_the_same_rate_weighs_the_same_in_a_small_and_a_large_collection() -> None:
    assert abs(weight(10_000, 100) - weight(10_000_000, 100_000)) <= 1


def test_a_token_that_the_collection_lacks_is_a_rare_one() -> None:
    assert Idf(1_000_000, {}).weights(["unheard"]).tolist() == [UNIT]


def test_in_a_small_collection_no_token_weighs_as_much_as_a_rare_one() -> None:
    assert 0 < weight(100, 1) < weight(100, 0) < UNIT


@given(st.integers(1, 10**8), st.data())
def test_weights_fall_with_the_frequency_and_stay_in_range(
    passages: int, data: st.DataObject
) -> None:
    one, other = sorted(data.draw(st.tuples(st.integers(0, passages), st.integers(0, passages))))
    assert UNIT >= weight(passages, one) >= weight(passages, other) >= 0


@given(st.integers(1, 10**8))
def test_a_token_too_rare_to_be_kept_has_the_weight_of_one_that_is_not_there(passages: int) -> None:
    least = least_frequency(passages)
    assert weight(passages, least - 1) == weight(passages, 0)
    assert least <= max(1, passages / RAREST + 1)


def test_no_tokens_have_no_weights() -> None:
    assert np.array_equal(Idf(5, {}).weights([]), np.array([], dtype=np.int64))
