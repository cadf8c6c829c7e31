"""The extract stage end to end on small dumps: what is written, kept, refused."""

import gzip
import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from pipeline import files
from pipeline.config import Compute, Config, load_config
from pipeline.errors import InputError
from pipeline.records import Article, Passage, Redirect
from pipeline.stages.extract import run_extract
from tests.fakes import PARAMS, passage
from tests.wikipedia.dump_files import (
    FORMS,
    compressed,
    dump_xml,
    many_pages,
    multistream,
    page,
    whole_pages,
    write_dump,
)

MIXED = [
    page(10, "Anarchism", "'''Anarchism''' is a view. It is old.\n\nIt has [[friend]]s."),
    page(11, "Moved", "#REDIRECT [[anarchism]]"),
    page(12, "Verschoben", "#WEITERLEITUNG [[Anarchism]]"),
    page(13, "Element", "", page='<redirect title="Anarchism"/>'),
    page(14, "Bare", "#REDIRECT [[Anarchism#Top]]", page="<redirect />"),
    page(15, "Lost", "nothing", page="<redirect />"),
    page(16, "Talk:Anarchism", "Hello.", ns=1),
    page(17, "Data", "{}", model="json"),
    page(18, "Blank", ""),
    page(19, "Star: The Story", "A film."),
]


def settings(megabytes: float = 4.0) -> Config:
    return load_config(PARAMS, [f"extract.partition_megabytes={megabytes}"])


def compute(workers: int = 1) -> Compute:
    return Compute(workers=workers, memory=None, scheduler=None, java_heap="1g", quiet=True)


def extract(
    dump: Path | list[Path], out: Path, megabytes: float = 4.0, **options: Any
) -> dict[str, Any]:
    dumps = dump if isinstance(dump, list) else [dump]
    workers = options.pop("workers", 1)
    return run_extract(dumps, out, settings(megabytes), compute(workers), **options)


def rows(folder: Path, record: type[Any]) -> list[Any]:
    return [row for part in files.list_parts(folder) for row in files.read_records(part, record)]


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_every_page_becomes_an_article_a_redirect_or_a_counted_drop(tmp_path: Path) -> None:
    out = tmp_path / "articles"
    counts = extract(write_dump(tmp_path, "bz2", MIXED), out)
    assert counts["dropped"] == {
        "empty text": 1,
        "other content model": 1,
        "other namespace": 1,
        "redirect without target": 1,
    }
    assert (counts["pages"], counts["articles"], counts["redirects"]) == (10, 2, 4)
    articles = rows(out, Article)
    assert [(a.page_id, a.revision_id, a.title) for a in articles] == [
        (10, 1010, "Anarchism"),
        (19, 1019, "Star: The Story"),
    ]
    assert [block.text for block in articles[0].blocks] == [
        "Anarchism is a view. It is old.",
        "It has friends.",
    ]
    assert [(r.title, r.target, r.page_id) for r in rows(out / "redirects", Redirect)] == [
        ("Moved", "Anarchism", 11),
        ("Verschoben", "Anarchism", 12),
        ("Element", "Anarchism", 13),
        ("Bare", "Anarchism", 14),
    ]
    rejected = (out / "rejected" / "part-00000.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(rejected[0]) == {
        "reason": "redirect without target",
        "title": "Lost",
        "page_id": 15,
        "dump": "test-pages-articles.xml.bz2",
    }
    assert len(rejected) == 4
    stats = files.read_stats(out)
    assert stats["counts"] == counts
    assert str(tmp_path) not in json.dumps(stats)
    assert not (out / files.UNFINISHED).exists()


@pytest.mark.parametrize("form", FORMS)
def test_the_articles_are_the_same_however_the_dump_is_compressed(
    form: str, tmp_path: Path
) -> None:
    pages = many_pages(60)
    extract(write_dump(tmp_path, form, pages), tmp_path / "out", 0.02)
    assert [a.page_id for a in rows(tmp_path / "out", Article)] == list(range(1, 61))


def test_one_or_two_workers_write_the_same_bytes(tmp_path: Path) -> None:
    dump = write_dump(tmp_path, "multistream", many_pages(90))
    one, two = tmp_path / "one", tmp_path / "two"
    assert extract(dump, one, 0.02) == extract(dump, two, 0.02, workers=2)
    assert len(files.list_parts(one)) > 2
    assert snapshot(one) == snapshot(two)


def test_a_dump_that_is_read_from_its_start_is_many_parts_and_leaves_no_copies(
    tmp_path: Path,
) -> None:
    dump = write_dump(tmp_path, "zst", many_pages(90))
    one, two = tmp_path / "one", tmp_path / "two"
    assert extract(dump, one, 0.02) == extract(dump, two, 0.02, workers=2)
    assert len(files.list_parts(one)) > 2
    assert snapshot(one) == snapshot(two)
    assert {entry.name for entry in tmp_path.iterdir()} == {dump.name, "one", "two"}


