"""Blocks of bzip2 against the standard library's decompressor."""

import bz2
import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.wikipedia.dump.bzip2 import (
    DamagedBlockError,
    decode_block,
    ends_whole,
    find_marks,
    find_stream_start,
    read_blocks,
)


def blocks(data: bytes) -> list[bytes]:
    return [content for _, content in read_blocks(io.BytesIO(data), 32)]


@given(st.lists(st.binary(max_size=2000), min_size=1, max_size=4), st.integers(1, 9))
def test_the_blocks_together_are_what_the_library_decompresses(
    pieces: list[bytes], level: int
) -> None:
    data = b"".join(bz2.compress(piece, level) for piece in pieces)
    assert b"".join(blocks(data)) == bz2.decompress(data)
    assert ends_whole(data[-12:])


def test_a_stream_of_many_blocks_is_read_from_each_of_them() -> None:
    content = random.Random(5).randbytes(450_000)
    data = bz2.compress(content, 1)
    whole = list(read_blocks(io.BytesIO(data), 32))
    assert len(whole) > 4
    assert b"".join(part for _, part in whole) == content
    for number, (bit, _) in enumerate(whole):
        assert list(read_blocks(io.BytesIO(data), bit)) == whole[number:]


def test_windows_of_large_files_join_without_a_gap() -> None:
    content = random.Random(6).randbytes(4_500_000)
    assert b"".join(blocks(bz2.compress(content))) == content


def test_an_empty_stream_between_others_is_passed_over() -> None:
    assert blocks(bz2.compress(b"a") + bz2.compress(b"") + bz2.compress(b"b")) == [b"a", b"b"]


@pytest.mark.parametrize("tail", [b"x", b"\0\0", b"BZh9", b"<html>"])
def test_bytes_after_the_last_stream_are_a_damage(tail: bytes) -> None:
    with pytest.raises(DamagedBlockError):
        blocks(bz2.compress(b"a") + tail)


def test_a_block_is_decoded_alone_and_a_piece_of_it_is_refused() -> None:
    data = bz2.compress(random.Random(7).randbytes(1000), 1)
    first, last = find_marks(data)[0], find_marks(data)[-1]
    count = last.bit - first.bit
    bits = (int.from_bytes(data, "big") >> (len(data) * 8 - last.bit)) & ((1 << count) - 1)
    assert decode_block(bits, count) == bz2.decompress(data)
    assert decode_block(bits >> 100, count - 100) is None


def test_a_stream_start_needs_header_and_mark() -> None:
    data = b"BZh9 no stream" + bz2.compress(b"a")
    assert find_stream_start(data) == 14
    assert find_stream_start(data, 15) is None


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_damaged_and_no_crash(data: bytes) -> None:
    with pytest.raises(DamagedBlockError):
        list(read_blocks(io.BytesIO(b"BZh9" + data), 32))
