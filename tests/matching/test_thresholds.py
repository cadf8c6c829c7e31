"""What matches, to which passage a question is mapped, and by what each lost one was lost."""

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.config import Match
from pipeline.matching.best import best_windows, columns_of
from pipeline.matching.thresholds import (
    LOSSES,
    best_passages,
    mapped_counts,
    question_loss,
    silver_rows,
)
from pipeline.records import Score, Silver, arrow_schema
from tests.fakes import config, score

MATCH = config().match


def silver(rows: Iterable[dict], match: Match = MATCH) -> list[Silver]:
    table = pa.Table.from_pylist(list(rows), schema=arrow_schema(Score))
    return list(silver_rows(columns_of(table), match))


def test_a_similarity_at_the_threshold_matches_and_one_just_below_does_not() -> None:
    rows = silver([score("q1", "1-0", 0.4), score("q2", "1-0", 0.399999)])
    assert [(row.question_id, row.matched) for row in rows] == [("q1", True), ("q2", False)]
    assert [row.similarity for row in rows] == [0.4, 0.399999]


def test_a_sum_that_falls_below_the_threshold_in_its_last_bit_matches() -> None:
    """0.7 + 0.1 is less than 0.8 in floating point."""
    match = config("match.threshold=0.8", "match.weights=[0.7, 0.1, 0.2]").match
    assert match.weights[0] + match.weights[1] < 0.8
    (row,) = silver([score("q1", "1-0", 1.0, cosine_3=0.0, answer_tokens=2)], match)
    assert row.similarity == 0.8
    assert row.matched


def test_a_passage_has_one_row_that_of_its_best_window() -> None:
    rows = silver(
        [
            score("q1", "1-0", 0.3, sentence_index=0),
            score("q1", "1-0", 0.7, sentence_index=2, sentence_count=2),
            score("q1", "1-0", 0.7, sentence_index=2, sentence_count=1),
            score("q1", "1-0", 0.7, sentence_index=3),
        ]
    )
    assert [(row.sentence_index, row.sentence_count, row.similarity) for row in rows] == [
        (2, 1, 0.7)
    ]


def test_passages_beyond_the_depth_are_no_match_however_similar() -> None:
    rows = silver(
        [score("q1", f"1-{n}", 0.1, rank=n) for n in range(1, 6)]
        + [score("q1", "1-6", 1.0, rank=6)]
    )
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5]
    assert {row.loss for row in rows} == {"below threshold"}


def test_a_question_is_mapped_when_any_of_its_answer_sentences_is() -> None:
    rows = silver(
        [score("q1", "1-0", 0.1), score("q1", "1-1", 0.9, answer_index=1), score("q2", "1-0", 0.1)]
    )
    assert [(row.question_id, row.answer_index, row.loss) for row in rows] == [
        ("q1", 0, None),
        ("q1", 1, None),
        ("q2", 0, "below threshold"),
    ]


def test_rows_are_sorted_by_question_answer_sentence_and_rank_whatever_order_they_come_in() -> None:
    scores = [
        score(f"q{q}", f"1-{r}", 0.5, answer_index=a, rank=r)
        for q in (10, 2) for a in (1, 0) for r in (3, 1, 2)
    ]  # fmt: skip
    found = [(row.question_id, row.answer_index, row.rank) for row in silver(scores)]
    assert found == sorted(found)
    assert silver(scores) == silver(reversed(scores))


def test_the_references_similarity_stands_beside_that_of_the_active_settings() -> None:
    match = config("match.weights=[1,0,0]", "match.short_sentences=renormalize").match
    (row,) = silver([score("q1", "1-0", 0.0, cosine_1=0.8)], match)
    assert (row.similarity, row.cosine_similarity) == (0.8, 0.2)


