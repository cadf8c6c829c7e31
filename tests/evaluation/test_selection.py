"""Answer sentence selection: which questions count, and what a miss is."""

from random import Random

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.figures import figures
from pipeline.evaluation.selection import MEASURES, SIMPLE_MEASURES, Selected, select
from tests.evaluation.asked import asked, scores


def values(selected: Selected) -> dict[str, float]:
    return {name: entry.value for name, entry in figures(selected.units, MEASURES).items()}


GOLD = [
    asked("first", [0, 1, 0]),
    asked("two", [1, 0, 1]),
    asked("none", [0, 0]),
    asked("all", [1, 1]),
]


def test_map_and_mrr_are_means_over_the_questions_with_a_relevant_candidate() -> None:
    found = select(GOLD, {
        "own-first": scores(3, 2, 1),  # AP 1/2, RR 1/2
        "own-two": scores(1, 2, 3),  # AP (1 + 2/3) / 2, RR 1
        "own-none": scores(1, 2),
        "own-all": scores(1, 2),  # 1, 1
    })  # fmt: skip
    assert (found.questions, len(found.units.ids)) == (4, 3)
    assert (found.unanswerable, found.all_positive, found.tied) == (1, 1, 0)
    assert values(found) == pytest.approx({"map": (1 / 2 + 5 / 6 + 1) / 3, "mrr": 2.5 / 3})


def test_unanswerable_questions_count_0_when_kept() -> None:
    said = {"own-all": scores(2, 1)}
    assert values(select(GOLD, said, keep_unanswerable=True))["map"] == pytest.approx(1 / 4)
    assert values(select(GOLD, said))["map"] == pytest.approx(1 / 3)


def test_questions_whose_candidates_are_all_relevant_may_be_dropped() -> None:
    found = select(GOLD, {"own-all": scores(2, 1)}, drop_all_positive=True)
    assert found.units.ids == ("own-first", "own-two")
    assert found.all_positive == 1
    assert values(found)["map"] == 0.0


def test_a_question_without_a_prediction_is_0_and_not_left_out() -> None:
    found = select(GOLD[:2], {"own-first": scores(0, 1, 0)})
    assert values(found) == pytest.approx({"map": 1 / 2, "mrr": 1 / 2})


def test_a_relevant_candidate_that_is_not_ranked_counts_as_never_retrieved() -> None:
    found = select(GOLD[1:2], {"own-two": {0: 1.0, 1: 0.5}})
    assert values(found) == pytest.approx({"map": 1 / 2, "mrr": 1})


def test_ties_are_expected_by_default_counted_and_flattered_by_candidate_order() -> None:
    gold = [asked("tied", [1, 0, 0])]
    said = {"own-tied": scores(1, 1, 1)}
    found = select(gold, said)
    assert found.tied == 1
    assert values(found)["mrr"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert values(select(gold, said, ties="order"))["mrr"] == 1.0
    assert values(select(gold, said, ties="trec"))["mrr"] == pytest.approx(1 / 3)


def test_the_simple_recipe_leaves_out_misses_and_finds_equal_text() -> None:
    gold = [
        asked("found", [0, 0, 1], candidates=["a", "b", "a"]),  # "a" is found at rank 1 already
        asked("missed", [0, 1]),
        asked("none", [0]),
    ]
    found = select(gold, {"own-found": scores(3, 2, 1), "own-missed": {0: 1.0}}, simple=True)
    figure = figures(found.units, SIMPLE_MEASURES)["mrr"]
    assert figure.value == 1.0
    assert found.units.amounts["found"].tolist() == [1.0, 0.0]
    official = select(gold, {"own-found": scores(3, 2, 1), "own-missed": {0: 1.0}})
    assert values(official)["mrr"] == pytest.approx((1 / 3) / 2)


def test_the_simple_recipe_is_0_where_nothing_is_found() -> None:
    found = select([asked("missed", [0, 1])], {}, simple=True)
    assert figures(found.units, SIMPLE_MEASURES)["mrr"].value == 0.0


cases = st.lists(
    st.lists(st.integers(0, 1), min_size=1, max_size=15).filter(any), min_size=1, max_size=6
)


@given(cases, st.randoms(use_true_random=False))
def test_map_and_mrr_equal_ir_measures_where_scores_are_distinct(
    labels: list[list[int]], random: Random
) -> None:
    gold = [asked(str(n), mine) for n, mine in enumerate(labels)]
    said = {
        question.question_id: scores(*random.sample(range(100), len(question.labels)))
        for question in gold
        if random.random() < 0.8
    }
    qrels = {
        q.question_id: {f"{q.question_id}-c{n}": label for n, label in enumerate(q.labels)}
        for q in gold
    }
    run = {
        name: {f"{name}-c{n}": float(score) for n, score in mine.items()}
        for name, mine in said.items()
    }
    theirs = ir_measures.calc_aggregate([ir_measures.AP, ir_measures.RR], qrels, run)
    ours = values(select(gold, said))
    assert ours["map"] == pytest.approx(theirs[ir_measures.AP], abs=1e-9)
    assert ours["mrr"] == pytest.approx(theirs[ir_measures.RR], abs=1e-9)
