"""Searching: ties, long and hostile queries, passages by id."""

import math
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.config import BM25
from pipeline.errors import InputError
from pipeline.lucene import indexing
from pipeline.lucene.searching import Searcher
from tests.fakes import passage
from tests.lucene.conftest import INDEX, PASSAGES, build

CONTENTS = {"contents": 1.0}
ALL = {"contents": 1.0, "bigrams": 1.0, "trigrams": 1.0, "title": 0.5}


def found(searcher: Searcher, text: str, boosts=None, depth: int = 10) -> list[str]:
    return [hit.passage_id for hit in searcher.search(text, boosts or CONTENTS, depth)]


def test_the_best_passage_comes_first_and_scores_fall(searcher: Searcher) -> None:
    hits = searcher.search("the source is a spring near Orvik", ALL, 10)
    assert hits[0].passage_id == "1-1"
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)


def test_a_score_is_bm25_with_the_given_parameters(tmp_path: Path) -> None:
    rows = [
        passage("1-0", "salt salt tin"),
        passage("2-0", "salt"),
        passage("3-0", "iron ore here"),
    ]
    build(tmp_path / "ix", rows)
    for k1, b in ((0.9, 0.4), (1.2, 0.75), (0.0, 0.0)):
        with Searcher(tmp_path / "ix", INDEX.fields, BM25(k1=k1, b=b)) as searcher:
            hits = {hit.passage_id: hit.score for hit in searcher.search("salt", CONTENTS, 10)}
        idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
        average = (3 + 1 + 3) / 3
        for passage_id, count, length in (("1-0", 2, 3), ("2-0", 1, 1)):
            expected = idf * count / (count + k1 * (1 - b + b * length / average))
            assert hits[passage_id] == pytest.approx(expected, rel=1e-6)


def test_boosts_weigh_fields_and_a_field_left_out_is_not_searched(searcher: Searcher) -> None:
    (alone,) = searcher.search("Orvik", {"title": 1.0}, 10)
    assert alone.passage_id == "2-0"
    (doubled,) = searcher.search("Orvik", {"title": 2.0, "contents": 0.0}, 10)
    assert doubled.score == pytest.approx(2 * alone.score, rel=1e-6)
    assert set(found(searcher, "Orvik", {"contents": 1.0})) == {"2-0", "1-1"}


def test_bigrams_find_order_that_single_words_do_not(searcher: Searcher) -> None:
    assert found(searcher, "flows north", {"bigrams": 1.0}) == ["1-0"]
    assert found(searcher, "north flows", {"bigrams": 1.0}) == []
    assert found(searcher, "north", {"bigrams": 1.0, "trigrams": 1.0}) == []


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 100])
def test_ties_are_broken_by_passage_id_at_the_cut_too(searcher: Searcher, depth: int) -> None:
    assert found(searcher, "salt tin", depth=depth) == ["10-0", "10-10", "10-2", "9-1"][:depth]


def test_ties_do_not_depend_on_the_order_of_indexing(tmp_path: Path) -> None:
    rows = [passage(f"{n}-0", "salt and tin") for n in range(1, 300)]
    random.Random(1).shuffle(rows)
    with build(tmp_path / "ix", rows) as searcher:
        assert found(searcher, "salt", depth=50) == sorted(row.passage_id for row in rows)[:50]


def test_an_answer_of_400_words_finds_its_passage_in_all_fields(tmp_path: Path) -> None:
    words = [f"word{n}" for n in range(400)]
    rows = [passage("1-0", " ".join(words)), passage("2-0", "nothing of it, but word7")]
    with build(tmp_path / "ix", rows) as searcher:
        for text in (" ".join(words), " ".join(words * 5)):
            assert found(searcher, text, ALL) == ["1-0", "2-0"]


@pytest.mark.parametrize(
    "text",
    ["", "   ", "...", "the of and", 'AND + - " : ( ^ ~ *', "()", "*:*", "\\", "[* TO *]", "😇",
     "\0", "Ж", "\u200b", "-" * 10_000],
)  # fmt: skip
def test_a_query_of_which_nothing_is_left_finds_nothing(searcher: Searcher, text: str) -> None:
    assert searcher.search(text, ALL, 5) == []


def test_the_syntax_of_queries_has_no_meaning(searcher: Searcher) -> None:
    plain = searcher.search("salt tin traded", ALL, 10)
    for text in (
        "salt AND tin -traded",
        '+salt "tin" traded~',
        "salt tin traded^9",
        "(salt) tin: traded*",
    ):
        assert searcher.search(text, CONTENTS, 10) == searcher.search(
            "salt tin traded", CONTENTS, 10
        )
    assert plain


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text(max_size=60))
def test_no_text_makes_the_search_fail(searcher: Searcher, text: str) -> None:
    hits = searcher.search(text, ALL, 3)
    order = [(-hit.score, hit.passage_id) for hit in hits]
    assert order == sorted(order) and len(hits) <= 3


def test_characters_outside_the_basic_plane_and_other_scripts_are_found(searcher: Searcher) -> None:
    for text in ("😀", "𐌰"):
        assert found(searcher, text) == ["3-0"]
    assert found(searcher, "東京") == ["4-0"]


def test_passages_come_back_as_they_were_indexed(searcher: Searcher) -> None:
    for row in PASSAGES:
        assert searcher.passage(row.passage_id) == row
    assert searcher.passage("1-") is None
    assert searcher.passage("") is None
    assert searcher.passage_count == len(PASSAGES)


def test_many_passages_come_back_at_once_in_the_order_of_the_index(searcher: Searcher) -> None:
    wanted = ["9-1", "1-1", "none", "1-1", "3-0"]
    found = searcher.passages_by_id(wanted)
    assert list(found.values()) == [PASSAGES[1], PASSAGES[6], PASSAGES[7]]
    assert all(key == row.passage_id for key, row in found.items())
    assert searcher.passages_by_id([]) == {}


