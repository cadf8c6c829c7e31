"""TREC files: what is written is read again, in the order that trec_eval sees."""

import io
import itertools
import re

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.datasets.trec import (
    parse_qrels,
    parse_run,
    qrels_lines,
    rankings,
    run_lines,
    topics_lines,
)
from pipeline.errors import InputError
from tests import strategies


@given(strategies.hits)
def test_a_written_run_is_read_again_in_its_order(hits: list[tuple[str, float]]) -> None:
    lines = list(run_lines("q1", hits))
    read = parse_run(lines, "run").get("q1", [])
    assert [passage_id for passage_id, _ in read] == [passage_id for passage_id, _ in hits]
    assert list(run_lines("q1", read)) == lines


@given(strategies.hits)
def test_scores_of_a_run_fall_strictly_even_as_32_bit_numbers(
    hits: list[tuple[str, float]],
) -> None:
    written = [line.split()[4] for line in run_lines("q1", hits)]
    scores = [np.float32(score) for score in written]
    assert all(higher > lower for higher, lower in itertools.pairwise(scores))
    for score in written:
        assert len(re.sub(r"e.*|[-.]", "", score).lstrip("0")) <= 9
    for (_, score), found in zip(hits, scores, strict=True):
        assert found == pytest.approx(score, rel=1e-5, abs=1e-30)


def test_scores_without_ties_are_written_to_9_significant_digits() -> None:
    score = float(np.float32(12.3456789))
    (line,) = run_lines("own-dev-1", [("1-0", score)])
    assert line == f"own-dev-1 Q0 1-0 1 {score:.9g} silver"
    assert np.float32(line.split()[4]) == np.float32(score)


@given(strategies.runs)
def test_trec_eval_keeps_the_order_of_ties(run: dict[str, list[tuple[str, float]]]) -> None:
    """Reciprocal rank by trec_eval, with each passage in turn the only relevant one."""
    for question_id, hits in run.items():
        lines = "\n".join(run_lines(question_id, hits))
        for rank, (passage_id, _) in enumerate(hits, start=1):
            qrels = [ir_measures.Qrel(question_id, passage_id, 1)]
            found = ir_measures.calc_aggregate(
                [ir_measures.RR], qrels, ir_measures.read_trec_run(io.StringIO(lines))
            )
            assert found[ir_measures.RR] == pytest.approx(1 / rank)


def test_the_order_of_a_run_follows_from_its_scores_and_not_from_its_ranks() -> None:
    lines = ["q1 Q0 b 1 0.5 x", "q1 Q0 c 2 0.9 x", "", "q1 Q0 a 3 0.5 x", "q2\tQ0\tz\t1\t-1e3\tx"]
    assert parse_run(lines, "run") == {
        "q1": [("c", 0.9), ("a", 0.5), ("b", 0.5)],
        "q2": [("z", -1000.0)],
    }


@given(strategies.runs)
def test_a_run_is_read_question_by_question_in_the_same_order(
    run: dict[str, list[tuple[str, float]]],
) -> None:
    lines = [line for question_id, hits in run.items() for line in run_lines(question_id, hits)]
    whole = {name: [passage_id for passage_id, _ in hits]
             for name, hits in parse_run(lines, "run").items()}  # fmt: skip
    assert dict(rankings(lines, "run")) == whole


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["q1 Q0 a 1 2.0 x", "q2 Q0 a 1 2.0 x", "q1 Q0 b 2 1.0 x"], "question 'q1' in several"),
        (["q1 Q0 a 1 2.0 x", "q1 Q0 a 2 1.0 x"], "question 'q1' has a passage twice"),
    ],
)
def test_a_run_that_is_not_question_by_question_is_refused(lines: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(rankings(lines, "run"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q1 Q0 1-0 1 0.5", "run, line 2: 5 fields"),
        ("q1 Q0 1-0 1 0.5 tag more", "run, line 2: 7 fields"),
        ("q1 Q0 1-0 1 high tag", "run, line 2: score 'high'"),
        ("q1 Q0 1-0 1 nan tag", "run, line 2: score 'nan'"),
        ("q1 Q0 1-0 1 inf tag", "run, line 2: score 'inf'"),
        ("q0 Q0 9-9 1 2.0 tag", "question 'q0' has a passage twice"),
    ],
)
def test_a_wrong_line_of_a_run_is_refused(line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_run(["q0 Q0 9-9 1 1.0 tag", line], "run")
    assert message in str(caught.value)


@given(strategies.qrels)
def test_written_qrels_are_read_again(qrels: dict[str, dict[str, int]]) -> None:
    lines = list(qrels_lines(qrels))
    assert parse_qrels(lines, "qrels") == qrels
    assert lines == sorted(lines, key=lambda line: line.split()[::2][:2])


@pytest.mark.parametrize("line", ["q1 0 1-0", "q1 0 1-0 yes", "q1 0 1-0 1 1", "q1 0 1-0 1.5"])
def test_a_wrong_line_of_qrels_is_refused(line: str) -> None:
    with pytest.raises(InputError, match="qrels, line 1: "):
        parse_qrels([line], "qrels")


@pytest.mark.parametrize("relevance", ["--1", "²", "9" * 5000, "9" * 400, "1_0", "٣", "-"])
def test_a_relevance_that_is_no_number_of_few_digits_is_refused(relevance: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_qrels(["", f"q1 0 a {relevance}"], "qrels")
    assert f"qrels, line 2: relevance '{relevance[:80]}'; expected" in str(caught.value)


def test_a_passage_judged_twice_is_refused_where_the_judgments_differ() -> None:
    assert parse_qrels(["q1 0 a 1", "q1 0 a 1", "q1 0 b -1"], "qrels") == {"q1": {"a": 1, "b": -1}}
    with pytest.raises(InputError, match="line 2: passage 'a' of question 'q1' is judged twice"):
        parse_qrels(["q1 0 a 1", "q1 0 a 0"], "qrels")


@given(st.text())
def test_a_topic_is_one_line_whatever_its_text(text: str) -> None:
    (line,) = topics_lines([("q1", f"a{text}")])
    assert line.splitlines() == [line]
    assert line.count("\t") == 1
