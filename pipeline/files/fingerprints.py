"""Fingerprints: what an output was made from, the same on every machine and in every run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from pathlib import Path

from pipeline.files.aside import unreadable
from pipeline.files.parts import list_parts, read_stats
from pipeline.records import SCHEMA_VERSION


def fingerprint(*parts: object) -> str:
    """A SHA-256 over values, the same on every machine and in every run."""
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, default=_jsonable)
    return hashlib.sha256(f"{SCHEMA_VERSION}:{text}".encode()).hexdigest()


def _jsonable(value: object) -> object:
    dump = getattr(value, "model_dump", None)
    if dump is not None:
        return dump(mode="json")
    raise TypeError(f"cannot fingerprint {type(value).__name__}")


def file_fingerprint(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(path, error) from None


def folder_fingerprint(folder: Path) -> str:
    """The fingerprint that the folder's manifest states, or one over the bytes of its parts."""
    stated = read_stats(folder).get("fingerprint")
    if isinstance(stated, str):
        return stated
    return fingerprint([file_fingerprint(part) for part in list_parts(folder)])


def text_sha1(text: str) -> str:
    """First 16 hexadecimal digits of the SHA-1 of a text: the key that survives a new dump."""
    return hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()[
        :16
    ]


def source_fingerprint(package: str, names: Collection[str] | None = None) -> str:
    """SHA-256 over a package's modules and tables: a part made by older code is not current.

    ``names``, where given, are the files that count.
    """
    import importlib.resources

    digest = hashlib.sha256()
    with importlib.resources.as_file(importlib.resources.files(package)) as folder:
        for path in sorted(folder.rglob("*")):
            counts = names is None or path.name in names
            if counts and path.is_file() and path.suffix != ".pyc":
                digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()
