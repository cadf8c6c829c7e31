"""Dumps that can only be read from their start, cut into pieces: no page lost, none in two."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import InputError
from pipeline.wikipedia.dump.pages import read_pages
from pipeline.wikipedia.dump.pieces import _cut, cut_into_pieces
from pipeline.wikipedia.dump.streams import (
    READ_FROM_START,
    detect_compression,
    partition_digest,
    read_partition,
)
from tests.wikipedia.dump_files import compressed, dump_xml, many_pages, page, write_dump

FORMS = sorted(READ_FROM_START)
PAGES = many_pages(120)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [10**9, 10_000, 500])
def test_every_page_is_in_exactly_one_piece(form: str, size: int, tmp_path: Path) -> None:
    path = write_dump(tmp_path, form, PAGES)
    parts = cut_into_pieces(
        path, detect_compression(path), size, tmp_path / "pieces", keep_partial=False
    )
    assert b"".join(b"".join(read_partition(part)) for part in parts) == dump_xml(PAGES)
    pages = [
        [
            found.page_id
            for found in read_pages(read_partition(part), first=part.first, last=part.last)
        ]
        for part in parts
    ]
    assert [number for ids in pages for number in ids] == list(range(1, 121))
    assert all(pages)
    assert (len(parts) > 1) == (size < 10**9)
    assert len({partition_digest(part) for part in parts}) == len(parts)


def test_a_cut_off_zst_frame_ends_quietly_in_pieces(tmp_path: Path) -> None:
    """That the root does not end is said by the task that reads the last piece."""
    path = tmp_path / "cut.dump"
    data = compressed("zst", PAGES)
    path.write_bytes(data[: len(data) // 3])
    assert cut_into_pieces(path, "zst", 10_000, tmp_path / "one", keep_partial=False)


@pytest.mark.parametrize("form", ["gz", "xz"])
def test_a_damage_is_said_before_any_task_starts(form: str, tmp_path: Path) -> None:
    path = tmp_path / "cut.dump"
    data = compressed(form, PAGES)
    path.write_bytes(data[: len(data) // 3])
    found = detect_compression(path)
    with pytest.raises(InputError, match=r"cut\.dump: damaged or cut off"):
        cut_into_pieces(path, found, 10_000, tmp_path / "one", keep_partial=False)
    parts = cut_into_pieces(path, found, 10_000, tmp_path / "two", keep_partial=True)
    read: list[int | None] = []
    with pytest.raises(InputError, match="ends before </mediawiki>"):
        for part in parts:
            for at in read_pages(read_partition(part), first=part.first, last=part.last):
                read.append(at.page_id)
    assert read == list(range(1, len(read) + 1))
    assert len(read) > 20


@given(
    lengths=st.lists(st.integers(0, 12), min_size=1, max_size=8),
    size=st.integers(1, 300),
    chunk=st.integers(1, 90),
)
def test_pieces_are_the_bytes_in_order_cut_only_at_pages(
    lengths: list[int], size: int, chunk: int
) -> None:
    data = dump_xml([page(number, text="x" * length) for number, length in enumerate(lengths)])
    chunks = [data[at : at + chunk] for at in range(0, len(data), chunk)]
    pieces: list[bytes] = []
    for opens, part in _cut(chunks, size):
        if opens or not pieces:
            pieces.append(b"")
        pieces[-1] += part
    assert b"".join(pieces) == data
    assert all(piece.startswith(b"<page>") for piece in pieces[1:])
    assert all(len(piece) >= size for piece in pieces[:-1])
