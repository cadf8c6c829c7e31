"""The candidates stage: each answer sentence is searched on its own."""

from pathlib import Path

import pytest

from pipeline import files
from pipeline.errors import ConfigError, InputError
from pipeline.records import Candidate
from pipeline.stages import candidates as stage
from tests.fakes import (
    FakeSearcher,
    compute,
    config,
    passage,
    question,
    use_fake_index,
    write_questions,
)

PASSAGES = [
    passage("1-0", "Salt was traded here."),
    passage("1-1", "Salt and tin were traded here."),
    passage("2-0", "Nobody lives there."),
]
QUESTIONS = (
    question("own-1", "Tin and salt.", "Nobody."),
    question("own-2"),
    question("own-3", "Zebra!"),
    question("own-4", "Salt."),
)


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_fake_index(monkeypatch, stage, PASSAGES)


def test_each_answer_sentence_has_its_ranked_candidates(tmp_path: Path, index: Path) -> None:
    asked = write_questions(tmp_path / "q.parquet", *QUESTIONS)
    out = tmp_path / "c.parquet"
    counts = stage.run_candidates(asked, index, out, config(), compute())
    rows = [
        (row.question_id, row.answer_index, row.rank, row.passage_id)
        for row in files.read_records(out, Candidate)
    ]
    assert rows == [
        ("own-1", 0, 1, "1-1"),
        ("own-1", 0, 2, "1-0"),
        ("own-1", 1, 1, "2-0"),
        ("own-4", 0, 1, "1-0"),
        ("own-4", 0, 2, "1-1"),
    ]
    assert counts == {
        "candidates": 5, "answer_sentences": 4, "searched_by_words": 0, "without_candidates": 1,
    }  # fmt: skip


def test_an_answer_sentence_too_short_for_the_fields_is_searched_by_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Pairs(FakeSearcher):
        def search(self, text, boosts, depth):
            short = "bigrams" in boosts and len(text.split()) < 2
            return [] if short else super().search(text, boosts, depth)

    index = use_fake_index(monkeypatch, stage, PASSAGES)
    monkeypatch.setattr(stage, "open_searcher", lambda *_: Pairs(PASSAGES))
    asked, out = write_questions(tmp_path / "q.parquet", QUESTIONS[3]), tmp_path / "c.parquet"
    counts = stage.run_candidates(asked, index, out, config(), compute())
    assert (counts["candidates"], counts["searched_by_words"]) == (2, 1)


def test_the_depth_cuts_the_candidates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = use_fake_index(monkeypatch, stage, [passage(f"{n}-0", "Salt.") for n in range(1, 8)])
    asked, out = write_questions(tmp_path / "q.parquet", QUESTIONS[3]), tmp_path / "c.parquet"
    counts = stage.run_candidates(asked, index, out, config("candidates.depth=5"), compute())
    assert counts["candidates"] == 5


def test_the_number_of_chunks_does_not_show(
    tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = write_questions(tmp_path / "q.parquet", *QUESTIONS)
    found = []
    for size in (1000, 3, 1):
        monkeypatch.setattr("pipeline.stages.chunks.QUESTIONS_PER_CHUNK", size)
        out = tmp_path / f"{size}.parquet"
        stage.run_candidates(asked, index, out, config(), compute())
        found.append(list(files.read_records(out, Candidate)))
    assert found[0] == found[1] == found[2] != []


def test_a_corpus_without_any_answer_sentence_has_no_candidates(
    tmp_path: Path, index: Path
) -> None:
    asked = write_questions(tmp_path / "q.parquet", question("own-1"), question("own-2"))
    counts = stage.run_candidates(asked, index, tmp_path / "c.parquet", config(), compute())
    assert counts["candidates"] == 0
    assert files.row_count(tmp_path / "c.parquet", Candidate) == 0


def test_a_corpus_without_questions_is_refused_and_nothing_is_written(
    tmp_path: Path, index: Path
) -> None:
    asked = write_questions(tmp_path / "q.parquet")
    with pytest.raises(InputError, match="holds no question"):
        stage.run_candidates(asked, index, tmp_path / "c.parquet", config(), compute())
    assert [path.name for path in tmp_path.iterdir()] == ["q.parquet"]


def test_boosts_that_name_no_field_are_refused(tmp_path: Path, index: Path) -> None:
    asked = write_questions(tmp_path / "q.parquet", *QUESTIONS)
    wrong = config("candidates.boosts={content: 1.0}")
    with pytest.raises(ConfigError, match=r"candidates\.boosts: no field 'content'"):
        stage.run_candidates(asked, index, tmp_path / "c.parquet", wrong, compute())
