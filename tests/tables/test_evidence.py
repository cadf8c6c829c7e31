"""Measures of ranked blocks, on blocks whose truth is known."""

import math

import pytest

from pipeline.evaluation.figures import figures
from pipeline.records import Question
from pipeline.tables.evidence import (
    Evidence,
    chosen,
    evidence_measures,
    evidence_units,
    hits_name,
    share_in_groups,
    wanted_of,
)
from tests.tables.made import asked, block

HARBOUR = block(0, "/wiki/Lund_Harbour")
PLAIN = block(0)
BRIDGE = block(2, "/wiki/Stone_Bridge_(Vik)")
TOKENS = 10  # of every block


def values(questions: list[Question], rankings: list[list[str]], budget: int = 15) -> dict:
    evidence = Evidence([wanted_of(question) for question in questions], rankings)
    for made, contents in (HARBOUR, BRIDGE):
        evidence.see(made, contents, lambda text: TOKENS)
    assert not evidence.unknown()
    units = evidence_units(evidence, questions, (1, 2), budget)
    found = figures(units, evidence_measures((1, 2), budget, traced=True))
    return {name: entry.value for name, entry in found.items()}


def test_an_answer_counts_from_the_rank_of_the_block_that_holds_it() -> None:
    question = asked("1", "Ada Berg", [0, 0, "/wiki/Lund_Harbour"])
    found = values([question], [["Ports_0-2", "Ports_0-0"]])
    assert (found["answer_recall_1"], found["answer_recall_2"]) == (0, 1)
    assert (found["node_recall_1"], found["node_recall_2"]) == (0, 1)
    assert found["table_recall_1"] == 1


def test_hits_count_blocks_that_lie_whole_within_the_budget() -> None:
    question = asked("1", "Ada Berg", [0, 0, "/wiki/Lund_Harbour"])
    second = [["Ports_0-2", "Ports_0-0"]]
    assert values([question], second, budget=2 * TOKENS - 1)["hits_19"] == 0
    assert values([question], second, budget=2 * TOKENS)["hits_20"] == 1
    assert values([question], second, budget=2 * TOKENS)["node_hits_20"] == 1
    assert values([question], second, budget=2 * TOKENS)["blocks_in_budget"] == 2


def test_a_question_that_the_run_lacks_is_a_miss_and_stays_in_the_denominator() -> None:
    questions = [asked("1", "Ada Berg"), asked("2", "1862")]
    found = values(questions, [["Ports_0-0"], []])
    assert found["answer_recall_1"] == 0.5
    assert found["blocks_in_budget"] == 0.5


def test_an_answer_string_in_a_block_is_no_node() -> None:
    question = asked("1", "1862", [5, 1, None])
    found = values([question], [["Ports_0-0"]])
    assert found["answer_recall_1"] == 1
    assert found["node_recall_1"] == 0


def test_a_traced_cell_is_held_by_its_row_and_a_passage_by_whatever_row_it_joins() -> None:
    in_cell = wanted_of(asked("1", "x", [0, 1, None]))
    assert in_cell.in_contents(PLAIN[1])
    assert not in_cell.in_contents(BRIDGE[1])
    in_passage = wanted_of(asked("1", "x", [0, 0, "/wiki/Stone_Bridge_(Vik)"]))
    assert in_passage.in_contents(BRIDGE[1])
    assert not in_passage.in_contents(PLAIN[1])


def test_untraced_questions_are_not_in_the_denominator_of_nodes() -> None:
    questions = [asked("1", "1862"), asked("2", "1862", [0, 1, None])]
    found = values(questions, [["Ports_0-0"], ["Ports_0-0"]])
    assert found["node_recall_1"] == 1
    assert math.isclose(found["answer_recall_1"], 1)


def test_each_measure_says_what_it_divides_by() -> None:
    said = {
        measure.name: measure.denominator for measure in evidence_measures((1,), 10, traced=True)
    }
    asked = "questions with short answers whose table is among the blocks"
    nodes = {"node_recall_1", "node_hits_10"}
    assert {said[name] for name in said.keys() - nodes} == {asked}
    assert {said[name] for name in nodes} == {f"those with a traced answer among the {asked}"}


def test_an_answer_without_tokens_is_in_no_block() -> None:
    assert values([asked("1", "–")], [["Ports_0-0"]])["answer_recall_1"] == 0


def test_a_ranked_block_that_the_collection_lacks_is_named() -> None:
    evidence = Evidence([wanted_of(asked("1", "x"))], [["Ports_0-0", "Other_0-0"]])
    evidence.see(*HARBOUR, lambda text: TOKENS)
    assert evidence.unknown() == ["Other_0-0"]


def test_questions_without_answers_or_of_other_tables_are_left_out() -> None:
    rows = [asked("1", "x"), asked("2", ""), asked("3", "x", table_id="Other_0")]
    assert chosen(rows, frozenset({"Ports_0"})) == rows[:1]


@pytest.mark.parametrize(("budget", "name"), [(4096, "hits_4k"), (1024, "hits_1k"),
                                              (1000, "hits_1000"), (500, "hits_500")])  # fmt: skip
def test_hits_are_named_by_their_budget(budget: int, name: str) -> None:
    assert hits_name(budget) == name


def test_the_interval_of_a_share_draws_whole_tables() -> None:
    found = share_in_groups(list("abcd"), [True, True, False, False], ["t", "t", "u", "u"])
    assert (found.value, found.low, found.high) == (0.5, 0.0, 1.0)
