"""Writing aside and renaming when whole, and the plain text and JSON files written so.

A killed stage leaves either the old file or the new one.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from pipeline.errors import InputError

STATS = "_stats.json"
ASIDE = ".aside"
_ASIDE_NAME = re.compile(re.escape(ASIDE) + r"-(?:old-)?(?P<pid>\d{1,9})-(?P<name>.+)", re.DOTALL)


@contextlib.contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """A path to write to, which becomes ``path`` when the block ends without an error.

    A link is followed, so that it stays a link; a device or a pipe is not replaced.
    """
    path = path.resolve()
    if path.is_dir():
        raise InputError(f"{path}: is a folder; expected a file")
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: is no regular file; not touched")
    make_folder(path.parent)
    remove_leftovers(path)
    aside = path.with_name(f"{ASIDE}-{os.getpid()}-{path.name}")
    try:
        with _named(path):
            yield aside
            aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """An error of the system, such as a full disk, names the path and not what is beside it."""
    try:
        yield
    except OSError as error:
        if error.filename is None or ASIDE in str(error.filename):
            error.filename = str(path)
        raise


@contextlib.contextmanager
def folder_written_aside(path: Path, ours: Collection[str] | None = None) -> Iterator[Path]:
    """The same for a folder: the old folder stands until the new one is whole.

    ``ours`` names what the stage writes besides its manifest; without it, any folder with a
    manifest counts as its own. A folder that holds anything else is not replaced, so that a
    mistyped ``--out`` loses nothing, not even another stage's output.
    """
    path = path.resolve()
    if path.exists() and not path.is_dir():
        raise InputError(f"{path}: is a file; expected a folder")
    if path.exists():
        found = {entry.name for entry in path.iterdir()}
        if found and STATS not in found:
            raise InputError(f"{path}: holds '{min(found)}' but no {STATS} of a stage; not touched")
        known = {STATS, *ours} if ours is not None else found if STATS in found else set()
        if strangers := found - known:
            raise InputError(
                f"{path}: holds '{min(strangers)}', which this stage did not write; not touched"
            )
    make_folder(path.parent)
    remove_leftovers(path)
    aside = path.with_name(f"{ASIDE}-{os.getpid()}-{path.name}")
    aside.mkdir()
    try:
        yield aside
        remove_leftovers_below(aside)
        if path.exists():
            old = path.with_name(f"{ASIDE}-old-{os.getpid()}-{path.name}")
            path.replace(old)
            aside.replace(path)
            shutil.rmtree(old)
        else:
            aside.replace(path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


@contextlib.contextmanager
def scratch_folder(path: Path) -> Iterator[Path]:
    """A hidden folder beside ``path``, not yet made, that is gone when the block ends."""
    path = path.resolve()
    remove_leftovers(path.with_name(f"{path.name}.scratch"))
    scratch = path.with_name(f"{ASIDE}-{os.getpid()}-{path.name}.scratch")
    try:
        with _named(path):
            yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def check_folder(path: Path) -> None:
    """An error where a folder that is read is not there."""
    if not path.is_dir():
        raise InputError(f"{path}: no such folder")


def make_folder(path: Path) -> None:
    """Make a folder and those above it; a clear error where that cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be made ({error.strerror})") from None


def remove_leftovers(path: Path) -> None:
    """Remove what a killed run wrote aside for this path and never renamed."""
    _remove_leftovers(path.parent.glob(f"{ASIDE}-*"), path.name)


def remove_leftovers_below(folder: Path) -> None:
    """Remove what killed runs and workers wrote aside anywhere in a folder."""
    _remove_leftovers(folder.rglob(f"{ASIDE}-*"))


def _remove_leftovers(entries: Iterable[Path], name: str | None = None) -> None:
    """What another process that is alive writes at this moment is left alone."""
    for entry in list(entries):
        found = _ASIDE_NAME.fullmatch(entry.name)
        if found is None or name not in (None, found["name"]) or is_at_work(int(found["pid"])):
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)


def is_at_work(pid: int) -> bool:
    """Whether another process of this number is alive. Our own number was a dead process's too."""
    if pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def write_text(path: Path, text: str) -> None:
    """Write a whole text file, UTF-8, aside first."""
    with written_aside(path) as aside:
        aside.write_text(text, encoding="utf-8")


def write_json(path: Path, value: object) -> None:
    """Write JSON that reads well and is the same for the same value: sorted keys, two spaces."""
    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
    write_text(path, text + "\n")


@contextlib.contextmanager
def lines_writer(path: Path) -> Iterator[IO[str]]:
    """A UTF-8 text file to write to, which appears at ``path`` when the block ends well."""
    with written_aside(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as out:
        yield out


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write lines, each ended by a line feed; returns how many."""
    count = 0
    with lines_writer(path) as out:
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
        raise unreadable(path, error) from None
    with text:
        yield _lines_of(text, path)


def _lines_of(text: Iterable[str], path: Path) -> Iterator[str]:
    try:
        for line in text:
            yield line.rstrip("\r\n")
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a UTF-8 text") from None


def unreadable(path: Path, error: OSError) -> InputError:
    """The error for a file that the system refuses to read."""
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
