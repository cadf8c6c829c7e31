"""What an index folder says of itself, checked before anything is searched in it.

Folder: ``lucene/`` (the index), ``frequencies/part-NNNNN.parquet`` (document frequencies of our
tokens) and ``_stats.json``, written last.
"""

from __future__ import annotations

from pathlib import Path

from pipeline import files
from pipeline.config import BM25, Index
from pipeline.errors import ConfigError, InputError, SettingsError
from pipeline.lucene import jvm
from pipeline.lucene.searching import Searcher
from pipeline.records import SCHEMA_VERSION

LUCENE = "lucene"
FREQUENCIES = "frequencies"
BASELINE_BM25 = BM25(k1=0.9, b=0.4)


def analysis_settings(index: Index) -> dict[str, object]:
    """The settings that are built into an index; BM25's parameters act when it is searched."""
    return index.model_dump(mode="json", exclude={"bm25"})


def check_index(folder: Path, index: Index) -> dict[str, object]:
    """The manifest of a whole index of these settings, or an error that says what differs."""
    files.check_folder(folder)
    stats = files.read_stats(folder)
    if not stats:
        raise InputError(f"{folder}: no whole index (no {files.STATS}); run the index stage")
    if stats.get("schema_version") != SCHEMA_VERSION:
        raise SettingsError(
            f"{folder}: made by schema version {stats.get('schema_version')}, "
            f"this is {SCHEMA_VERSION}; run the index stage again"
        )
    wanted = analysis_settings(index)
    found = stats.get("settings")
    if found != wanted:
        raise SettingsError(
            f"{folder}: made with other settings ({_first_difference(found, wanted)}); "
            "run the index stage again or use the settings it was made with"
        )
    return stats


def open_searcher(folder: Path, index: Index, heap: str, bm25: BM25 | None = None) -> Searcher:
    """Check an index and open it for searching in this process."""
    check_index(folder, index)
    jvm.start(heap)
    return Searcher(folder / LUCENE, index.fields, bm25 or index.bm25)


def check_boosts(boosts: dict[str, float], index: Index, key: str) -> None:
    """Boosts may only name fields of the index: a misspelt one would silently search nothing."""
    for field in boosts:
        if field not in index.fields:
            known = ", ".join(index.fields)
            raise ConfigError(f"{key}: no field '{field}' in index.fields; expected one of {known}")


def _first_difference(found: object, wanted: object, key: str = "index") -> str:
    if isinstance(found, dict) and isinstance(wanted, dict):
        for name in sorted({*found, *wanted}):
            if found.get(name) != wanted.get(name):
                return _first_difference(found.get(name), wanted.get(name), f"{key}.{name}")
    return f"{key} was {found}, now {wanted}"
