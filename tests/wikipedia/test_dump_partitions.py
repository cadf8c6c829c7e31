"""Dump files cut into partitions: the same pages however compressed and however cut."""

import bz2
import os
import random
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.wikipedia.dump.page_xml import Page
from pipeline.wikipedia.dump.pages import read_pages
from pipeline.wikipedia.dump.partitions import (
    Index,
    find_dump_files,
    find_index,
    plan_partitions,
    read_index,
)
from pipeline.wikipedia.dump.streams import check_end, detect_compression, read_partition
from tests.wikipedia.dump_files import FORMS, compressed, many_pages, multistream, write_dump

PAGES = many_pages(120)
CHECKED_AT_THE_END = ("xml", "bz2", "multistream", "pbzip2", "xz")


def read(path: Path, size: int, index: Index | None = None) -> list[list[Page]]:
    return [
        list(read_pages(read_partition(part), first=part.first, last=part.last))
        for part in plan_partitions(path, detect_compression(path), size, index)
    ]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [10**9, 40_000, 2_000])
def test_every_page_is_in_exactly_one_partition(form: str, size: int, tmp_path: Path) -> None:
    path = write_dump(tmp_path, form, PAGES)
    check_end(path, detect_compression(path))
    parts = read(path, size)
    assert [page.page_id for part in parts for page in part] == list(range(1, 121))
    if form in ("xml", "multistream", "bz2", "pbzip2") and size < 10**9:
        assert len(parts) > 1
        assert all(parts)


@pytest.mark.parametrize("size", [10_000, 30_000, 10**9])
def test_the_cuts_are_the_same_with_an_index_and_without(size: int, tmp_path: Path) -> None:
    data, lines = multistream(PAGES)
    path = tmp_path / "t-multistream.xml.bz2"
    path.write_bytes(data)
    path.with_name("t-multistream-index.txt.bz2").write_bytes(bz2.compress(lines.encode()))
    found = find_index(path)
    assert found is not None
    index = read_index(found)
    assert index.pages == 120
    assert plan_partitions(path, "bz2", size, index) == plan_partitions(path, "bz2", size)