def test_a_second_run_keeps_the_parts_that_are_current(tmp_path: Path) -> None:
    dump, out = write_dump(tmp_path, "multistream", many_pages(60)), tmp_path / "out"
    extract(dump, out, 0.02)
    before = snapshot(out)
    parts = files.list_parts(out)
    parts[1].unlink()
    kept = {part: part.stat().st_mtime_ns for part in parts if part.exists()}
    time.sleep(0.01)
    assert extract(dump, out, 0.02)["parts_kept"] == len(parts) - 1
    assert snapshot(out) == before
    assert {part: part.stat().st_mtime_ns for part in kept} == kept


def test_fewer_partitions_leave_no_old_part(tmp_path: Path) -> None:
    dump, out = write_dump(tmp_path, "multistream", many_pages(60)), tmp_path / "out"
    extract(dump, out, 0.02)
    extract(dump, out)
    fresh = tmp_path / "fresh"
    extract(dump, fresh)
    assert snapshot(out) == snapshot(fresh)


def test_a_folder_of_dumps_is_read_in_order_of_names(tmp_path: Path) -> None:
    folder = tmp_path / "dumps"
    folder.mkdir()
    for name, ids in (("w2.xml", (3, 4)), ("w1.xml", (8, 9))):
        (folder / name).write_bytes(dump_xml([page(n) for n in ids]))
    extract(folder, tmp_path / "out")
    assert [a.page_id for a in rows(tmp_path / "out", Article)] == [8, 9, 3, 4]


@pytest.mark.parametrize("megabytes", [4.0, 0.02])
@pytest.mark.parametrize("text", ["The same id.", "#REDIRECT [[Sea]]"])
def test_a_page_twice_in_one_dump_is_refused_however_it_is_cut(
    megabytes: float, text: str, tmp_path: Path
) -> None:
    dump = write_dump(tmp_path, "xml", [*many_pages(60), page(3, "Again", text)])
    with pytest.raises(InputError, match=r"xml: page id 3 was read before; expected"):
        extract(dump, tmp_path / "out", megabytes)
    assert not (tmp_path / "out" / files.STATS).exists()


def test_a_page_in_two_dumps_is_refused_with_both_names(tmp_path: Path) -> None:
    for name in ("a.xml", "b.xml"):
        (tmp_path / name).write_bytes(dump_xml([page(5)]))
    with pytest.raises(InputError, match=r"b\.xml: page id 5 .*a\.xml"):
        extract([tmp_path / "a.xml", tmp_path / "b.xml"], tmp_path / "out")
    assert not (tmp_path / "out" / files.STATS).exists()


