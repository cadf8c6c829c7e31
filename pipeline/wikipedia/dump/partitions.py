"""Cutting dump files into partitions of whole pages, and finding the files and their indexes."""

from __future__ import annotations

import bz2
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pipeline.errors import InputError
from pipeline.wikipedia.dump.bzip2 import (
    LONGEST_BLOCK,
    DamagedBlockError,
    find_marks,
    find_stream_start,
    read_blocks,
)
from pipeline.wikipedia.dump.streams import Compression, Partition

# Task graphs stay small: a dump that would give more partitions gets larger ones.
MOST_PARTITIONS = 4000

_DUMP_NAME = re.compile(r"\.xml(-p\d+p\d+)?(\.(bz2|gz|xz|zst))?\Z", re.IGNORECASE)
_INDEX_NAME = re.compile(r"-index\d*\.", re.IGNORECASE)
_MULTISTREAM = re.compile(r"multistream(\d*)\.xml", re.IGNORECASE)
PAGE_TAG = re.compile(rb"<page[\s>]")
_PIECE = 1 << 20
_LONGEST_OFFSET = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """Where the streams of a multistream dump begin, and how many pages its index lists."""

    path: Path
    offsets: tuple[int, ...]
    pages: int


def find_dump_files(paths: Sequence[Path]) -> list[Path]:
    """The dump files that the paths name, folders searched, in order and each once."""
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        found = sorted(
            entry
            for entry in path.iterdir()
            if entry.is_file()
            and not entry.name.startswith(".")
            and _DUMP_NAME.search(entry.name)
            and not _INDEX_NAME.search(entry.name)
        )
        if not found:
            raise InputError(f"{path}: holds no dump file (*.xml, *.xml.bz2, .gz, .xz or .zst)")
        files += found
    if not files:
        raise InputError("no dump file given")
    once: dict[Path, Path] = {}
    for file in files:
        once.setdefault(file.resolve(), file)
    return list(once.values())


def find_index(dump: Path) -> Path | None:
    """The index that stands beside a multistream dump, by the names that Wikimedia gives."""
    name = _MULTISTREAM.sub(r"multistream-index\1.txt", dump.name)
    if name == dump.name:
        return None
    for candidate in (dump.with_name(name), dump.with_name(name.removesuffix(".bz2"))):
        if candidate.is_file():
            return candidate
    return None


def read_index(path: Path) -> Index:
    """Read a multistream index, ``offset:page_id:title`` a line, plain or compressed by bzip2."""
    offsets: set[int] = set()
    pages = 0
    try:
        for number, line in enumerate(_index_lines(path), 1):
            offset, colon, rest = line.partition(b":")
            digits = offset.isdigit() and len(offset) <= _LONGEST_OFFSET
            if not (digits and colon and rest.partition(b":")[0].isdigit()):
                raise InputError(
                    f"{path}, line {number}: found '{line[:60].decode('utf-8', 'replace')}'; "
                    "expected offset:page_id:title"
                )
            offsets.add(int(offset))
            pages += 1
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, EOFError, ValueError) as error:
        raise InputError(f"{path}: damaged or cut off ({error}); expected an index") from None
    if not pages:
        raise InputError(f"{path}: is empty; expected the index of a multistream dump")
    return Index(path=path, offsets=tuple(sorted(offsets)), pages=pages)


def _index_lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        compressed = file.read(3) == b"BZh"
        file.seek(0)
        if compressed:
            with bz2.open(file) as lines:
                yield from (line.rstrip(b"\r\n") for line in lines)
        else:
            yield from (line.rstrip(b"\r\n") for line in file)


def plan_partitions(
    path: Path, compression: Compression, size: int, index: Index | None = None
) -> list[Partition]:
    """Cut one dump file into partitions of at least ``size`` bytes of the file.

    The cuts are the same with an index and without. A file that can only be read from its start
    (gz, xz, zst) is one partition; ``cut_into_pieces`` makes more of it.
    """
    if compression == "bz2":
        with path.open("rb") as file:
            if index is not None:
                _check_index(file, path, index)
            cuts = _bz2_cuts(file, size, index)
    elif compression == "xml":
        with path.open("rb") as file:
            cuts = _plain_cuts(file, size)
    else:
        cuts = []
    starts = [(0, 0), *cuts]
    ends: list[tuple[int | None, int]] = [*cuts, (None, 0)]
    return [
        Partition(path=path, compression=compression, start=start, skip=skip, end=end, take=take)
        for (start, skip), (end, take) in zip(starts, ends, strict=True)
    ]


def _check_index(file: BinaryIO, path: Path, index: Index) -> None:
    for offset in index.offsets:
        file.seek(offset)
        if find_stream_start(file.read(10)) != 0:
            raise InputError(
                f"{index.path}: names a stream at byte {offset} of {path}, where there is none; "
                "the index does not fit the dump"
            )


def _bz2_cuts(file: BinaryIO, size: int, index: Index | None) -> list[tuple[int, int]]:
    cuts: list[tuple[int, int]] = []
    length = file.seek(0, 2)
    target = size
    while target < length:
        stream = _next_offset(index.offsets, target, target + size) if index else None
        if stream is None:
            stream = _next_stream(file, target, target + size)
        block = _next_block(file, target) if stream is None else (stream + 4) * 8
        cut = None if block is None else _page_start(file, block)
        if cut is None:
            break
        cuts.append(cut)
        target = cut[0] // 8 + size
    return cuts


def _next_offset(offsets: Sequence[int], start: int, end: int) -> int | None:
    place = bisect_left(offsets, start)
    return offsets[place] if place < len(offsets) and offsets[place] < end else None


def _next_stream(file: BinaryIO, start: int, end: int) -> int | None:
    """The first bzip2 stream that begins in the range of bytes."""
    file.seek(start)
    at = start
    while at < end:
        piece = file.read(min(_PIECE, end - at) + 9)
        if not piece:
            return None
        found = find_stream_start(piece)
        if found is not None and at + found < end:
            return at + found
        at += _PIECE
        file.seek(at)
    return None


def _next_block(file: BinaryIO, start: int) -> int | None:
    """The bit at which the first block at or after a byte begins."""
    file.seek(start)
    for mark in find_marks(file.read(2 * LONGEST_BLOCK), start * 8):
        if not mark.ends_stream:
            return mark.bit
    return None


def _page_start(file: BinaryIO, block: int) -> tuple[int, int] | None:
    """The first ``<page>`` in or after a block, as (bit of its block, byte of its content)."""
    tail, tail_bit, tail_length = b"", 0, 0
    try:
        for bit, content in read_blocks(file, block):
            found = PAGE_TAG.search(tail + content)
            if found is not None:
                byte = found.start() - len(tail)
                return (bit, byte) if byte >= 0 else (tail_bit, tail_length + byte)
            tail, tail_bit, tail_length = content[-5:], bit, len(content)
    except DamagedBlockError:
        # The task that reads the place will say so.
        return None
    return None


def _plain_cuts(file: BinaryIO, size: int) -> list[tuple[int, int]]:
    cuts: list[tuple[int, int]] = []
    length = file.seek(0, 2)
    target = size
    while target < length:
        start = _next_page_tag(file, target)
        if start is None:
            break
        cuts.append((start, 0))
        target = start + size
    return cuts


def _next_page_tag(file: BinaryIO, start: int) -> int | None:
    file.seek(start)
    base, data = start, b""
    while piece := file.read(_PIECE):
        data += piece
        found = PAGE_TAG.search(data)
        if found is not None:
            return base + found.start()
        base, data = base + max(0, len(data) - 5), data[-5:]
    return None