@pytest.mark.parametrize(
    ("loss", "row"),
    [
        ("article absent", score("q", "1-0", 0.1, article_present=False, title_match=False)),
        ("right article not a candidate", score("q", "1-0", 0.1, title_match=False)),
        ("right article not a candidate", score("q", None, title_match=None)),
        ("no candidate", score("q", None, article_present=None)),
        ("too short", score("q", "1-0", 0.1, answer_tokens=1)),
        ("below threshold", score("q", "1-0", 0.1)),
        ("below threshold", score("q", "1-0", 0.1, title_match=None, article_present=None)),
    ],
)
def test_a_lost_question_says_where_it_was_lost(loss: str, row: dict) -> None:
    assert [found.loss for found in silver([row])] == [loss]


def test_every_reason_is_one_that_the_order_of_reasons_knows() -> None:
    assert [question_loss([loss]) for loss in LOSSES] == list(LOSSES)
    assert question_loss(["article absent", "below threshold", "too short"]) == "below threshold"


def test_an_answer_sentence_without_candidates_has_a_row_without_passage() -> None:
    (row,) = silver([score("q1", None)])
    assert (row.passage_id, row.similarity, row.rank, row.matched) == (None, None, None, False)


def test_nothing_is_mapped_to_nothing_even_at_threshold_0() -> None:
    match = config("match.threshold=0").match
    rows = silver([score("q1", None), score("q2", "1-0", 0.0)], match)
    assert [row.matched for row in rows] == [False, True]


def test_no_scores_give_no_rows() -> None:
    assert silver([]) == []


def test_the_best_passage_has_the_highest_similarity_then_the_lowest_rank() -> None:
    rows = silver(
        [
            score("q1", "1-9", 0.5, rank=1),
            score("q1", "1-8", 0.9, rank=3),
            score("q1", "1-7", 0.9, rank=2),
            score("q1", "1-6", 0.9, rank=2, answer_index=1),
            score("q2", "1-0", 0.1),
        ]
    )
    assert {key: row.passage_id for key, row in best_passages(rows).items()} == {"q1": "1-6"}


scored = st.builds(
    score,
    st.sampled_from(["q1", "q2", "q3"]),
    st.sampled_from(["1-0", "1-1", "2-0"]),
    st.floats(0, 1),
    answer_index=st.integers(0, 1),
    sentence_index=st.integers(0, 3),
)


def ranked(rows: list[dict]) -> list[dict]:
    """One rank for each passage, as candidates have it."""
    order = ["1-0", "1-1", "2-0"]
    return [row | {"rank": order.index(row["passage_id"]) + 1} for row in rows]


@given(
    st.lists(scored, max_size=12).map(ranked),
    st.tuples(st.floats(0, 1), st.floats(0, 1)),
    st.integers(1, 3),
)
def test_a_higher_threshold_never_adds_a_match(
    rows: list[dict], thresholds: tuple[float, float], depth: int
) -> None:
    low, high = (
        {
            (row.question_id, row.answer_index, row.passage_id)
            for row in silver(rows, MATCH.model_copy(update={"threshold": theta, "depth": depth}))
            if row.matched
        }
        for theta in sorted(thresholds)
    )
    assert high <= low


@given(st.lists(scored, max_size=12).map(ranked))
def test_the_best_window_of_a_passage_is_that_of_a_plain_loop(rows: list[dict]) -> None:
    columns = columns_of(pa.Table.from_pylist(rows, schema=arrow_schema(Score)))
    similarity = columns.active(MATCH)
    best: dict[tuple[str, int, int], float] = {}
    for row in rows:
        key = (row["question_id"], row["answer_index"], row["rank"])
        best[key] = max(best.get(key, 0.0), row["cosine_1"])
    found = similarity[best_windows(columns, similarity, 5)]
    assert found.tolist() == pytest.approx([best[key] for key in sorted(best)], abs=1e-9)


def test_questions_mapped_at_each_threshold_are_counted_with_equality() -> None:
    highest = np.array([0.0, 0.4, 0.4, 0.7, -1.0])
    assert mapped_counts(highest, [0.0, 0.3, 0.4, 0.41, 0.7, 0.8]) == [4, 3, 3, 1, 1, 0]
