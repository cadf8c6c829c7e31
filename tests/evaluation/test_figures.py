"""Figures as shares of sums: intervals over groups, slices, paired tests."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.evaluation.figures import (
    Measure,
    Units,
    by_slice,
    compared,
    figures,
    group_numbers,
)
from pipeline.evaluation.intervals import wilson

MEAN = Measure(name="mean", part="value", whole="one", denominator="units")
SHARE = Measure(name="share", part="value", whole="one", denominator="units", scale=100.0,
                binary=True)  # fmt: skip


def units(values: list[float], groups: list[int] | None = None, **slices: list[list[str]]) -> Units:
    return Units(
        ids=tuple(map(str, range(len(values)))),
        amounts={"value": np.array(values, dtype=float), "one": np.ones(len(values))},
        groups=np.array(groups if groups is not None else range(len(values)), dtype=np.int64),
        slices=slices,
    )


@settings(max_examples=20)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_a_mean_lies_in_its_interval(values: list[float]) -> None:
    found = figures(units(values), [MEAN])["mean"]
    assert found.value == pytest.approx(np.mean(values))
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


def test_the_same_units_have_the_same_interval_every_time() -> None:
    values = [0.0, 0.3, 1.0, 0.2]
    assert figures(units(values), [MEAN]) == figures(units(values), [MEAN])


def test_a_share_of_units_that_stand_alone_has_wilsons_interval() -> None:
    found = figures(units([1, 0, 1, 1]), [SHARE])["share"]
    low, high = wilson(3, 4)
    assert (found.value, found.low, found.high) == (75.0, 100 * low, 100 * high)


def test_units_of_one_group_are_drawn_together() -> None:
    alone = figures(units([1, 1, 1, 0, 0, 0]), [MEAN])["mean"]
    grouped = figures(units([1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]), [MEAN])["mean"]
    assert (grouped.low, grouped.high) == (0.0, 1.0)
    assert alone.low > 0.0
    assert figures(units([1, 0], [0, 0]), [SHARE])["share"].low == 50.0


def test_the_interval_is_about_as_wide_as_theory_says() -> None:
    values = np.random.default_rng(1).normal(size=400).tolist()
    found = figures(units(values), [MEAN])["mean"]
    expected = 2 * 1.96 * np.std(values) / np.sqrt(400)
    assert found.high - found.low == pytest.approx(expected, rel=0.1)


def test_without_units_everything_is_0() -> None:
    found = figures(units([]), [MEAN, SHARE])
    assert {(f.value, f.low, f.high) for f in found.values()} == {(0.0, 0.0, 0.0)}
    assert by_slice(units([], topic=[]), [MEAN]) == {"topic": {}}


def test_a_unit_of_two_values_counts_in_both_slices_and_once_in_each() -> None:
    found = by_slice(
        units([1, 0, 0], kind=[["how", "what", "how"], ["what"], []]), [MEAN]
    )["kind"]  # fmt: skip
    assert {value: (n, entry["mean"].value) for value, (n, entry) in found.items()} == {
        "how": (1, 1.0), "what": (2, 0.5),
    }  # fmt: skip


def test_equal_runs_do_not_differ() -> None:
    one = units([1, 0, 1, 0])
    for entry in compared(one, one, [MEAN, SHARE]):
        assert (entry.difference.value, entry.p, entry.holm) == (0.0, 1.0, 1.0)


def test_a_clear_difference_is_found_and_holm_multiplies_it() -> None:
    better, worse = units([1.0] * 40), units([0.0, 1.0] * 20)
    mean, share = compared(better, worse, [MEAN, SHARE])
    assert (mean.ours, mean.theirs, mean.difference.value) == (1.0, 0.5, 0.5)
    assert mean.difference.low > 0.3
    assert (mean.test, share.test) == ("paired bootstrap", "McNemar")
    assert mean.p < 0.001
    assert share.p == pytest.approx(2 * 0.5**20)
    assert share.holm == pytest.approx(2 * share.p)
    assert mean.holm == mean.p
    assert share.difference.value == 50.0


def test_chance_is_seldom_significant() -> None:
    generator = np.random.default_rng(7)
    found = [
        compared(units(generator.random(30).tolist()), units(generator.random(30).tolist()), [MEAN])
        for _ in range(12)
    ]
    assert sum(entry.p < 0.05 for (entry,) in found) <= 3


def test_runs_on_other_units_are_not_compared() -> None:
    with pytest.raises(ValueError, match="same units"):
        compared(units([1]), units([1, 0]), [MEAN])


def test_groups_are_numbered_in_the_order_of_their_names() -> None:
    assert group_numbers(["b", "a", "b"]).tolist() == [0, 1, 0]