def test_passages_are_listed_in_the_order_of_indexing(searcher: Searcher) -> None:
    assert list(searcher.passages()) == PASSAGES
    assert list(searcher.passages(2, 4)) == PASSAGES[2:4]
    assert list(searcher.passages(7, 100)) == PASSAGES[7:]


@pytest.mark.parametrize("title", ["Lune", "lune", "IPhone_6", "Zu\u0308rich", "Signs 𐌰"])
def test_articles_are_known_by_their_titles(searcher: Searcher, title: str) -> None:
    assert searcher.holds_article(title)


@pytest.mark.parametrize("title", ["Lun", "", "LUNE", "Salt"])
def test_other_articles_are_not(searcher: Searcher, title: str) -> None:
    assert not searcher.holds_article(title)


def test_a_folder_that_is_no_index_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(InputError, match="no Lucene index"):
            Searcher(folder, INDEX.fields, INDEX.bm25)


@pytest.mark.parametrize("damage", ["remove", "truncate"])
def test_an_index_that_lost_a_file_is_refused(tmp_path: Path, damage: str) -> None:
    indexing.write_shard(PASSAGES, tmp_path / "ix", INDEX.fields)
    for path in (tmp_path / "ix").glob("_*.si" if damage == "remove" else "segments_*"):
        path.unlink() if damage == "remove" else path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match="no whole Lucene index"):
        Searcher(tmp_path / "ix", INDEX.fields, INDEX.bm25)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def overwrite(path: Path) -> None:
    """Other bytes of the same number between a file's header and its footer."""
    whole = path.read_bytes()
    path.write_bytes(whole[:60] + b"\xff" * (len(whole) - 76) + whole[-16:])


def misspell(path: Path) -> None:
    """Documents that lack a field, in a file that is whole otherwise."""
    path.write_bytes(path.read_bytes().replace(b"contents", b"contentz"))


READS: dict[str, Callable[[Searcher], object]] = {
    "passage": lambda searcher: searcher.passage("1-0"),
    "passages_by_id": lambda searcher: searcher.passages_by_id(["1-0"]),
    "passages": lambda searcher: list(searcher.passages()),
    "search": lambda searcher: searcher.search("salt", CONTENTS, 5),
}


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize(
    ("damaged", "damage"),
    [("fdt", overwrite), ("fdm", overwrite), ("fdt", truncate), ("fdm", truncate)],
)
def test_stored_passages_that_are_damaged_are_told_whoever_reads_them(
    tmp_path: Path, damaged: str, damage: Callable[[Path], None], read: str
) -> None:
    rows = [passage(f"{n}-0", f"salt and tin, number {n}") for n in range(50)]
    indexing.write_shard(rows, tmp_path / "ix", INDEX.fields)
    for path in (tmp_path / "ix").glob(f"*.{damaged}"):
        damage(path)
    with (
        pytest.raises(InputError, match=r"ix: .*; run the index stage again"),
        Searcher(tmp_path / "ix", INDEX.fields, INDEX.bm25) as searcher,
    ):
        READS[read](searcher)


def test_a_stored_document_that_is_no_passage_is_told(tmp_path: Path) -> None:
    build(tmp_path / "ix", [passage("1-0", "salt and tin")])
    for path in (tmp_path / "ix").glob("*.fdt"):
        misspell(path)
    with (
        pytest.raises(InputError, match="ix: document 0 is no passage"),
        Searcher(tmp_path / "ix", INDEX.fields, INDEX.bm25) as searcher,
    ):
        searcher.passage("1-0")


@pytest.mark.parametrize("read", ["passage", "passages_by_id", "holds_article"])
def test_terms_that_are_damaged_are_told(tmp_path: Path, read: str) -> None:
    rows = [passage(f"{n}-0", f"salt and tin, number {n}") for n in range(50)]
    indexing.write_shard(rows, tmp_path / "ix", INDEX.fields)
    for path in (tmp_path / "ix").glob("*.tim"):
        overwrite(path)
    reads = READS | {"holds_article": lambda searcher: searcher.holds_article(rows[0].title)}
    with (
        pytest.raises(InputError, match="ix: cannot be searched"),
        Searcher(tmp_path / "ix", INDEX.fields, INDEX.bm25) as searcher,
    ):
        reads[read](searcher)


def test_contents_are_analysed_as_anserini_analyses_english() -> None:
    pytest.importorskip("pyserini")
    from jnius import autoclass

    from pipeline.lucene.analysis import field_analyzer

    ours = field_analyzer(INDEX.fields["contents"])
    utils = autoclass("io.anserini.analysis.AnalyzerUtils")
    theirs = autoclass("io.anserini.analysis.DefaultEnglishAnalyzer").newDefaultInstance()
    for text in ("The rivers' flowing, Israel's U.S. 1,204 km", "don't café ǅ", "a-b_c d/e"):
        assert list(utils.analyze(ours, text)) == list(utils.analyze(theirs, text))


def test_the_java_searcher_of_anserini_reads_the_index(lucene: Path) -> None:
    from pyserini.pyclass import autoclass

    searcher = autoclass("io.anserini.search.SimpleSearcher")(str(lucene))
    hits = searcher.search("a spring near Orvik", 3)
    assert hits[0].docid == "1-1"


def test_ids_that_stand_for_no_passage_are_told(searcher: Searcher) -> None:
    assert searcher.missing(["1-0", "10-10", "1 0", "", "1-9"]) == {"1 0", "", "1-9"}
    assert searcher.missing([]) == set()
