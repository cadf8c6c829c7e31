"""Chunks of the questions: all of them once, in order, and nothing left behind."""

from pathlib import Path

import pytest

from pipeline import files
from pipeline.records import Candidate, Question
from pipeline.stages.chunks import Chunk, join_parquet, run_chunks
from tests.fakes import compute, config, question, write_questions


def list_ids(chunk: Chunk) -> dict[str, int]:
    """A stage's function: writes the ids of its questions."""
    asked = chunk.read_questions()
    files.write_lines(chunk.piece, (row.question_id for row in asked))
    return {"questions": len(asked), "chunks": 1}


def fail(chunk: Chunk) -> dict[str, int]:
    list_ids(chunk)
    raise ZeroDivisionError


def run(function, tmp_path: Path) -> dict[str, int]:
    out = tmp_path / "out.txt"
    return run_chunks(
        function, tmp_path / "q.parquet", out, config(), compute(), (),
        lambda pieces: files.join_files(pieces, out),
    )  # fmt: skip


@pytest.mark.parametrize(("size", "chunks"), [(1, 7), (2, 4), (7, 1), (100, 1)])
def test_every_question_is_in_one_chunk_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, chunks: int
) -> None:
    monkeypatch.setattr("pipeline.stages.chunks.QUESTIONS_PER_CHUNK", size)
    ids = [f"own-{n}" for n in range(7)]
    write_questions(tmp_path / "q.parquet", *map(question, ids))
    assert run(list_ids, tmp_path) == {"questions": 7, "chunks": chunks}
    assert (tmp_path / "out.txt").read_text().split() == ids
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.txt", "q.parquet"]


def test_an_error_leaves_neither_pieces_nor_output(tmp_path: Path) -> None:
    write_questions(tmp_path / "q.parquet", question("own-1"))
    with pytest.raises(ZeroDivisionError):
        run(fail, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["q.parquet"]


def test_pieces_of_a_killed_run_are_not_taken_for_new_ones(tmp_path: Path) -> None:
    write_questions(tmp_path / "q.parquet", question("own-1"))
    old = tmp_path / ".aside-999999999-pieces-out.txt"  # of a process that is no more
    old.mkdir()
    (old / "part-00009").write_text("stale\n")
    run(list_ids, tmp_path)
    assert (tmp_path / "out.txt").read_text() == "own-1\n"
    assert not old.exists()


def test_parquet_pieces_are_joined_in_order_empty_ones_too(tmp_path: Path) -> None:
    pieces = []
    for number, count in enumerate((2, 0, 1)):
        rows = [
            Candidate(question_id=f"{number}-{n}", answer_index=0, rank=1, passage_id="p",
                      retrieval_score=1.0)
            for n in range(count)
        ]  # fmt: skip
        pieces.append(tmp_path / f"{number}")
        files.write_records(pieces[-1], Candidate, rows)
    join_parquet(pieces, tmp_path / "whole.parquet", Candidate)
    found = files.read_records(tmp_path / "whole.parquet", Candidate)
    assert [row.question_id for row in found] == ["0-0", "0-1", "2-0"]


def test_a_chunk_reads_only_its_own_questions(tmp_path: Path) -> None:
    path = write_questions(tmp_path / "q.parquet", *[question(f"own-{n}") for n in range(9)])
    chunk = Chunk(path, 3, 5, tmp_path / "piece", config(), "256m", ())
    assert [row.question_id for row in chunk.read_questions()] == ["own-3", "own-4"]
    assert files.row_count(path, Question) == 9
