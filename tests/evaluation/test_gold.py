"""True precision and recall, on a case worked out by hand."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.gold import (
    AnswerOutcome,
    GoldAnswer,
    answer_outcomes,
    best_f1,
    gold_figures,
)
from pipeline.matching.best import columns_of
from pipeline.records import Score, arrow_schema
from tests.fakes import score

SCORES = [
    score("q1", "1-0", 0.9, rank=1),                    # right
    score("q1", "1-1", 0.9, rank=2),                    # as similar, but later
    score("q2", "2-0", 0.8, rank=1),                    # wrong: the right one is less similar
    score("q2", "2-1", 0.6, rank=2),
    score("q3", "3-0", 0.3, rank=1),                    # right, and below the threshold
    score("q4", "4-0", 0.7, rank=1),                    # mapped, though there is nothing right
    score("q5", None),                                  # nothing right and nothing found
    score("q6", "6-0", 0.2, rank=1),
    score("q6", "6-1", 1.0, rank=9),                    # right, but beyond the depth
]  # fmt: skip
GOLD = [
    GoldAnswer("q1", 0, "sha of 1-0"), GoldAnswer("q2", 0, "sha of 2-1"),
    GoldAnswer("q3", 0, "sha of 3-0"), GoldAnswer("q4", 0, None), GoldAnswer("q5", 0, None),
    GoldAnswer("q6", 0, "sha of 6-1"), GoldAnswer("q7", 0, "sha of 7-0"),
]  # fmt: skip


@pytest.fixture
def outcome() -> AnswerOutcome:
    columns = columns_of(pa.Table.from_pylist(SCORES, schema=arrow_schema(Score)))
    hashes = {passage_id: f"sha of {passage_id}" for passage_id in columns.passage_ids}
    return answer_outcomes(columns, columns.reference(), 5, GOLD, hashes)


def test_each_answer_sentence_is_judged_by_its_best_passage(outcome: AnswerOutcome) -> None:
    assert outcome.question_ids == tuple(f"q{n}" for n in range(1, 8))
    assert outcome.similarity.tolist() == [0.9, 0.8, 0.3, 0.7, -1.0, 0.2, -1.0]
    assert outcome.right.tolist() == [1, 0, 1, 0, 0, 0, 0]
    assert outcome.has_gold.tolist() == [1, 1, 1, 0, 0, 1, 1]


def test_precision_recall_and_false_maps_have_their_own_denominators(
    outcome: AnswerOutcome,
) -> None:
    figures = gold_figures(outcome, 0.4)
    precision, recall = 1 / 3, 1 / 5
    assert figures["precision"] == pytest.approx(precision, abs=1e-6)
    assert figures["recall"] == recall
    assert figures["f1"] == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-6)
    assert figures["false_map_percent"] == 50.0
    assert (figures["gold_answers"], figures["gold_absent"]) == (5, 2)


def test_the_best_f1_is_found_over_all_thresholds(outcome: AnswerOutcome) -> None:
    f1, theta = best_f1(outcome)
    by_hand = {0.9: (1, 1), 0.8: (1, 2), 0.7: (1, 3), 0.3: (2, 4), 0.2: (2, 5)}
    expected = {t: 2 * right / (mapped + 5) for t, (right, mapped) in by_hand.items()}
    assert f1 == pytest.approx(max(expected.values()), abs=1e-6)
    assert expected[theta] == max(expected.values())


def test_at_threshold_0_an_answer_without_candidate_is_not_mapped(outcome: AnswerOutcome) -> None:
    figures = gold_figures(outcome, 0.0)
    assert figures["false_map_percent"] == 50.0
    assert figures["precision"] == pytest.approx(2 / 5)


@given(
    st.lists(
        st.tuples(st.sampled_from((-1.0, 0.0, 0.1, 0.25, 0.4, 1.0)), st.sampled_from("rwn")),
        max_size=12,
    )
)
def test_the_best_f1_is_that_of_trying_every_threshold(answers: list[tuple[float, str]]) -> None:
    outcome = AnswerOutcome(
        tuple(str(n) for n in range(len(answers))),
        np.array([similarity for similarity, _ in answers]),
        np.array([kind == "r" and similarity >= 0 for similarity, kind in answers], dtype=np.int64),
        np.array([kind != "n" for _, kind in answers], dtype=np.int64),
    )
    tried = [(gold_figures(outcome, theta)["f1"], -theta)
             for theta, _ in answers if theta > 0]  # fmt: skip
    f1, theta = max(tried, default=(0.0, -1.0))
    assert best_f1(outcome) == (pytest.approx(f1, abs=2e-6), -theta)


def test_figures_of_nothing_are_zero() -> None:
    nothing = np.array([], dtype=np.int64)
    outcome = AnswerOutcome((), nothing.astype(float), nothing, nothing)
    assert gold_figures(outcome, 0.4)["f1"] == 0.0
    assert best_f1(outcome) == (0.0, 1.0)
