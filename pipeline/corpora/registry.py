"""The formats by the names that users write, and which files of a folder belong to one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.corpora import jsonl, ottqa, selqa, squad, wikiqa
from pipeline.corpora.rows import Rejected
from pipeline.errors import InputError
from pipeline.records import Question

Splitter = Callable[[str], list[tuple[int, int]]]

UNKNOWN_SPLIT = "all"
_SPLITS = {"train": "train", "dev": "dev", "validation": "dev", "valid": "dev", "test": "test"}
_SPLIT_IN_NAME = re.compile(rf"(?<![a-z])({'|'.join(_SPLITS)})(?![a-z])", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFormat:
    """How one format is read.

    ``read(path, corpus, split, first, splitter)`` yields every question of a file, or why it was
    dropped; ``first`` is the position, in its split, of the file's first question. ``contexts``
    yields the running text that a sentence splitter may be trained on; None where the format
    quotes sentences and no splitter is needed. ``beside`` names the files that are read besides.
    Of a folder the files are meant whose names end in ``suffix``, and only those that end in
    ``preferred`` where there are any.
    """

    suffix: str
    read: Callable[[Path, str, str, int, Splitter | None], Iterator[Question | Rejected]]
    contexts: Callable[[Path], Iterator[str]] | None = None
    beside: Callable[[Path], list[Path]] | None = None
    preferred: str = ""


def _by_position(
    read: Callable[[Path, str, str, int], Iterator[Question | Rejected]], suffix: str
) -> CorpusFormat:
    return CorpusFormat(
        suffix=suffix,
        read=lambda path, corpus, split, first, splitter: read(path, corpus, split, first),
    )


def _by_own_id(
    read: Callable[[Path, str, str], Iterator[Question | Rejected]], suffix: str
) -> CorpusFormat:
    return CorpusFormat(
        suffix=suffix,
        read=lambda path, corpus, split, first, splitter: read(path, corpus, split),
    )


def _read_squad(
    path: Path, corpus: str, split: str, first: int, splitter: Splitter | None
) -> Iterator[Question | Rejected]:
    if splitter is None:
        raise TypeError("squad-json needs a sentence splitter")
    return squad.read(path, corpus, split, splitter)


def _read_ottqa(
    path: Path, corpus: str, split: str, first: int, splitter: Splitter | None
) -> Iterator[Question | Rejected]:
    if splitter is None:
        raise TypeError("ottqa-json needs a sentence splitter")
    return ottqa.read(path, corpus, split, splitter)


FORMATS: dict[str, CorpusFormat] = {
    "selqa-ass-json": _by_position(selqa.read_selection_json, ".json"),
    "selqa-ass-tsv": _by_position(selqa.read_tsv, ".tsv"),
    "selqa-at-json": _by_position(selqa.read_triggering_json, ".json"),
    "selqa-at-tsv": _by_position(selqa.read_tsv, ".tsv"),
    "wikiqa-tsv": _by_own_id(wikiqa.read, ".tsv"),
    "squad-json": CorpusFormat(suffix=".json", read=_read_squad, contexts=squad.read_contexts),
    "ottqa-json": CorpusFormat(
        suffix=".json",
        preferred=".traced.json",
        read=_read_ottqa,
        contexts=ottqa.read_contexts,
        beside=ottqa.passage_files,
    ),
    "jsonl": _by_own_id(jsonl.read, ".jsonl"),
}


def format_named(name: str) -> CorpusFormat:
    """The format of that name, or an error that lists them all."""
    try:
        return FORMATS[name]
    except KeyError:
        raise InputError(
            f"format '{name}' is unknown; expected one of {', '.join(FORMATS)}"
        ) from None


def split_of(path: Path) -> str:
    """The split that a file's name tells: train, dev (also validation), test; else ``all``.

    A name that tells two is no help.
    """
    told = {_SPLITS[word.lower()] for word in _SPLIT_IN_NAME.findall(path.stem)}
    return told.pop() if len(told) == 1 else UNKNOWN_SPLIT


def files_of(path: Path, corpus_format: CorpusFormat) -> tuple[list[Path], list[Path]]:
    """The files of an input, by name, and those of a folder that are passed over.

    A file stands for itself; of a folder the files with the format's ending are meant. Where some
    of them tell a split, only those are taken: WikiQA's download holds the whole corpus once more
    in one file beside its splits.
    """
    if not path.is_dir():
        return [path], []
    found = sorted(
        entry
        for entry in path.iterdir()
        if entry.suffix.lower() == corpus_format.suffix
        and entry.is_file()
        and not entry.name.startswith(".")
    )
    if not found:
        raise InputError(f"{path}: holds no {corpus_format.suffix} file; expected a corpus")
    preferred = [entry for entry in found if entry.name.endswith(corpus_format.preferred)] or found
    told = [entry for entry in preferred if split_of(entry) != UNKNOWN_SPLIT]
    taken = told or preferred
    return taken, [entry for entry in found if entry not in taken]
