"""The match stage: scores become the silver standard, and every loss is counted."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline import files
from pipeline.errors import InputError
from pipeline.matching.features import FEATURES
from pipeline.records import Score, Silver, arrow_schema
from pipeline.stages.match import run_match
from tests.fakes import compute, config, question, score, write_questions

SCORES = [
    score("own-1", "1-0", 0.9),
    score("own-1", "1-1", 0.5, rank=2),
    score("own-2", "1-0", 0.2, article_present=False, title_match=False),
    score("own-2", "1-0", 0.2, answer_index=1),
    score("own-3", None),
]
QUESTIONS = (
    question("own-1", "A."),
    question("own-2", "B.", "C."),
    question("own-3", "D."),
    question("own-4"),
)


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    path = tmp_path / "s.parquet"
    pq.write_table(pa.Table.from_pylist(SCORES, schema=arrow_schema(Score)), path)
    return path


def test_mapped_and_lost_add_up_to_the_answerable(tmp_path: Path, scores: Path) -> None:
    asked = write_questions(tmp_path / "q.parquet", *QUESTIONS)
    counts = run_match(asked, scores, tmp_path / "silver.parquet", config(), compute())
    assert counts == {
        "answerable": 3,
        "mapped": 1,
        "matches": 2,
        "lost": {"below threshold": 1, "right article not a candidate": 1},
    }
    assert counts["mapped"] + sum(counts["lost"].values()) == counts["answerable"]
    rows = list(files.read_records(tmp_path / "silver.parquet", Silver))
    assert len(rows) == len(SCORES)


def test_scores_in_descending_order_are_refused(tmp_path: Path) -> None:
    asked, path = write_questions(tmp_path / "q.parquet", *QUESTIONS), tmp_path / "s.parquet"
    pq.write_table(pa.Table.from_pylist(SCORES[::-1], schema=arrow_schema(Score)), path)
    with pytest.raises(InputError, match="question 'own-2' stand after those of 'own-3'"):
        run_match(asked, path, tmp_path / "o.parquet", config(), compute())
    assert not (tmp_path / "o.parquet").exists()


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_slices_of_the_scores_do_not_show(
    rows: int, tmp_path: Path, scores: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = write_questions(tmp_path / "q.parquet", *QUESTIONS)
    whole, sliced = tmp_path / "whole.parquet", tmp_path / "sliced.parquet"
    counts = run_match(asked, scores, whole, config(), compute())
    monkeypatch.setattr("pipeline.files.parquet.ROWS_PER_GROUP", rows)
    assert run_match(asked, scores, sliced, config(), compute()) == counts
    assert list(files.read_records(sliced, Silver)) == list(files.read_records(whole, Silver))


def test_scores_that_are_not_sorted_by_question_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, path = write_questions(tmp_path / "q.parquet", *QUESTIONS), tmp_path / "s.parquet"
    mixed = [SCORES[n] for n in (0, 2, 1, 3, 4)]
    pq.write_table(pa.Table.from_pylist(mixed, schema=arrow_schema(Score)), path)
    monkeypatch.setattr("pipeline.files.parquet.ROWS_PER_GROUP", 1)
    with pytest.raises(InputError, match="question 'own-1' stand after those of 'own-2'"):
        run_match(asked, path, tmp_path / "o.parquet", config(), compute())
    assert not (tmp_path / "o.parquet").exists()


def test_another_threshold_changes_matches_without_any_search(tmp_path: Path, scores: Path) -> None:
    asked = write_questions(tmp_path / "q.parquet", *QUESTIONS)
    for threshold, matches in ((0.1, 4), (0.5, 2), (0.51, 1), (1, 0)):
        counts = run_match(
            asked, scores, tmp_path / "o.parquet", config(f"match.threshold={threshold}"), compute()
        )
        assert counts["matches"] == matches


@pytest.mark.parametrize(
    ("questions", "stranger"), [(QUESTIONS[:2], "own-3"), ((*QUESTIONS, question("z", "E.")), "z")]
)
def test_scores_of_other_questions_are_refused(
    tmp_path: Path, scores: Path, questions: tuple, stranger: str
) -> None:
    asked = write_questions(tmp_path / "q.parquet", *questions)
    with pytest.raises(InputError, match=f"question '{stranger}' is in only one"):
        run_match(asked, scores, tmp_path / "o.parquet", config(), compute())
    assert not (tmp_path / "o.parquet").exists()


def test_a_corpus_without_questions_is_refused(tmp_path: Path, scores: Path) -> None:
    asked = write_questions(tmp_path / "q.parquet")
    with pytest.raises(InputError, match="holds no question"):
        run_match(asked, scores, tmp_path / "o.parquet", config(), compute())


def test_a_corpus_without_answer_sentences_has_an_empty_silver_standard(tmp_path: Path) -> None:
    asked = write_questions(tmp_path / "q.parquet", question("own-1"))
    files.write_records(tmp_path / "s.parquet", Score, [])
    counts = run_match(asked, tmp_path / "s.parquet", tmp_path / "o.parquet", config(), compute())
    assert counts == {"answerable": 0, "mapped": 0, "matches": 0, "lost": {}}


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("cosine_1", float("nan")), ("cosine_2", 1.5), ("cosine_3", None), ("rank", 0),
        ("answer_index", -1), ("passage_id", ""), ("passage_id", "a b"), ("passage_id", "a\u00a0b"),
    ],
)  # fmt: skip
def test_scores_that_no_stage_writes_are_refused(
    tmp_path: Path, column: str, value: object
) -> None:
    questions = write_questions(tmp_path / "q.parquet", question("own-1", "A b c."))
    rows = [score("own-1", "1-0", 0.9) | {column: value}]
    table = pa.Table.from_pylist(rows, schema=arrow_schema(Score))
    pq.write_table(table, tmp_path / "s.parquet")
    with pytest.raises(InputError, match=column):
        run_match(questions, tmp_path / "s.parquet", tmp_path / "out.parquet", config(), compute())
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, 2.0, None])
@pytest.mark.parametrize(
    ("scorer", "column"), [("idf", "idf_cosine_2"), ("learned", "length_ratio")]
)
def test_what_the_active_scorer_reads_is_checked_and_nothing_else(
    tmp_path: Path, scorer: str, column: str, value: float | None
) -> None:
    questions = write_questions(tmp_path / "q.parquet", question("own-1", "A b c."))
    whole = dict.fromkeys(FEATURES, 0.5)
    table = pa.Table.from_pylist(
        [score("own-1", "1-0", 0.9, **(whole | {column: value}))], schema=arrow_schema(Score)
    )
    pq.write_table(table, tmp_path / "s.parquet")
    files_given = (questions, tmp_path / "s.parquet", tmp_path / "out.parquet")
    run_match(*files_given, config(), compute())
    if column == "length_ratio" and value in (-1.0, 2.0):
        run_match(*files_given, config(f"match.scorer={scorer}"), compute())
        return
    with pytest.raises(InputError, match=column):
        run_match(*files_given, config(f"match.scorer={scorer}"), compute())
