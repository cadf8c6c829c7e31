"""Indexing: every passage once, shards that do not show, and refusals."""

import dataclasses
from pathlib import Path

import pytest

from pipeline.errors import InputError, SilverError
from pipeline.lucene import indexing
from pipeline.lucene.searching import Searcher
from tests.fakes import passage
from tests.lucene.conftest import INDEX, PASSAGES

ALL = {"contents": 1.0, "bigrams": 1.0, "trigrams": 1.0, "title": 0.5}
WORDS = "salt tin iron river town old bridge north flows spring light".split()  # noqa: SIM905


def many(count: int) -> list:
    """Passages of few words, so that many have nearly equal scores."""
    rows = []
    for n in range(count):
        text = [WORDS[(n * step + step * step) % len(WORDS)] for step in range(1, 4 + n % 17)]
        rows.append(passage(f"{n}-0", " ".join(text), title=f"{text[0]} {n % 7}"))
    return rows


@pytest.mark.parametrize("shards", [2, 5])
def test_shards_merged_give_the_hits_and_scores_of_one_index(tmp_path: Path, shards: int) -> None:
    rows = many(300)
    indexing.write_shard(rows, tmp_path / "whole", INDEX.fields)
    size = -(-len(rows) // shards)
    folders = [tmp_path / f"shard-{n}" for n in range(shards)]
    for number, folder in enumerate(folders):
        indexing.write_shard(rows[number * size : (number + 1) * size], folder, INDEX.fields)
    assert indexing.merge_shards(folders, tmp_path / "merged", INDEX.fields) == len(rows)
    with (
        Searcher(tmp_path / "whole", INDEX.fields, INDEX.bm25) as one,
        Searcher(tmp_path / "merged", INDEX.fields, INDEX.bm25) as other,
    ):
        assert list(one.passages()) == list(other.passages()) == rows
        for row in rows[:20]:
            for depth in (7, 60):
                assert one.search(row.text, ALL, depth) == other.search(row.text, ALL, depth)


def test_the_number_of_documents_is_that_of_the_passages(tmp_path: Path) -> None:
    assert indexing.write_shard(PASSAGES, tmp_path / "ix", INDEX.fields) == len(PASSAGES)
    assert indexing.document_count(tmp_path / "ix") == len(PASSAGES)


def test_fewer_documents_than_given_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "document_count", lambda folder: len(PASSAGES) - 1)
    with pytest.raises(SilverError, match="9 passages given, 8 documents indexed") as caught:
        indexing.write_shard(PASSAGES, tmp_path / "ix", INDEX.fields)
    assert caught.value.exit_code == 1


@pytest.mark.parametrize("passage_id", ["", "1 0", "1-0\n", "1\t0", "1\u00a00"])
def test_an_id_that_would_break_trec_files_is_refused(tmp_path: Path, passage_id: str) -> None:
    row = dataclasses.replace(PASSAGES[0], passage_id=passage_id)
    with pytest.raises(InputError, match="white space"):
        indexing.write_shard([row], tmp_path / "ix", INDEX.fields)


@pytest.mark.parametrize(
    ("starts", "ends"),
    [
        ((0, 5), (4,)),
        ((0,), (4, 9)),
        ((5, 0), (9, 4)),
        ((-3,), (4,)),
        ((0,), (999,)),
        ((0, 3), (4, 9)),
        ((4,), (4,)),
        ((4,), (2,)),
    ],
)
def test_spans_that_cut_no_sentences_out_of_the_text_are_refused(
    tmp_path: Path, starts: tuple[int, ...], ends: tuple[int, ...]
) -> None:
    row = dataclasses.replace(PASSAGES[0], sentence_starts=starts, sentence_ends=ends)
    with pytest.raises(InputError, match="passage '1-0': sentence_starts and sentence_ends"):
        indexing.write_shard([row], tmp_path / "ix", INDEX.fields)


def test_a_passage_without_sentences_is_indexed(tmp_path: Path) -> None:
    row = dataclasses.replace(PASSAGES[0], sentence_starts=(), sentence_ends=())
    assert indexing.write_shard([row], tmp_path / "ix", INDEX.fields) == 1


def test_a_title_that_lucene_cannot_hold_is_refused(tmp_path: Path) -> None:
    row = dataclasses.replace(PASSAGES[0], title="ü" * 20_000)
    with pytest.raises(InputError, match="passage '1-0'"):
        indexing.write_shard([row], tmp_path / "ix", INDEX.fields)


def test_a_passage_without_any_term_is_indexed_and_can_be_read(tmp_path: Path) -> None:
    rows = [passage("1-0", "..."), passage("2-0", "the"), passage("3-0", "Salt.")]
    indexing.write_shard(rows, tmp_path / "ix", INDEX.fields)
    with Searcher(tmp_path / "ix", INDEX.fields, INDEX.bm25) as searcher:
        assert list(searcher.passages()) == rows


def test_a_field_of_one_passage_does_not_leak_into_the_next(tmp_path: Path) -> None:
    rows = [passage("1-0", "salt", title="Tin"), passage("2-0", "iron", title="Ore")]
    indexing.write_shard(rows, tmp_path / "ix", INDEX.fields)
    with Searcher(tmp_path / "ix", INDEX.fields, INDEX.bm25) as searcher:
        assert [hit.passage_id for hit in searcher.search("salt tin", ALL, 5)] == ["1-0"]
