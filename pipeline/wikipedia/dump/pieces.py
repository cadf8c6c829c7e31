"""Cutting a dump that can only be read from its start: one pass of decompression, many pieces.

Alone among the readers of dumps this one writes files, to a folder that the stage gives.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from pipeline.errors import InputError
from pipeline.wikipedia.dump.partitions import PAGE_TAG
from pipeline.wikipedia.dump.streams import Compression, Partition, read_file

# Wikitext in XML is four to five times as long as what gz, xz and zst make of it.
_PLAIN_BYTES = 4
_LEVEL = 1
# All of a tag but its last byte may stand at the end of one chunk.
_SHARED_BYTES = len(b"<page")


def cut_into_pieces(
    path: Path, compression: Compression, size: int, folder: Path, *, keep_partial: bool
) -> list[Partition]:
    """Copy a dump file into pieces of whole pages, each of about ``size`` bytes of the file.

    A damage is an ``InputError`` that names the file; with ``keep_partial`` the last piece ends
    there, and the task that reads it says that the dump is cut off.
    """
    folder.mkdir(parents=True, exist_ok=True)
    copies: list[Path] = []
    starts: list[int] = []
    position = 0
    with contextlib.ExitStack() as stack:
        out: BinaryIO | None = None
        for opens, data in _cut(_chunks(path, compression, keep_partial), size * _PLAIN_BYTES):
            if opens or out is None:
                stack.close()
                copies.append(folder / f"{path.name}-{len(copies):05d}")
                starts.append(position)
                out = stack.enter_context(_compressed(copies[-1]))
            out.write(data)
            position += len(data)
    return [
        Partition(path=path, compression=compression, start=start, end=end, piece=copy)
        for copy, start, end in zip(copies, starts, [*starts[1:], None], strict=True)
    ]


def _chunks(path: Path, compression: Compression, keep_partial: bool) -> Iterator[bytes]:
    try:
        yield from read_file(path, compression)
    except InputError as error:
        if not keep_partial:
            raise InputError(f"{path}: {error}") from None


def _cut(chunks: Iterable[bytes], size: int) -> Iterator[tuple[bool, bytes]]:
    """The bytes in order, and whether a new piece begins with them: at a page, after ``size``."""
    written, opens, tail = 0, True, b""
    for chunk in chunks:
        data, begin = tail + chunk, 0
        while found := PAGE_TAG.search(data, begin + max(size - written, 0)):
            yield opens, data[begin : found.start()]
            written, opens, begin = 0, True, found.start()
        end = max(begin, len(data) - _SHARED_BYTES)
        yield opens, data[begin:end]
        written, opens, tail = written + end - begin, False, data[end:]
    yield opens, tail


@contextlib.contextmanager
def _compressed(path: Path) -> Iterator[BinaryIO]:
    import zstandard

    with (
        path.open("wb") as file,
        zstandard.ZstdCompressor(_LEVEL).stream_writer(file, closefd=False) as out,
    ):
        yield out
