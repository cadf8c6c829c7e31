"""Writing aside and renaming when whole, and the plain text and JSON files written so.

A killed stage leaves either the old file or the new one.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.errors import InputError

STATS = "_stats.json"
ASIDE = ".aside"


@contextlib.contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """A path to write to, which becomes ``path`` when the block ends without an error."""
    if path.is_dir():
        raise InputError(f"{path}: is a folder; expected a file")
    _make_folder(path.parent)
    aside = path.with_name(f"{ASIDE}-{os.getpid()}-{path.name}")
    try:
        yield aside
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


@contextlib.contextmanager
def folder_written_aside(path: Path, ours: Collection[str] | None = None) -> Iterator[Path]:
    """The same for a folder: the old folder stands until the new one is whole.

    ``ours`` names what the stage writes besides its manifest; without it, any folder with a
    manifest counts as its own. A folder that holds anything else is not replaced, so that a
    mistyped ``--out`` loses nothing, not even another stage's output.
    """
    if path.exists() and not path.is_dir():
        raise InputError(f"{path}: is a file; expected a folder")
    if path.exists():
        found = {entry.name for entry in path.iterdir()}
        known = {STATS, *ours} if ours is not None else found if STATS in found else set()
        if strangers := found - known:
            raise InputError(
                f"{path}: holds '{min(strangers)}', which this stage did not write; not touched"
            )
    _make_folder(path.parent)
    aside = path.with_name(f"{ASIDE}-{os.getpid()}-{path.name}")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    try:
        yield aside
        if path.exists():
            old = path.with_name(f"{ASIDE}-old-{os.getpid()}-{path.name}")
            path.replace(old)
            aside.replace(path)
            shutil.rmtree(old)
        else:
            aside.replace(path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be made ({error.strerror})") from None


def remove_leftovers(path: Path) -> None:
    """Remove what a killed run wrote aside for this path and never renamed."""
    for entry in path.parent.glob(f"{ASIDE}-*-{path.name}"):
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a whole text file, UTF-8, aside first."""
    with written_aside(path) as aside:
        aside.write_text(text, encoding="utf-8")


def write_json(path: Path, value: object) -> None:
    """Write JSON that reads well and is the same for the same value: sorted keys, two spaces."""
    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
    write_text(path, text + "\n")


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write lines, each ended by a line feed; returns how many."""
    count = 0
    with written_aside(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as out:
        for line in lines:
            out.write(line)
            out.write("\n")
            count += 1
    return count


@contextlib.contextmanager
def open_text(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a UTF-8 text file, without their ends; a clear error where there is none.

    A byte order mark, which spreadsheets write, is no part of the first line.
    """
    try:
        text = path.open(encoding="utf-8-sig", newline="\n")
    except OSError as error:
        raise _unreadable(path, error) from None
    with text:
        yield _lines_of(text, path)


def _lines_of(text: Iterable[str], path: Path) -> Iterator[str]:
    try:
        for line in text:
            yield line.rstrip("\r\n")
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a UTF-8 text") from None


def _unreadable(path: Path, error: OSError) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError(f"{path}: no such file")
    return InputError(f"{path}: cannot be read ({error.strerror})")


def join_files(pieces: Sequence[Path], path: Path) -> None:
    """Put the bytes of several files into one, in order, and remove them."""
    with written_aside(path) as aside, aside.open("wb") as whole:
        for piece in pieces:
            with piece.open("rb") as part:
                shutil.copyfileobj(part, whole)
    for piece in pieces:
        piece.unlink()


def write_json_lines(path: Path, values: Iterable[Mapping[str, object]]) -> int:
    """Write one JSON object a line; returns how many."""
    return write_lines(path, (json.dumps(value, ensure_ascii=False) for value in values))


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object that a stage wrote."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, ValueError):
        raise InputError(f"{path}: not readable as JSON") from None
    if not isinstance(value, dict):
        raise InputError(f"{path}: expected a JSON object")
    return value
