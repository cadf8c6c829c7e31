"""Reading a bzip2 file from the middle: finding its blocks, decoding them one by one.

A bzip2 stream is a row of independent blocks of at most 900 kB, each opened by a 48-bit mark at
any bit position. Any block can be decoded alone when it is given a header and a footer of its own.
So a dump splits into partitions whether it was written as one stream (bzip2), as many
(multistream, pbzip2), with an index or without.
"""

from __future__ import annotations

import bz2
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

_BLOCK_MARK = 0x314159265359
_END_MARK = 0x177245385090
_MARK_BITS = 48
_CHECKSUM_BITS = 32
_STREAM_START = b"BZh"
# Longer than any block: 900 kB that do not compress grow by about one per cent.
LONGEST_BLOCK = 1 << 20
_WINDOW = 4 * LONGEST_BLOCK


class DamagedBlockError(Exception):
    """Compressed bytes that are no whole block; says at which byte of the file."""


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A place, in bits from the start of the file, where a block begins or a stream ends."""

    bit: int
    ends_stream: bool


def find_marks(data: bytes, first_bit: int = 0) -> list[Mark]:
    """All marks in ``data`` in order; ``first_bit`` is added to each position."""
    marks = []
    for mark, ends_stream in ((_BLOCK_MARK, False), (_END_MARK, True)):
        for shift in range(8):
            window = (mark << (8 - shift)).to_bytes(7, "big")
            # The bytes that the mark fills wholly; the two at its edges are compared after.
            needle, before = (window[:6], 0) if shift == 0 else (window[1:6], 1)
            found = data.find(needle)
            while found >= 0:
                bit = (found - before) * 8 + shift
                if bit >= 0 and _bits(data, bit, _MARK_BITS) == mark:
                    marks.append(Mark(first_bit + bit, ends_stream))
                found = data.find(needle, found + 1)
    return sorted(marks)


def _bits(data: bytes, bit: int, count: int) -> int | None:
    """``count`` bits of ``data`` from a bit position; None where the data ends before."""
    start, end = bit // 8, (bit + count + 7) // 8
    if end > len(data):
        return None
    value = int.from_bytes(data[start:end], "big") >> (end * 8 - bit - count)
    return value & ((1 << count) - 1)


def find_stream_start(data: bytes, first: int = 0) -> int | None:
    """Position of the first bzip2 stream with content that begins in ``data`` at or after it."""
    mark = _BLOCK_MARK.to_bytes(6, "big")
    found = data.find(mark, first + 4)
    while found >= 0:
        start = found - 4
        if data[start : start + 3] == _STREAM_START and data[start + 3 : start + 4] in b"123456789":
            return start
        found = data.find(mark, found + 1)
    return None


def ends_whole(tail: bytes) -> bool:
    """Whether the last bytes of a file (12 are enough) close a bzip2 stream."""
    for mark in find_marks(tail):
        rest = len(tail) * 8 - (mark.bit + _MARK_BITS + _CHECKSUM_BITS)
        if mark.ends_stream and 0 <= rest < 8:
            return True
    return False


def decode_block(bits: int, count: int) -> bytes | None:
    """The content of one block given as a number of ``count`` bits; None if it is damaged."""
    if count < _MARK_BITS + _CHECKSUM_BITS:
        return None
    checksum = (bits >> (count - _MARK_BITS - _CHECKSUM_BITS)) & 0xFFFFFFFF
    stream = (bits << (_MARK_BITS + _CHECKSUM_BITS)) | (_END_MARK << _CHECKSUM_BITS) | checksum
    length = count + _MARK_BITS + _CHECKSUM_BITS
    padding = -length % 8
    decompressor = bz2.BZ2Decompressor()
    try:
        content = decompressor.decompress(
            b"BZh9" + (stream << padding).to_bytes((length + padding) // 8, "big")
        )
    except (OSError, ValueError):
        return None
    return content if decompressor.eof else None


def read_blocks(file: BinaryIO, first_bit: int) -> Iterator[tuple[int, bytes]]:
    """Each block from the one that begins at ``first_bit`` on: its position and its content.

    Goes on over ends of streams to the end of the file. Raises ``DamagedBlockError`` where the
    bytes are no block; a file that ends inside a block is damaged too.
    """
    at, base, window, marks = first_bit, 0, b"", [Mark(-1, False)]
    more = True
    while True:
        if more and base + len(window) < at // 8 + 2 * LONGEST_BLOCK:
            base = at // 8
            file.seek(base)
            window = file.read(_WINDOW)
            marks = find_marks(window, base * 8)
            more = len(window) == _WINDOW
        number = bisect_left(marks, at, key=lambda mark: mark.bit)
        if number == len(marks) or marks[number].bit != at:
            raise DamagedBlockError(f"no bzip2 block at byte {at // 8}")
        if marks[number].ends_stream:
            start = (at + _MARK_BITS + _CHECKSUM_BITS + 7) // 8 - base
            if start == len(window):
                return
            if window[start : start + 3] != _STREAM_START:
                raise DamagedBlockError(f"no bzip2 stream at byte {base + start}")
            at = (base + start + 4) * 8
            continue
        # The 48 bits of a mark may occur inside a block by chance: then the one after ends it.
        for end in marks[number + 1 : number + 3]:
            count = end.bit - at
            content = decode_block(_bits(window, at - base * 8, count) or 0, count)
            if content is not None:
                break
        else:
            raise DamagedBlockError(f"damaged bzip2 block at byte {at // 8}")
        yield at, content
        at = end.bit
