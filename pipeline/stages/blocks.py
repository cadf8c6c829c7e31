"""silver blocks: tables and the passages they link to become evidence blocks, as passages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeline import files
from pipeline.cluster import run_tasks
from pipeline.config import Compute, Config
from pipeline.errors import InputError, SilverError
from pipeline.lucene.manifest import check_boosts, check_index
from pipeline.records import BlockContents, Passage
from pipeline.stages.block_part import (
    CONTENTS,
    REJECTED,
    BlocksTask,
    blocks_part,
    read_passages,
)
from pipeline.tables.linking import LINK_THRESHOLD
from pipeline.tables.reading import BadTableError

LINKS = ("oracle", "predicted", "none")
TABLES_PER_PART = 100
# What makes blocks: the part of a killed run is kept only where all of this is the same.
_CODE = (
    ("pipeline.tables", ("blocks.py", "linking.py", "reading.py")),
    ("pipeline.stages", ("block_part.py",)),
    ("pipeline.matching", ("titles.py", "tokens.py")),
    ("pipeline.corpora", ("links.py",)),
)
# And where links are predicted, what finds the titles.
_SEARCHING = ("pipeline.lucene", ("analysis.py", "searching.py"))


@dataclass(frozen=True, slots=True, kw_only=True)
class BlocksInputs:
    """Folders of tables and of their linked passages, and for predicted links an index of those."""

    tables: Path | None
    passages: Path | None
    index: Path | None


def run_blocks(
    inputs: BlocksInputs, links: str, out: Path, config: Config, compute: Compute, *,
    passage_words: int | None = None, link_threshold: float = LINK_THRESHOLD,
) -> dict[str, Any]:  # fmt: skip
    """Write a folder of blocks that ``silver index`` takes; returns the counts.

    ``contents/`` beside the parts says what each block is made of, ``rejected/`` what was dropped.
    """
    _check(inputs, links)
    searched = "" if inputs.index is None else _search_fingerprint(inputs.index, config)
    code = files.fingerprint([files.source_fingerprint(*part) for part in _CODE])
    settings = BlocksTask(
        name="", out=out, links=links, index=inputs.index, config=config, heap=compute.java_heap,
        passage_words=passage_words, link_threshold=link_threshold,
        made_by=files.fingerprint(code, links, passage_words, link_threshold, searched),
    )  # fmt: skip
    tasks = _tasks(inputs, settings, compute)
    files.begin_parts(out, Passage, {CONTENTS: BlockContents, REJECTED: None})
    for folder, suffix in (
        (out, "parquet"),
        (out / CONTENTS, "parquet"),
        (out / REJECTED, "jsonl"),
    ):
        files.keep_only(folder, (f"{task.name}.{suffix}" for task in tasks), f"part-*.{suffix}")
    fingerprints = run_tasks(blocks_part, tasks, compute, "blocks")
    counts = files.sum_counts(out / f"{task.name}.parquet" for task in tasks)
    _check_counts(counts)
    if not counts["blocks"]:
        raise InputError(f"{_named(inputs)}: no block; {_first_rejected(out / REJECTED)}")
    if links == "predicted":
        counts["link_precision"] = _share(counts["links_right"], counts["links_predicted"])
        counts["link_recall"] = _share(counts["links_right"], counts["links_given"])
    files.finish_parts(out, files.stats(counts, files.fingerprint(fingerprints)))
    return counts


def _check(inputs: BlocksInputs, links: str) -> None:
    if links not in LINKS:
        raise InputError(f"--links: '{links}'; expected one of {', '.join(LINKS)}")
    if inputs.tables is None and (links != "none" or inputs.passages is None):
        raise InputError("--tables: missing; only --links none with --passages needs no tables")
    if links == "oracle" and inputs.passages is None:
        raise InputError("--passages: missing; --links oracle takes the linked passages from there")
    if links == "predicted" and inputs.index is None:
        raise InputError("--index: missing; --links predicted searches titles in an index")
    if links == "predicted" and inputs.passages is not None:
        raise InputError("--passages: --links predicted takes passages from --index alone")
    if links != "predicted" and inputs.index is not None:
        raise InputError(f"--index: only --links predicted searches one; found --links {links}")


def _search_fingerprint(index: Path, config: Config) -> str:
    check_boosts({"title": 1.0}, config.index, "--index")
    manifest = check_index(index, config.index)
    code = files.source_fingerprint(*_SEARCHING)
    return files.fingerprint(manifest["fingerprint"], config.index.bm25, code)


# ---------------------------------------------------------------- tasks


def _tasks(inputs: BlocksInputs, settings: BlocksTask, compute: Compute) -> list[BlocksTask]:
    """The tables in groups; then, where passages stand by themselves, their files in groups."""
    tables = [] if inputs.tables is None else _json_files(inputs.tables)
    passages = [] if inputs.passages is None else _json_files(inputs.passages)
    tasks = []
    for group in _groups(tables):
        beside: tuple[Path, ...] = ()
        if settings.links == "oracle":
            names = {path.name for path in group}
            beside = tuple(path for path in passages if path.name in names)
        tasks.append(replace(settings, tables=tuple(group), passages=beside))
    if settings.links == "none":
        groups = [replace(settings, passages=tuple(group)) for group in _groups(passages)]
        listed = run_tasks(listed_links, groups, compute, "passages")
        seen: set[str] = set()
        for task, links in zip(groups, listed, strict=True):
            tasks.append(replace(task, repeated=frozenset(seen.intersection(links))))
            seen.update(links)
    return [replace(task, name=files.part_name(number)) for number, task in enumerate(tasks)]


def listed_links(task: BlocksTask) -> list[str]:
    """The links of the passages in some files. Runs in a worker process."""
    found: dict[str, None] = {}
    for path in task.passages:
        try:
            found.update(dict.fromkeys(read_passages(path)))
        except (BadTableError, InputError):
            continue  # told when its blocks are made
    return list(found)


def _json_files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; expected one JSON file a table")
    found = sorted(path for path in folder.glob("*.json") if not path.name.startswith("."))
    if not found:
        raise InputError(f"{folder}: holds no .json file; expected one a table")
    return found


def _groups(paths: Sequence[Path]) -> Iterator[Sequence[Path]]:
    for start in range(0, len(paths), TABLES_PER_PART):
        yield paths[start : start + TABLES_PER_PART]


# ---------------------------------------------------------------- counts


def _check_counts(counts: dict[str, Any]) -> None:
    """What came in is in a block or was dropped with a reason."""
    dropped = {unit: sum(reasons.values()) for unit, reasons in counts["dropped"].items()}
    for read, kept, unit in (
        ("rows", counts["row_blocks"], "row"),
        ("links", counts["links_fused"], "link"),
        ("passages", counts["passage_blocks"], "passage"),
    ):
        if counts[read] != kept + dropped.get(unit, 0):
            raise SilverError(
                f"blocks: {counts[read]} {read} read, but {kept} kept "
                f"and {dropped.get(unit, 0)} dropped"
            )


def _first_rejected(folder: Path) -> str:
    for path in sorted(folder.glob("part-*.jsonl")):
        with files.open_text(path) as lines:
            for line in lines:
                row = json.loads(line)
                return f"the first was dropped ({row['where']}: {row['reason']})"
    return "the tables have no rows"


def _named(inputs: BlocksInputs) -> str:
    return ", ".join(str(path) for path in (inputs.tables, inputs.passages) if path is not None)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
