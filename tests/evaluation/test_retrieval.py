"""Success@k, against ir_measures."""

import io
import math

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.datasets.trec import parse_run, run_lines
from pipeline.evaluation.retrieval import first_relevant_rank, success_at_k
from tests import strategies


@given(strategies.qrels, strategies.runs, st.sampled_from([1, 2, 3, 5, 10, 100]))
def test_success_at_k_equals_ir_measures(
    qrels: dict[str, dict[str, int]], run: dict[str, list[tuple[str, float]]], k: int
) -> None:
    lines = [line for question, hits in run.items() for line in run_lines(question, hits)]
    ours = success_at_k(
        qrels, {q: [p for p, _ in hits] for q, hits in parse_run(lines, "run").items()}, k
    )
    measure = ir_measures.Success @ k
    theirs = ir_measures.calc_aggregate(
        [measure], qrels, ir_measures.read_trec_run(io.StringIO("\n".join(lines)))
    )
    assert ours == pytest.approx(theirs[measure], abs=1e-9)


@given(strategies.qrels, strategies.runs)
def test_success_never_falls_with_k(
    qrels: dict[str, dict[str, int]], run: dict[str, list[tuple[str, float]]]
) -> None:
    ranked = {question: [passage for passage, _ in hits] for question, hits in run.items()}
    found = [success_at_k(qrels, ranked, k) for k in (1, 2, 5, 20)]
    assert found == sorted(found)


def test_a_question_without_answer_from_the_run_or_without_relevant_passage_is_a_miss() -> None:
    relevant = {"q1": {"a"}, "q2": {"a"}, "q3": set(), "q4": {"z"}}
    run = {"q1": ["b", "a"], "q3": ["a"], "q4": ["a"], "q9": ["a"]}
    assert success_at_k(relevant, run, 1) == 0.0
    assert success_at_k(relevant, run, 2) == 1 / 4
    assert success_at_k({}, run, 1) == 0.0


def test_the_rank_of_the_first_relevant_passage_counts_from_1() -> None:
    assert first_relevant_rank(["a", "b", "c"], {"b", "c"}) == 2
    assert first_relevant_rank(["a"], set()) == math.inf
