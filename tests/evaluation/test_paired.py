"""Comparing two runs on the same questions: McNemar's exact test, and Holm's correction."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.paired import (
    baseline_figures,
    discordant,
    holm,
    mcnemar,
    paired_success,
)

INF = math.inf


def test_only_questions_that_one_run_answers_decide() -> None:
    ours = np.array([1, 1, 1, 1, 1, 1, 1, 3, INF, 1])
    theirs = np.array([1, 2, 2, 2, 2, 2, 2, 1, INF, 1])
    (first, second) = paired_success(ours, theirs, [1, 3])
    assert (first.ours, first.theirs, first.only_ours, first.only_theirs) == (8, 3, 6, 1)
    assert first.difference == pytest.approx(50.0)
    # Seven discordant questions, six or more to either side: 2 * (7 + 1) / 2**7.
    assert first.p == pytest.approx(2 * 8 / 128)
    assert (second.only_ours, second.only_theirs, second.p) == (0, 0, 1.0)
    assert baseline_figures([first, second]) == {"top_1": 30.0, "top_3": 90.0, "top_n": 10}


def test_no_questions_make_no_difference() -> None:
    (entry,) = paired_success(np.array([]), np.array([]), [1])
    assert (entry.questions, entry.difference, entry.p) == (0, 0.0, 1.0)
    assert baseline_figures([entry])["top_1"] == 0.0


def test_holms_correction_has_its_known_values() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=8))
def test_adjusted_values_are_no_smaller_keep_their_order_and_stay_probabilities(
    values: list[float],
) -> None:
    adjusted = holm(values)
    assert all(value <= after <= 1 for value, after in zip(values, adjusted, strict=True))
    pairs = sorted(zip(values, adjusted, strict=True))
    assert [after for _, after in pairs] == sorted(adjusted)


def test_mcnemar_looks_at_what_differs_only() -> None:
    ours, theirs = np.array([1, 1, 1, 0, 1, 0]) > 0, np.array([0, 0, 0, 0, 1, 0]) > 0
    assert discordant(ours, theirs) == (3, 0)
    assert mcnemar(3, 0) == mcnemar(0, 3) == 2 * 0.5**3
    assert mcnemar(0, 0) == 1.0
