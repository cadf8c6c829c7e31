"""Answer triggering, by question and by section, and the traps of the scripts in use."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.figures import figures
from pipeline.evaluation.selection import Scores
from pipeline.evaluation.ties import Ties
from pipeline.evaluation.triggering import (
    MEASURES,
    best_candidates,
    question_units,
    section_scores,
    section_units,
    sections_of,
    tuned_threshold,
)
from pipeline.records import Question
from tests.evaluation.asked import asked, scores

GOLD = [
    asked("right", [0, 1]),
    asked("wrong", [1, 0]),
    asked("silent", [1, 0]),
    asked("none", [0, 0]),
    asked("quiet", [0, 0]),
]
SAID = {
    "own-right": scores(0.1, 0.9),
    "own-wrong": scores(0.1, 0.9),
    "own-silent": scores(0.2, 0.1),
    "own-none": scores(0.7, 0.1),
    "own-quiet": scores(0.2, 0.1),
}


def by_question(
    gold: list[Question], said: dict[str, Scores], threshold: float, ties: Ties = "expected"
) -> dict[str, float]:
    units = question_units(gold, best_candidates(gold, said, ties), threshold)
    return {name: entry.value for name, entry in figures(units, MEASURES["question"]).items()}


def test_by_question_only_the_best_candidate_is_looked_at() -> None:
    # Predicted: right, wrong, none; right among them: 1; answerable: 3.
    found = by_question(GOLD, SAID, 0.5)
    assert found == pytest.approx({"precision": 1 / 3, "recall": 1 / 3, "f1": 1 / 3})


def test_a_score_at_the_threshold_is_predicted() -> None:
    assert by_question(GOLD, SAID, 0.9)["precision"] == 1 / 2
    assert by_question(GOLD, SAID, np.nextafter(0.9, 1))["precision"] == 0.0


def test_scores_of_0_and_below_are_scores_like_others() -> None:
    shifted = {name: {n: v - 5 for n, v in mine.items()} for name, mine in SAID.items()}
    assert by_question(GOLD, shifted, -4.5) == by_question(GOLD, SAID, 0.5)
    zeros = {name: scores(0, 0) for name in SAID}
    assert by_question(GOLD, zeros, 0)["recall"] == pytest.approx(3 * 0.5 / 3)


def test_a_threshold_outside_0_to_1_is_applied_to_the_scores() -> None:
    scaled = {name: {n: 10 * v for n, v in mine.items()} for name, mine in SAID.items()}
    assert by_question(GOLD, scaled, 5) == by_question(GOLD, SAID, 0.5)
    assert by_question(GOLD, SAID, 5) == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


def test_no_prediction_at_all_is_0() -> None:
    assert by_question(GOLD, {}, 0.5) == {"precision": 0.0, "recall": 0.0, "f1": 0.0}
    assert by_question([], {}, 0.5) == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


def test_what_has_no_score_is_predicted_at_no_threshold_not_even_the_lowest() -> None:
    assert by_question(GOLD, {}, -np.inf) == {"precision": 0.0, "recall": 0.0, "f1": 0.0}
    predicted = question_units(GOLD, best_candidates(GOLD, {"own-quiet": scores(0.2)}), -np.inf)
    assert predicted.amounts["predicted"].sum() == 1


def test_the_order_of_the_predictions_is_no_matter() -> None:
    backwards = dict(reversed(SAID.items()))
    assert by_question(GOLD, backwards, 0.5) == by_question(GOLD, SAID, 0.5)


def test_tied_best_candidates_are_right_as_often_as_one_of_them_is() -> None:
    gold, said = [asked("tied", [1, 0, 0, 0])], {"own-tied": scores(1, 1, 0.5, 0.5)}
    assert by_question(gold, said, 1)["precision"] == 0.5
    assert by_question(gold, said, 1, "order")["precision"] == 1.0
    assert by_question(gold, said, 1, "trec")["precision"] == 0.0
    assert best_candidates(gold, said).tied == 1
    assert best_candidates(gold, {"own-tied": scores(1, 0, 0, 0)}).tied == 0


SECTIONED = [
    asked("one", [0, 1, 0, 0, 0], sections=[2, 3]),
    asked("two", [0, 0, 1], sections=[1, 1, 1]),
    asked("empty", [], sections=[]),
]


def test_sections_are_cut_where_the_corpus_says() -> None:
    found = [(s.question.question_id, s.index, s.first, s.size, s.label)
             for s in sections_of(SECTIONED)]  # fmt: skip
    assert found == [
        ("own-one", 0, 0, 2, 1), ("own-one", 1, 2, 3, 0),
        ("own-two", 0, 0, 1, 0), ("own-two", 1, 1, 1, 0), ("own-two", 2, 2, 1, 1),
    ]  # fmt: skip


def test_by_section_every_section_is_a_yes_or_a_no() -> None:
    labels = {("own-one", 0): 1, ("own-one", 1): 1, ("own-two", 2): 0}  # tp 1, fp 1, fn 1
    units = section_units(sections_of(SECTIONED), labels)
    found = {name: entry.value for name, entry in figures(units, MEASURES["section"]).items()}
    assert found == pytest.approx({"precision": 1 / 2, "recall": 1 / 2, "f1": 1 / 2})
    assert len(units.ids) == 5


def test_by_section_f1_is_0_where_there_is_nothing_to_count() -> None:
    units = section_units(sections_of([asked("none", [0], sections=[1])]), {})
    found = {name: entry.value for name, entry in figures(units, MEASURES["section"]).items()}
    assert found == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


def test_a_section_has_the_score_of_its_best_candidate() -> None:
    found = section_scores(sections_of(SECTIONED), {"own-one": {0: 0.1, 1: 0.4, 3: -1.0}})
    assert found == {("own-one", 0): 0.4, ("own-one", 1): -1.0}


def f1_at(threshold: float, values: list[float], right: list[int], relevant: int) -> float:
    predicted = [r for v, r in zip(values, right, strict=True) if v >= threshold]
    total = len(predicted) + relevant
    return 2 * sum(predicted) / total if total else 0.0


@given(st.lists(st.tuples(st.sampled_from([-1.0, 0.0, 0.3, 2.0]), st.integers(0, 1)), max_size=8),
       st.integers(0, 3))  # fmt: skip
def test_the_tuned_threshold_is_as_good_as_any(rows: list[tuple[float, int]], more: int) -> None:
    values, right = [v for v, _ in rows], [r for _, r in rows]
    relevant = sum(right) + more
    chosen = tuned_threshold(np.array(values), np.array(right, dtype=float), relevant)
    best = max((f1_at(value, values, right, relevant) for value in values), default=0.0)
    assert f1_at(chosen, values, right, relevant) == pytest.approx(best)


def test_the_tuned_threshold_lies_half_way_to_the_next_score() -> None:
    right = np.array([1.0, 0.0, 0.0])
    assert tuned_threshold(np.array([0.9, 0.7, 0.1]), right, 1) == pytest.approx(0.8)
    close = np.nextafter(0.9, 0)
    assert tuned_threshold(np.array([0.9, close, 0.1]), right, 1) == 0.9
    assert tuned_threshold(np.array([0.9]), np.array([1.0]), 1) == 0.9
    assert tuned_threshold(np.array([0.9, -np.inf]), np.array([1.0, 0.0]), 1) == 0.9


def test_what_has_no_score_is_never_predicted_by_a_tuned_threshold() -> None:
    assert tuned_threshold(np.array([-np.inf]), np.array([0.0]), 1) == np.inf
    assert tuned_threshold(np.array([0.5]), np.array([0.0]), 1) == np.inf
