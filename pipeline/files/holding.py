"""One process at a time in a folder of half-done work."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from pipeline.errors import InputError
from pipeline.files.aside import is_at_work, make_folder

_HOLDER = ".held-by-"


@contextlib.contextmanager
def held_alone(folder: Path) -> Iterator[None]:
    """Hold a folder of half-done work while the block runs; who comes later is refused.

    The holder is known by a file named for its process, so that a killed one holds nothing. A
    folder that is empty at the end is removed.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file; expected a folder")
    make_folder(folder)
    mine = folder / f"{_HOLDER}{os.getpid()}"
    mine.touch()
    try:
        for entry in sorted(folder.glob(f"{_HOLDER}*")):
            number = entry.name.removeprefix(_HOLDER)
            if entry == mine or not re.fullmatch(r"\d{1,9}", number):
                continue
            if is_at_work(int(number)):
                raise InputError(f"{folder}: another build is writing there (process {number})")
            entry.unlink(missing_ok=True)
        yield
    finally:
        mine.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            folder.rmdir()


def is_holder(entry: Path) -> bool:
    """Whether a file says who holds its folder."""
    return entry.name.startswith(_HOLDER)
