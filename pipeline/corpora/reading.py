"""Opening a corpus file that may be anything: its JSON, its lines, its cells.

A file that is no corpus at all (a saved web page, an empty or cut-off file, another encoding) is
an error that names the line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.errors import InputError

_HTML = re.compile(rb"\s*<(!doctype|html|head|body|\?xml|!--)", re.IGNORECASE)
_BOM = b"\xef\xbb\xbf"
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")


class Line(NamedTuple):
    """One line of a text file, its number from 1, without LF or CRLF.

    ``whole`` is False for a last line without a line end: it may have been cut off.
    """

    number: int
    text: str
    whole: bool


def read_json(path: Path, expected: str = "a corpus") -> Any:
    """The value of a JSON file; one that is something else is an error with its line."""
    text = _decoded(path, _checked_bytes(path, expected))
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        cut = not text[error.pos :].strip() or error.msg.startswith("Unterminated")
        found = "the file ends in the middle of a value" if cut else "not valid JSON"
        raise InputError(
            f"{path}, line {error.lineno}: {found}; expected a whole JSON file"
        ) from None
    except (RecursionError, ValueError):
        raise InputError(f"{path}: JSON nested too deeply or with a number too long") from None


def read_lines(path: Path, expected: str = "a corpus") -> Iterator[Line]:
    """The lines of a text file. Only a line feed ends one: other separators occur in sentences."""
    lines = _decoded(path, _checked_bytes(path, expected)).split("\n")
    last = lines.pop()
    for number, line in enumerate(lines, start=1):
        yield Line(number, line.removesuffix("\r"), True)
    if last:
        yield Line(len(lines) + 1, last, False)


def read_cells(path: Path, columns: Sequence[str]) -> Iterator[tuple[Line, list[str]]]:
    """The lines of a TSV file without quoting, each with its cells, stripped.

    A file of which no line has as many cells as there are columns, or that ends within a line, is
    an error. Single lines with another number of cells are passed on for the reader to drop.
    """
    fits = False
    for line in read_lines(path):
        cells = [cell.strip() for cell in line.text.split("\t")]
        fits = fits or len(cells) == len(columns)
        if not line.whole and len(cells) < len(columns) and fits:
            raise InputError(
                f"{path}, line {line.number}: the file ends in the middle of a line; expected "
                "a whole file"
            )
        yield line, cells
    if not fits:
        raise InputError(
            f"{path}, line 1: no line has {len(columns)} columns; expected {', '.join(columns)}"
        )


def _checked_bytes(path: Path, expected: str) -> bytes:
    try:
        data = path.read_bytes().removeprefix(_BOM)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    if not data.strip():
        raise InputError(f"{path}: empty; expected {expected}")
    if _HTML.match(data):
        raise InputError(
            f"{path}, line 1: a web page (HTML or XML), most likely a failed download; "
            f"expected {expected}"
        )
    if data.startswith(b"version https://git-lfs.github.com/"):
        raise InputError(f"{path}, line 1: a pointer of Git LFS; expected {expected}")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{path}, line 1: encoded in UTF-16; expected UTF-8")
    if data.startswith(_PACKED):
        raise InputError(f"{path}: a packed file; expected {expected}, unpacked")
    return data


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}, line {line}: byte 0x{data[error.start]:02x} is not UTF-8 "
            "(Latin-1 perhaps); expected UTF-8"
        ) from None
