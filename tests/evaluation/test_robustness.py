"""The judged sample: seeded, stable, and bounded by what is undecided."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.intervals import wilson
from pipeline.evaluation.robustness import JudgedPair, PairKey, draw_sample, robustness

PAIRS = [(f"answer {n}", f"passage {n}") for n in range(200)]


def judged(labels: str, role: str = "report") -> dict[PairKey, JudgedPair]:
    return {
        pair: JudgedPair(key=pair, label=label, role=role)
        for pair, label in zip(PAIRS, labels, strict=False)
    }


def test_a_sample_depends_on_the_seed_and_not_on_the_order_of_the_pairs() -> None:
    sample = draw_sample(PAIRS, 50, 1801)
    assert len(set(sample)) == 50
    assert draw_sample(reversed(PAIRS * 2), 50, 1801) == sample
    assert draw_sample(PAIRS, 50, 1802) != sample


@given(st.sets(st.sampled_from(PAIRS)), st.integers(1, 20))
def test_what_was_drawn_stays_drawn_while_pairs_are_taken_away(
    kept: set[PairKey], size: int
) -> None:
    """A higher threshold keeps fewer pairs: none that it shares must be judged again."""
    whole, some = draw_sample(PAIRS, size, 7), draw_sample(kept, size, 7)
    assert set(whole) & kept <= set(some)


def test_a_sample_of_few_pairs_is_all_of_them() -> None:
    assert sorted(draw_sample(PAIRS[:3], 50, 1)) == sorted(PAIRS[:3])


def test_robustness_leaves_the_undecided_out_and_bounds_them() -> None:
    found = robustness(PAIRS[:50], judged("1" * 8 + "0" + "?"))
    assert (found["judged"], found["decided"]) == (10, 9)
    assert found["percent"] == pytest.approx(100 * 8 / 9, abs=1e-3)
    assert found["low"] == pytest.approx(100 * wilson(8, 10)[0], abs=1e-3)
    assert found["high"] == pytest.approx(100 * wilson(9, 10)[1], abs=1e-3)


def test_what_was_judged_to_tune_is_never_reported() -> None:
    assert robustness(PAIRS, judged("1111", role="tune")) == {"judged": 0, "decided": 0}


def test_without_a_decision_there_is_no_percentage() -> None:
    assert robustness(PAIRS, {}) == {"judged": 0, "decided": 0}
    assert robustness(PAIRS, judged("??")) == {"judged": 2, "decided": 0}
