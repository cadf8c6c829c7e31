"""Folders of parts, their manifests and their resuming.

``_stats.json`` is written last and marks a whole output; each part carries its own counts and the
fingerprint of what it was made from.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from pipeline.errors import InputError
from pipeline.files.aside import (
    ASIDE,
    STATS,
    check_folder,
    make_folder,
    read_json,
    remove_leftovers_below,
    write_json,
)
from pipeline.files.parquet import column_fault, part_metadata, row_count
from pipeline.records import SCHEMA_VERSION

UNFINISHED = "_unfinished"
FINGERPRINT = "silver.fingerprint"
COUNTS = "silver.counts"
_PART = re.compile(r"part-\d{5,}\.(?:parquet|jsonl)")


def count_rows(folder: Path, record: type) -> int:
    """How many records the parts of a folder hold."""
    return sum(row_count(part, record) for part in list_parts(folder))


def part_name(number: int) -> str:
    """The name of a folder's part: sorted by name they are in order."""
    return f"part-{number:05d}"


def list_parts(folder: Path, *, whole: bool = True) -> list[Path]:
    """The Parquet parts of a folder, in order; an error when there is none.

    A folder with ``_stats.json`` is whole. One without is accepted when it holds parts that the
    user put there, and refused when a stage left its mark of unfinished work in it, unless
    ``whole`` is False: then the parts that are finished are listed.
    """
    check_folder(folder)
    if whole and (folder / UNFINISHED).exists():
        raise InputError(f"{folder}: unfinished; run the stage that makes it again")
    parts = sorted(folder.glob("part-*.parquet"))
    if not parts:
        raise InputError(f"{folder}: holds no part-NNNNN.parquet")
    return parts


def begin_parts(
    folder: Path, record: type, subfolders: Mapping[str, type | None] | None = None
) -> None:
    """Make a folder ready to be filled: mark it unfinished and drop its manifest.

    Each of ``subfolders`` holds parts of its own record, or JSON lines where that is None. A
    folder that holds anything else, if only parts of another stage, is refused, so that a mistyped
    ``--out`` loses nothing.
    """
    subfolders = subfolders or {}
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file; expected a folder")
    for name, held in {"": record, **subfolders}.items():
        _refuse_foreign(folder / name, held, {STATS, UNFINISHED, *subfolders} if not name else ())
    make_folder(folder)
    (folder / UNFINISHED).touch()
    (folder / STATS).unlink(missing_ok=True)
    remove_leftovers_below(folder)
    for name in subfolders:
        (folder / name).mkdir(exist_ok=True)


def _refuse_foreign(folder: Path, record: type | None, ours: Collection[str]) -> None:
    """An error for the first entry that no run of the stage can have left there."""
    for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
        if entry.name in ours or entry.name.startswith(ASIDE):
            continue
        if not _PART.fullmatch(entry.name) or (entry.suffix == ".parquet") != (record is not None):
            raise InputError(f"{folder}: holds '{entry.name}', which no stage wrote; not touched")
        if record is not None and (fault := column_fault(entry, record)):
            raise InputError(f"{folder}: holds '{entry.name}' with {fault}; not touched")


def part_is_current(path: Path, fingerprint: str) -> bool:
    """Whether the part was made, whole, from the same input with the same settings."""
    return path.exists() and part_metadata(path).get(FINGERPRINT) == fingerprint


def part_states(folder: Path) -> dict[str, int]:
    """When each Parquet part was written, so that what a run kept can be told afterwards."""
    return {part.name: part.stat().st_mtime_ns for part in folder.glob("part-*.parquet")}


def kept_parts(before: Mapping[str, int], folder: Path) -> int:
    """How many parts are those that were there before."""
    return sum(before.get(name) == state for name, state in part_states(folder).items())


def keep_only(folder: Path, names: Iterable[str], pattern: str) -> None:
    """Remove the files of a pattern that an earlier run made and this one does not."""
    wanted = set(names)
    for entry in folder.glob(pattern):
        if entry.name not in wanted:
            entry.unlink()


def finish_parts(folder: Path, stats: Mapping[str, object]) -> None:
    """Write the manifest, which marks the folder whole; what dead workers left aside goes."""
    remove_leftovers_below(folder)
    write_json(folder / STATS, stats)
    (folder / UNFINISHED).unlink(missing_ok=True)


def stats(counts: Mapping[str, object], fingerprint: str, **more: object) -> dict[str, object]:
    """What a manifest holds: the counts, what the output was made from, and the schema version."""
    return {
        "counts": dict(counts),
        "fingerprint": fingerprint,
        "schema_version": SCHEMA_VERSION,
        **more,
    }


def read_stats(folder: Path) -> dict[str, Any]:
    """The manifest of a folder; empty when the folder has none."""
    stats = folder / STATS
    try:
        return read_json(stats) if stats.exists() else {}
    except InputError as error:
        raise InputError(
            f"{error}; remove {folder} and run the stage again that makes it"
        ) from None


def sum_counts(parts: Iterable[Path]) -> dict[str, Any]:
    """Add up the counts that each part carries in its metadata; nested mappings key by key."""
    total: dict[str, Any] = {}
    for part in parts:
        _add_counts(total, json.loads(part_metadata(part).get(COUNTS, "{}")))
    return total


def _add_counts(total: dict[str, Any], counts: Mapping[str, Any]) -> None:
    for key, value in counts.items():
        if isinstance(value, Mapping):
            _add_counts(total.setdefault(key, {}), value)
        else:
            total[key] = total.get(key, 0) + value


def sidecar(path: Path, kind: str) -> Path:
    """The file that stands beside a single-file output: its ``stats.json``, its rejected rows."""
    return path.with_name(f"{path.stem}.{kind}")


def counted(reasons: Iterable[str]) -> dict[str, int]:
    """How often each reason was given, by name."""
    return dict(sorted(Counter(reasons).items()))
