"""Wilson's interval, against known values and SciPy's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from pipeline.evaluation.intervals import wilson


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilsons_interval_equals_scipys(case: tuple[int, int]) -> None:
    successes, trials = case
    expected = binomtest(successes, trials).proportion_ci(0.95, method="wilson")
    assert wilson(successes, trials) == pytest.approx((expected.low, expected.high), abs=1e-9)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (47, 50, 0.8378, 0.9794), (1, 2, 0.0945, 0.9055)],
)
def test_wilsons_interval_has_its_known_values(
    successes: int, trials: int, low: float, high: float
) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=1e-4)


def test_nothing_is_known_without_trials() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