@pytest.mark.parametrize("form", FORMS)
def test_a_cut_off_dump_leaves_no_output_that_looks_whole(form: str, tmp_path: Path) -> None:
    path = tmp_path / "cut.dump"
    data = compressed(form, many_pages(60))
    path.write_bytes(data[: len(data) * 2 // 3])
    with pytest.raises(InputError, match=r"cut\.dump"):
        extract(path, tmp_path / "out", 0.02)
    assert not (tmp_path / "out" / files.STATS).exists()


@pytest.mark.parametrize("form", FORMS)
def test_keep_partial_keeps_the_whole_pages_before_the_cut(form: str, tmp_path: Path) -> None:
    path, out = tmp_path / "cut.dump", tmp_path / "out"
    data = compressed(form, many_pages(60))
    path.write_bytes(data[: len(data) * 2 // 3])
    for _ in range(2):
        with pytest.raises(InputError, match=r"cut\.dump"):
            extract(path, out, 0.02, keep_partial=True)
        ids = [a.page_id for a in rows(out, Article)]
        assert ids == list(range(1, len(ids) + 1))
        least = whole_pages(path.read_bytes()) if form == "bz2" else 20
        assert least <= len(ids) < 60
        assert files.read_stats(out)["counts"]["articles"] == len(ids)
        assert files.read_stats(out)["partial"]
    with pytest.raises(InputError, match=r"cut\.dump"):
        extract(path, out, 0.02)


@pytest.mark.parametrize("form", ["xml", "gz"])
def test_keep_partial_keeps_pages_before_an_early_damage(form: str, tmp_path: Path) -> None:
    path, out = tmp_path / "hurt.dump", tmp_path / "out"
    text = compressed("xml", many_pages(60)).replace(b"<id>30</id>", b"<id<30</id>")
    assert len(text) < 256_000
    path.write_bytes(gzip.compress(text) if form == "gz" else text)
    with pytest.raises(InputError, match=r"hurt\.dump: not well-formed"):
        extract(path, out, keep_partial=True)
    assert [a.page_id for a in rows(out, Article)] == list(range(1, 30))


def test_a_page_without_a_positive_id_is_dropped(tmp_path: Path) -> None:
    dump = write_dump(tmp_path, "xml", [page(-9), page(0), page(1)])
    counts = extract(dump, tmp_path / "out")
    assert counts["dropped"] == {"no page id": 2}
    assert [a.page_id for a in rows(tmp_path / "out", Article)] == [1]


def test_keep_partial_stops_at_a_damage_in_the_middle(tmp_path: Path) -> None:
    path, out = tmp_path / "hurt.xml.bz2", tmp_path / "out"
    data = bytearray(multistream(many_pages(80))[0])
    data[len(data) // 2] ^= 0x10
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"hurt\.xml\.bz2.*damaged"):
        extract(path, out, 0.02, keep_partial=True)
    ids = [a.page_id for a in rows(out, Article)]
    assert ids == list(range(1, len(ids) + 1))
    assert 20 < len(ids) < 45


def test_keep_partial_needs_no_index_that_fits(tmp_path: Path) -> None:
    data, lines = multistream(many_pages(60))
    path = tmp_path / "w-multistream.xml.bz2"
    path.write_bytes(data[: len(data) // 2])
    path.with_name("w-multistream-index.txt").write_text(lines, encoding="utf-8")
    with pytest.raises(InputError, match="cut off"):
        extract(path, tmp_path / "out", keep_partial=True)
    assert len(rows(tmp_path / "out", Article)) > 20


def test_a_cut_off_dump_does_not_touch_an_earlier_output(tmp_path: Path) -> None:
    dump, out = write_dump(tmp_path, "bz2", many_pages(30)), tmp_path / "out"
    extract(dump, out)
    before = snapshot(out)
    dump.write_bytes(dump.read_bytes()[:-300])
    with pytest.raises(InputError, match="cut off"):
        extract(dump, out)
    assert snapshot(out) == before


@pytest.mark.parametrize("content", [b"", b"<!DOCTYPE html><html></html>", b"hello"])
def test_what_is_no_dump_is_refused_before_anything_is_written(
    content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "dump.xml"
    path.write_bytes(content)
    for keep_partial in (False, True):
        with pytest.raises(InputError, match=r"dump\.xml"):
            extract(path, tmp_path / "out", keep_partial=keep_partial)
    assert not (tmp_path / "out").exists()


def test_an_index_beside_the_dump_is_used_and_must_fit(tmp_path: Path) -> None:
    data, lines = multistream(many_pages(60))
    dump = tmp_path / "w-multistream.xml.bz2"
    index = tmp_path / "w-multistream-index.txt"
    dump.write_bytes(data)
    index.write_text(lines, encoding="utf-8")
    assert extract(dump, tmp_path / "out", 0.02)["articles"] == 60
    index.write_text(lines.partition("\n")[2], encoding="utf-8")
    with pytest.raises(InputError, match=r"index\.txt: lists 59 pages"):
        extract(dump, tmp_path / "out", 0.02)
    assert not (tmp_path / "out" / files.STATS).exists()
    other = tmp_path / "other.txt"
    other.write_text("77:1:T\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"other\.txt"):
        extract(dump, tmp_path / "out", dump_index=other)


def test_a_folder_of_foreign_files_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match=r"thesis\.txt"):
        extract(write_dump(tmp_path, "bz2", MIXED), out)
    assert (out / "thesis.txt").read_text() == "mine"


def test_the_output_of_another_stage_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "passages"
    files.write_records(out / "part-00000.parquet", Passage, [passage("1-0", "It is.")])
    with pytest.raises(InputError, match=r"part-00000\.parquet.*not touched"):
        extract(write_dump(tmp_path, "bz2", MIXED), out)
    assert files.row_count(out / "part-00000.parquet", Passage) == 1


# ---------------------------------------------------------------- real excerpts


@pytest.mark.real
def test_every_real_excerpt_is_extracted_to_its_last_page(real_data: Path, tmp_path: Path) -> None:
    for dump in sorted((real_data / "dumps").glob("*excerpt.xml.bz2")):
        counts = extract(dump, tmp_path / dump.name, 0.3)
        dropped = counts["dropped"].values()
        assert counts["pages"] == counts["articles"] + counts["redirects"] + sum(dropped) > 0
        if dump.name == "enwiki-2016-excerpt.xml.bz2":
            assert (counts["pages"], counts["articles"]) == (206, 106)


@pytest.mark.real
def test_real_excerpts_cut_anywhere_are_input_errors(real_data: Path, tmp_path: Path) -> None:
    dump = tmp_path / "enwiki.xml.bz2"
    shutil.copy(real_data / "dumps" / "enwiki-2016-excerpt.xml.bz2", dump)
    data = dump.read_bytes()
    for cut in (1, 3, 12, 40, 1000, len(data) // 5, len(data) - 1):
        dump.write_bytes(data[:cut])
        with pytest.raises(InputError):
            extract(dump, tmp_path / "out")
        assert not (tmp_path / "out" / files.STATS).exists()