@pytest.mark.parametrize(
    ("dump", "index"),
    [
        ("w-pages-articles-multistream.xml.bz2", "w-pages-articles-multistream-index.txt.bz2"),
        ("w-multistream.xml.bz2", "w-multistream-index.txt"),
        ("w-multistream2.xml-p5p9.bz2", "w-multistream-index2.txt-p5p9.bz2"),
    ],
)
def test_an_index_is_found_by_its_name(dump: str, index: str, tmp_path: Path) -> None:
    assert find_index(tmp_path / dump) is None
    (tmp_path / index).write_text("")
    assert find_index(tmp_path / dump) == tmp_path / index


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("123456:1:T\n", "does not fit"),
        ("17:1:T\n", "does not fit"),
        ("0:1:T\nnonsense\n", "line 2"),
        ("0:x:T\n", "line 1"),
        ("", "empty"),
    ],
)
def test_an_index_that_does_not_fit_is_an_input_error(
    lines: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "t.xml.bz2"
    path.write_bytes(multistream(PAGES)[0])
    index = tmp_path / "index.txt"
    index.write_text(lines)
    with pytest.raises(InputError, match=said) as caught:
        plan_partitions(path, "bz2", 10_000, read_index(index))
    assert str(index) in str(caught.value)


def test_a_cut_off_index_is_an_input_error(tmp_path: Path) -> None:
    index = tmp_path / "index.txt.bz2"
    index.write_bytes(bz2.compress(b"0:1:T\n" * 1000)[:-9])
    with pytest.raises(InputError, match="index"):
        read_index(index)


@pytest.mark.parametrize("form", FORMS)
def test_a_cut_off_dump_is_an_input_error_at_any_byte(form: str, tmp_path: Path) -> None:
    data = compressed(form, PAGES)
    whole = [page for part in read(write_dump(tmp_path, form, PAGES), 10**9) for page in part]
    rng = random.Random(form)
    path = tmp_path / "cut"
    for cut in [rng.randrange(1, len(data) - 20) for _ in range(8)]:
        path.write_bytes(data[:cut])
        if form in CHECKED_AT_THE_END:
            with pytest.raises(InputError):
                check_end(path, detect_compression(path))
        found: list[Page] = []
        with pytest.raises(InputError):
            for part in plan_partitions(
                path, detect_compression(path), rng.choice((20_000, 10**9))
            ):
                for page in read_pages(read_partition(part), first=part.first, last=part.last):
                    found.append(page)
        assert found == whole[: len(found)]


@pytest.mark.parametrize("form", ["bz2", "multistream", "pbzip2", "gz", "xz"])
def test_a_flipped_bit_is_never_read_over(form: str, tmp_path: Path) -> None:
    data = compressed(form, PAGES)
    whole = [page for part in read(write_dump(tmp_path, form, PAGES), 10**9) for page in part]
    rng = random.Random(form)
    path = tmp_path / "damaged"
    for _ in range(8):
        damaged = bytearray(data)
        damaged[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        try:
            found = [page for part in read(path, 20_000) for page in part]
        except InputError:
            continue
        # Some bits of a header carry nothing.
        assert found == whole


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"<!DOCTYPE html><html><body>404</body></html>", "HTML"),
        (b"\n<!-- x --><HTML>", "HTML"),
        (b"7z\xbc\xaf\x27\x1c", "no MediaWiki dump"),
        (b"PK\x03\x04", "no MediaWiki dump"),
        (b"hello", "no MediaWiki dump"),
    ],
)
def test_what_is_no_dump_is_refused_by_name(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "dump.xml.bz2"
    path.write_bytes(content)
    with pytest.raises(InputError, match=said) as caught:
        detect_compression(path)
    assert str(path) in str(caught.value)


def test_a_missing_dump_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        detect_compression(tmp_path / "none.xml")


def test_a_folder_stands_for_its_dump_files_without_indexes(tmp_path: Path) -> None:
    for name in (
        "w-multistream2.xml-p9p12.bz2",
        "w-multistream1.xml-p1p8.bz2",
        "w-multistream-index1.txt-p1p8.bz2",
        "w-pages.xml.gz",
        "md5sums.txt",
        ".w.xml",
        "page.sql.gz",
    ):
        (tmp_path / name).write_text("x")
    assert [path.name for path in find_dump_files([tmp_path])] == [
        "w-multistream1.xml-p1p8.bz2",
        "w-multistream2.xml-p9p12.bz2",
        "w-pages.xml.gz",
    ]


def test_a_folder_without_dump_files_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no dump file"):
        find_dump_files([tmp_path])


def test_a_file_named_in_two_ways_is_read_once(tmp_path: Path) -> None:
    path = write_dump(tmp_path, "xml", PAGES[:2])
    other = tmp_path / ".." / tmp_path.name / path.name
    assert find_dump_files([path, other, tmp_path]) == [path]


def test_an_offset_longer_than_any_file_names_its_line(tmp_path: Path) -> None:
    index = tmp_path / "w-multistream-index.txt"
    index.write_text("600:1:A\n99999999999999999999:1:T\n")
    with pytest.raises(InputError, match=r"index\.txt, line 2: found '9{20}:1:T'"):
        read_index(index)


def test_a_comment_behind_the_root_ends_no_dump(tmp_path: Path) -> None:
    path = write_dump(tmp_path, "xml", PAGES[:2])
    path.write_bytes(path.read_bytes() + b"<!-- dump done -->\n")
    check_end(path, "xml")
    assert len(read(path, 10**9)[0]) == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC 'a' 'b'>\n<html></html>", "an HTML page"),
        ("<!-- a --><html xmlns='b'><body></body></html>", "an HTML page"),
        ("<?xml version='1.0'?><rss version='2.0'></rss>", "the root is <rss>"),
        ("<mediawikis></mediawikis>", "the root is <mediawikis>"),
    ],
)
def test_what_has_another_root_is_no_dump(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "w.xml"
    path.write_text(content)
    with pytest.raises(InputError, match=rf"w\.xml: is .*{said}"):
        detect_compression(path)


def test_a_pipe_is_refused_by_name(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.xml.gz")
    with pytest.raises(InputError, match=r"pipe\.xml\.gz: is no regular file"):
        detect_compression(tmp_path / "pipe.xml.gz")
