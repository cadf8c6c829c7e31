"""What is sampled: the reference's pairs, the active ones, and those that report."""

from dataclasses import replace

import pyarrow as pa
import pytest

from pipeline.evaluation.cases import (
    MappedPair,
    cases,
    drawn,
    reference_of_scores,
    reference_of_silver,
)
from pipeline.evaluation.judgments import article_role
from pipeline.evaluation.robustness import JudgedPair
from pipeline.matching.best import columns_of
from pipeline.matching.thresholds import silver_rows
from pipeline.records import Score, arrow_schema
from tests.fakes import config, score

SCORES = [
    score("q1", "1-0", 0.9),
    score("q1", "2-0", 0.45, rank=2),
    score("q1", "3-0", 0.9, rank=2, answer_index=1),
    score("q2", "2-0", 0.35),
    score("q2", "3-0", 0.35, rank=2),
    score("q3", None),
    score("q4", "1-0", 0.99, rank=6),
]


def columns(*rows: dict):
    return columns_of(pa.Table.from_pylist(list(rows), schema=arrow_schema(Score)))


def test_the_reference_maps_each_question_to_its_best_pair_within_depth() -> None:
    found = {pair.question_id: pair for pair in reference_of_scores(columns(*SCORES))}
    assert {name: pair.passage_id for name, pair in found.items()} == {"q1": "1-0", "q2": "2-0"}
    assert found["q1"].similarity == pytest.approx(0.9)


def test_a_silver_standard_of_the_plain_cosine_gives_the_same_pairs() -> None:
    rows = list(silver_rows(columns(*SCORES), config("match.depth=20").match))
    assert reference_of_silver(rows) == reference_of_scores(columns(*SCORES))


def test_cases_are_the_reference_at_each_threshold_the_active_best_and_every_qrels_line() -> None:
    match = config("match.threshold=0.45").match
    rows = list(silver_rows(columns(*SCORES), match))
    found = cases(reference_of_scores(columns(*SCORES)), rows, (0.3, 0.4), match)
    assert [case.name for case in found] == ["t030", "t040", "active", "qrels"]
    assert [len(case.pairs) for case in found] == [2, 1, 1, 3]
    assert [case.threshold for case in found] == [0.3, 0.4, 0.45, 0.45]
    assert found[0].describe() == "plain cosine, t ≥ 0.3"


def test_a_passage_that_matches_two_answers_is_one_qrels_line() -> None:
    rows = [score("q1", "1-0", 0.5), score("q1", "1-0", 0.8, answer_index=1)]
    match = config().match
    found = cases([], list(silver_rows(columns(*rows), match)), (), match)
    assert [pair.answer_index for pair in found[-1].pairs] == [1]


@pytest.fixture
def pairs() -> list[MappedPair]:
    (pair,) = reference_of_scores(columns(SCORES[0]))
    return [replace(pair, passage_id=f"{n}-0") for n in range(400)]


def test_only_articles_that_report_are_drawn_and_the_sample_is_full(
    pairs: list[MappedPair],
) -> None:
    (case,) = cases(pairs, [], (0.3,), config().match)[:1]
    sample = drawn(case, lambda pair: ("a", pair.passage_id), lambda pair: pair.passage_id, {}, 50,
                   1801)  # fmt: skip
    assert len(sample) == 50
    assert {article_role(passage) for _, passage in sample} == {"report"}


def test_a_role_that_a_judgment_states_wins(pairs: list[MappedPair]) -> None:
    (case,) = cases(pairs[:9], [], (0.3,), config().match)[:1]
    for role, drawn_ones in (("tune", 0), ("report", 9)):
        judged = {
            ("a", pair.passage_id): JudgedPair(key=("a", pair.passage_id), label="1", role=role)
            for pair in pairs
        }
        sample = drawn(case, lambda pair: ("a", pair.passage_id), lambda pair: "x", judged, 50, 1)
        assert len(sample) == drawn_ones
