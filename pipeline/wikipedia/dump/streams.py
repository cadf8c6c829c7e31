"""The bytes of a dump, whatever it is compressed with, a whole file or a partition of it."""

from __future__ import annotations

import hashlib
import lzma
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from pipeline.errors import InputError
from pipeline.wikipedia.dump.bzip2 import LONGEST_BLOCK, DamagedBlockError, ends_whole, read_blocks
from pipeline.wikipedia.dump.page_xml import ROOT

Compression = Literal["bz2", "xml", "gz", "xz", "zst"]

READ_FROM_START: frozenset[Compression] = frozenset({"gz", "xz", "zst"})
_MAGIC: tuple[tuple[bytes, Compression], ...] = (
    (b"BZh", "bz2"),
    (b"\x1f\x8b", "gz"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zst"),
)
# The first tag behind the declaration, comments and a document type.
_ROOT = re.compile(
    rb"(?:<\?.*?\?>|<!--.*?-->|\s++)*+(?:<(!doctype\s++html)\b|(?:<![^>]*>\s*)*<([a-z][^\s>/]*))",
    re.IGNORECASE | re.DOTALL,
)
_HTML = frozenset({"html", "head", "body"})
_END_OF_ROOT = re.compile(rb"</mediawiki\s*>(?:<!--.*?-->|\s++)*+\Z", re.DOTALL)
_PIECE = 1 << 18
# What copies of parts of a dump are compressed with: fast both ways.
PIECE_COMPRESSION: Compression = "zst"
_XZ_MEMORY = 1 << 30
_ZST_WINDOW = 1 << 31
# A bzip2 file begins with "BZh9"; its first block comes 32 bits after.
_FIRST_BLOCK = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """A row of whole pages of one dump file: the work of one task.

    ``start`` and ``end`` are bytes of a plain file and bits (of a block's mark) of a bzip2 file.
    ``skip`` bytes of the first block come before the first page; the last page ends ``take``
    bytes into the block at ``end``. ``end`` is None for the rest of the file. Of a file that can
    only be read from its start, they are uncompressed bytes, and ``piece`` is a copy of them.
    """

    path: Path
    compression: Compression
    start: int = 0
    skip: int = 0
    end: int | None = None
    take: int = 0
    piece: Path | None = None

    @property
    def first(self) -> bool:
        """Whether the partition begins with the root element of the dump."""
        return self.start == 0

    @property
    def last(self) -> bool:
        """Whether the partition ends with the dump."""
        return self.end is None


def detect_compression(path: Path) -> Compression:
    """What a dump file is compressed with, by its first bytes; ``InputError`` if it is no dump."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: is no regular file; expected a dump, which is read twice")
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    if not head:
        raise InputError(f"{path}: is empty; expected a MediaWiki dump")
    for magic, compression in _MAGIC:
        if head.startswith(magic):
            return compression
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if root := _ROOT.match(text):
        name = "html" if root[1] else root[2].decode("utf-8", "replace")
        if name.casefold() in _HTML:
            raise InputError(
                f"{path}: is an HTML page, perhaps of a failed download; expected a dump"
            )
        if name != ROOT:
            raise InputError(f"{path}: is no dump: the root is <{name[:40]}>; expected <{ROOT}>")
    if text.startswith(b"<"):
        return "xml"
    raise InputError(
        f"{path}: is no MediaWiki dump; expected XML, plain or compressed with bz2, gz, xz or zst"
    )


def check_end(path: Path, compression: Compression) -> None:
    """Refuse a file that is cut off, as far as its last bytes tell."""
    with path.open("rb") as file:
        file.seek(0, 2)
        file.seek(max(0, file.tell() - 4096))
        tail = file.read()
    if compression == "bz2":
        whole = ends_whole(tail[-12:])
    elif compression == "xml":
        whole = _END_OF_ROOT.search(tail) is not None
    elif compression == "xz":
        whole = tail.rstrip(b"\0").endswith(b"YZ")
    else:
        return
    if not whole:
        raise InputError(f"{path}: is cut off: the end of the dump is missing")


def read_file(path: Path, compression: Compression) -> Iterator[bytes]:
    """The uncompressed bytes of a whole dump file, in pieces."""
    return read_partition(Partition(path=path, compression=compression))


def read_partition(partition: Partition) -> Iterator[bytes]:
    """The uncompressed bytes of a partition, in pieces; ``InputError`` (no file name) on damage."""
    compression = partition.compression if partition.piece is None else PIECE_COMPRESSION
    try:
        with (partition.piece or partition.path).open("rb") as file:
            match compression:
                case "bz2":
                    yield from _read_bz2(file, partition)
                case "xml":
                    yield from _read_plain(file, partition)
                case "gz":
                    yield from _read_gz(file)
                case "xz":
                    yield from _read_xz(file)
                case "zst":
                    yield from _read_zst(file)
    except (DamagedBlockError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise InputError(f"damaged or cut off ({error})") from None


def _read_bz2(file: BinaryIO, partition: Partition) -> Iterator[bytes]:
    skip = partition.skip
    for bit, content in read_blocks(file, partition.start or _FIRST_BLOCK):
        if partition.end is not None and bit >= partition.end:
            yield content[skip : partition.take]
            return
        yield from _pieces(content[skip:])
        skip = 0


def _pieces(content: bytes) -> Iterator[bytes]:
    for start in range(0, len(content), _PIECE):
        yield content[start : start + _PIECE]


def _read_plain(file: BinaryIO, partition: Partition) -> Iterator[bytes]:
    file.seek(partition.start)
    left = None if partition.end is None else partition.end - partition.start
    while left is None or left > 0:
        piece = file.read(_PIECE if left is None else min(_PIECE, left))
        if not piece:
            return
        left = None if left is None else left - len(piece)
        yield piece


def _read_gz(file: BinaryIO) -> Iterator[bytes]:
    # By hand: gzip.GzipFile gives nothing of the last buffer before a cut.
    data = file.read(_PIECE)
    while data:
        member = zlib.decompressobj(wbits=31)
        while not member.eof:
            if not data:
                raise EOFError("the end of the compressed data is missing")
            yield member.decompress(data, _PIECE)
            data = member.unconsumed_tail or (b"" if member.eof else file.read(_PIECE))
        data = (member.unused_data or file.read(_PIECE)).lstrip(b"\0")


def _read_xz(file: BinaryIO) -> Iterator[bytes]:
    # By hand: lzma.LZMAFile bounds no memory, and takes what follows the last stream for nothing.
    data = file.read(_PIECE)
    while data:
        stream = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        while not stream.eof:
            if stream.needs_input and not data:
                raise EOFError("the end of the compressed data is missing")
            yield stream.decompress(data, _PIECE)
            data = file.read(_PIECE) if stream.needs_input else b""
        data = ((data + stream.unused_data) or file.read(_PIECE)).lstrip(b"\0")


def _read_zst(file: BinaryIO) -> Iterator[bytes]:
    import zstandard

    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZST_WINDOW)
    try:
        # A cut-off frame ends quietly here; that the root element does not end tells it.
        with decompressor.stream_reader(file, read_across_frames=True) as reader:
            while piece := reader.read(_PIECE):
                yield piece
    except zstandard.ZstdError as error:
        raise InputError(f"damaged or cut off ({error})") from None


def partition_digest(partition: Partition) -> str:
    """SHA-256 over the compressed bytes that a partition is read from, and where it is cut."""
    unit = 8 if partition.compression == "bz2" else 1
    start = 0 if partition.piece is not None else partition.start // unit
    end = None
    if partition.end is not None and partition.piece is None:
        end = partition.end // unit + (LONGEST_BLOCK if partition.take else 8)
    digest = hashlib.sha256(repr((partition.start % unit, partition.skip, partition.take)).encode())
    with (partition.piece or partition.path).open("rb") as file:
        file.seek(start)
        left = None if end is None else end - start
        while left is None or left > 0:
            piece = file.read(_PIECE if left is None else min(_PIECE, left))
            if not piece:
                break
            left = None if left is None else left - len(piece)
            digest.update(piece)
    return digest.hexdigest()
