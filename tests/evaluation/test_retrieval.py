"""Measures of a run, against ir_measures."""

import io
import math

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.datasets.trec import parse_run, run_lines
from pipeline.evaluation.figures import figures
from pipeline.evaluation.retrieval import (
    answer_measures,
    answer_units,
    first_relevant_rank,
    ndcg_at_k,
    recall_at_k,
    retrieval_measures,
    retrieval_units,
)
from tests import strategies


def values(
    qrels: dict[str, dict[str, int]], run: dict[str, list[str]], *ks: int
) -> dict[str, float]:
    found = figures(retrieval_units(qrels, run, ks), retrieval_measures(ks))
    return {name: entry.value for name, entry in found.items()}


@given(strategies.qrels, strategies.runs)
def test_success_never_falls_with_k(
    qrels: dict[str, dict[str, int]], run: dict[str, list[tuple[str, float]]]
) -> None:
    ranked = {question: [passage for passage, _ in hits] for question, hits in run.items()}
    found = values(qrels, ranked, 1, 2, 5, 20)
    success = [found[f"success_{k}"] for k in (1, 2, 5, 20)]
    assert success == sorted(success)


def test_a_question_without_answer_from_the_run_or_without_relevant_passage_is_a_miss() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 0}, "q4": {"z": 1}}
    run = {"q1": ["b", "a"], "q3": ["a"], "q4": ["a"], "q9": ["a"]}
    found = values(qrels, run, 1, 2)
    assert (found["success_1"], found["success_2"]) == (0.0, 1 / 4)


def test_the_rank_of_the_first_relevant_passage_counts_from_1() -> None:
    assert first_relevant_rank(["a", "b", "c"], {"b", "c"}) == 2
    assert first_relevant_rank(["a"], set()) == math.inf


graded = st.dictionaries(
    strategies.question_ids,
    st.dictionaries(strategies.passage_ids, st.integers(-1, 3), min_size=1, max_size=6),
    min_size=1,
    max_size=4,
)


@given(graded, strategies.runs, st.sampled_from([1, 2, 3, 5, 10, 100]))
def test_all_measures_equal_ir_measures(
    qrels: dict[str, dict[str, int]], run: dict[str, list[tuple[str, float]]], k: int
) -> None:
    lines = [line for question, hits in run.items() for line in run_lines(question, hits)]
    ranked = {q: [p for p, _ in hits] for q, hits in parse_run(lines, "run").items()}
    found = figures(retrieval_units(qrels, ranked, [k]), retrieval_measures([k]))
    theirs = {
        f"success_{k}": ir_measures.Success @ k,
        f"mrr_{k}": ir_measures.RR @ k,
        f"ndcg_{k}": ir_measures.nDCG @ k,
        f"recall_{k}": ir_measures.R @ k,
    }
    expected = ir_measures.calc_aggregate(
        list(theirs.values()), qrels, ir_measures.read_trec_run(io.StringIO("\n".join(lines)))
    )
    for name, measure in theirs.items():
        assert found[name].value == pytest.approx(expected[measure], abs=1e-9), name


def test_what_the_cut_leaves_out_does_not_count() -> None:
    found = values({"q": {"a": 1}}, {"q": ["b", "a"]}, 1, 2)
    assert (found["mrr_1"], found["mrr_2"]) == (0.0, 0.5)
    assert recall_at_k(["a", "b", "c"], {"a", "c", "z", "y"}, 2) == 0.25
    assert recall_at_k(["a"], set(), 5) == 0.0
    assert ndcg_at_k(["b", "a"], {"a": 2, "b": 0}, 1) == 0.0
    assert ndcg_at_k(["b", "a"], {"a": 2, "c": -1}, 5) == pytest.approx(1 / math.log2(3))
    assert ndcg_at_k(["a"], {"a": 0}, 5) == 0.0


def test_the_curve_is_as_long_as_asked_and_questions_without_hits_stay() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"b": 0}}
    run = {"q2": ["x", "y", "a"], "q9": ["a"]}
    found = figures(retrieval_units(qrels, run, [1, 5]), retrieval_measures([1, 5]))
    assert found["success_1"].value == 0.0
    assert found["success_5"].value == pytest.approx(1 / 3)
    assert found["mrr_5"].value == pytest.approx(1 / 9)


def test_accuracy_by_answer_string_divides_by_the_questions_with_answers() -> None:
    units = answer_units({"q1": 1.0, "q2": 3.0, "q3": math.inf}, [1, 5])
    found = figures(units, answer_measures([1, 5]))
    assert found["has_answer_1"].value == pytest.approx(1 / 3)
    assert found["has_answer_5"].value == pytest.approx(2 / 3)
