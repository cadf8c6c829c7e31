"""The extract stage: MediaWiki dumps to articles, every block with its kind, and redirects."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pipeline import files
from pipeline.cluster import run_tasks
from pipeline.config import Compute, Config
from pipeline.errors import InputError, SilverError
from pipeline.records import SCHEMA_VERSION, Article, Redirect
from pipeline.wikipedia.dump.outcomes import DroppedPage, PageSorter, most_common
from pipeline.wikipedia.dump.page_xml import Page, PageReader, SiteInfo
from pipeline.wikipedia.dump.pages import read_pages, read_siteinfo
from pipeline.wikipedia.dump.partitions import (
    MOST_PARTITIONS,
    Index,
    find_dump_files,
    find_index,
    plan_partitions,
    read_index,
)
from pipeline.wikipedia.dump.streams import (
    Partition,
    check_end,
    detect_compression,
    partition_digest,
    read_file,
    read_partition,
)

REDIRECTS = "redirects"
REJECTED = "rejected"
_TEMPLATES_KEPT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractTask:
    """One partition of one dump file, and where its part goes."""

    partition: Partition
    siteinfo: SiteInfo
    out: Path
    part: str
    settings: str
    max_characters: int
    max_seconds: float
    keep_partial: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedPart:
    """What became of one partition: its pages are counted in the part's own metadata."""

    fingerprint: str
    damage: str | None = None


def run_extract(
    dump: Sequence[Path],
    out: Path,
    config: Config,
    compute: Compute,
    *,
    dump_index: Path | None = None,
    keep_partial: bool = False,
) -> dict[str, object]:
    """Extract all articles and redirects of the dump files into ``out``; returns the counts.

    With ``keep_partial`` the whole pages of each file before its damage are kept; ``InputError``
    is raised all the same, after everything is written.
    """
    dumps = find_dump_files(dump)
    tasks, indexes = _plan(dumps, out, config, dump_index, keep_partial)
    files.begin_parts(out, (REDIRECTS, REJECTED))
    names = [task.part for task in tasks]
    files.keep_only(out, (f"{name}.parquet" for name in names), "part-*.parquet")
    files.keep_only(out / REDIRECTS, (f"{name}.parquet" for name in names), "part-*.parquet")
    files.keep_only(out / REJECTED, (f"{name}.jsonl" for name in names), "part-*.jsonl")
    parts = run_tasks(extract_partition, tasks, compute, "extract")
    damages = _drop_what_follows_a_damage(tasks, parts)
    counts = _sum_parts(tasks)
    _check_page_ids(tasks)
    if not damages:
        _check_index_counts(tasks, indexes)
    stats: dict[str, object] = {
        "counts": counts,
        "fingerprint": files.fingerprint([part.fingerprint for part in parts]),
        "schema_version": SCHEMA_VERSION,
    }
    if damages:
        stats["partial"] = damages
    files.finish_parts(out, stats)
    if damages:
        raise InputError(damages[0])
    return counts


def _plan(
    dumps: Sequence[Path],
    out: Path,
    config: Config,
    dump_index: Path | None,
    keep_partial: bool,
) -> tuple[list[ExtractTask], dict[Path, Index]]:
    """Check the files as far as that is cheap, before anything is written, and cut them up."""
    if dump_index is not None and len(dumps) != 1:
        raise InputError(f"{dump_index}: one index, but {len(dumps)} dump files; give one of each")
    compressions = {path: detect_compression(path) for path in dumps}
    if not keep_partial:
        for path, compression in compressions.items():
            check_end(path, compression)
    total = sum(path.stat().st_size for path in dumps)
    settings = config.extract
    size = max(int(settings.partition_megabytes * 1_000_000), total // MOST_PARTITIONS, 1)
    indexes: dict[Path, Index] = {}
    tasks: list[ExtractTask] = []
    for path, compression in compressions.items():
        found = dump_index or (find_index(path) if compression == "bz2" else None)
        if found is not None and compression != "bz2":
            raise InputError(f"{found}: an index, but {path} is not compressed with bz2")
        # A dump that may be cut off fits no index; the cuts are the same without.
        if found is not None and not keep_partial:
            indexes[path] = read_index(found)
        siteinfo = _read_siteinfo(path, compression)
        for partition in plan_partitions(path, compression, size, indexes.get(path)):
            tasks.append(
                ExtractTask(
                    partition=partition,
                    siteinfo=siteinfo,
                    out=out,
                    part=files.part_name(len(tasks)),
                    settings=files.fingerprint(
                        settings.model_dump(mode="json", exclude={"dump", "partition_megabytes"}),
                        files.source_fingerprint("pipeline.wikipedia.dump"),
                        files.source_fingerprint("pipeline.wikipedia.wikitext"),
                    ),
                    max_characters=int(settings.page_megabytes * 1_000_000),
                    max_seconds=settings.page_seconds,
                    keep_partial=keep_partial,
                )
            )
    return tasks, indexes


def _read_siteinfo(path: Path, compression: Any) -> SiteInfo:
    try:
        return read_siteinfo(read_file(path, compression))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


# ---------------------------------------------------------------- one partition


def extract_partition(task: ExtractTask) -> ExtractedPart:
    """Extract one partition into one part, unless the part is there and current."""
    fingerprint = files.fingerprint(
        task.settings, repr(task.siteinfo), partition_digest(task.partition)
    )
    articles = task.out / f"{task.part}.parquet"
    redirects = task.out / REDIRECTS / f"{task.part}.parquet"
    rejected = task.out / REJECTED / f"{task.part}.jsonl"
    if redirects.exists() and rejected.exists() and files.part_is_current(articles, fingerprint):
        return ExtractedPart(fingerprint=fingerprint)
    # Left in this order: the articles appear last, so a part that is there is whole.
    with contextlib.ExitStack() as stack:
        article_writer = stack.enter_context(files.record_writer(articles, Article))
        redirect_writer = stack.enter_context(files.record_writer(redirects, Redirect))
        rejected_lines = stack.enter_context(_lines_written_aside(rejected))
        sorter = PageSorter(
            task.siteinfo, max_characters=task.max_characters, max_seconds=task.max_seconds
        )
        reader = PageReader(inside=not task.partition.first)
        damage = None
        try:
            for page in _pages(task.partition, reader):
                match sorter.sort(page):
                    case Article() as article:
                        article_writer.write(article)
                    case Redirect() as redirect:
                        redirect_writer.write(redirect)
                    case DroppedPage() as dropped:
                        rejected_lines.write(_rejected_line(dropped, task.partition.path))
        except InputError as error:
            damage = str(error)
            if not task.keep_partial:
                raise
        if damage is None and reader.started != sorter.pages:
            raise SilverError(
                f"{task.partition.path}: {reader.started} pages begin, {sorter.pages} were read"
            )
        article_writer.add_metadata(
            {
                files.COUNTS: json.dumps(sorter.counts(), sort_keys=True),
                # A part that ends at a damage is never current.
                files.FINGERPRINT: fingerprint if damage is None else "",
            }
        )
    return ExtractedPart(fingerprint=fingerprint, damage=damage)


def _pages(partition: Partition, reader: PageReader) -> Iterator[Page]:
    """The pages of a partition; a damage is an ``InputError`` that names the file."""
    try:
        yield from read_pages(read_partition(partition), last=partition.last, reader=reader)
    except InputError as error:
        raise InputError(f"{partition.path}: {error}") from None


@contextlib.contextmanager
def _lines_written_aside(path: Path) -> Iterator[IO[str]]:
    with (
        files.written_aside(path) as aside,
        aside.open("w", encoding="utf-8", newline="\n") as lines,
    ):
        yield lines


def _rejected_line(page: DroppedPage, dump: Path) -> str:
    row = {
        "reason": page.reason,
        "title": page.title,
        "page_id": page.page_id,
        "dump": dump.name,
    }
    return json.dumps(row, ensure_ascii=False) + "\n"


# ---------------------------------------------------------------- putting the parts together


def _drop_what_follows_a_damage(
    tasks: Sequence[ExtractTask], parts: Sequence[ExtractedPart]
) -> list[str]:
    """Empty the parts of a file that lie behind its damage: only pages before it are kept."""
    damages: dict[Path, str] = {}
    for task, part in zip(tasks, parts, strict=True):
        path = task.partition.path
        if path in damages:
            for behind in (
                task.out / f"{task.part}.parquet",
                task.out / REDIRECTS / f"{task.part}.parquet",
                task.out / REJECTED / f"{task.part}.jsonl",
            ):
                behind.unlink(missing_ok=True)
        elif part.damage is not None:
            damages[path] = part.damage
    return list(damages.values())


def _sum_parts(tasks: Sequence[ExtractTask]) -> dict[str, object]:
    parts = [task.out / f"{task.part}.parquet" for task in tasks]
    counts = files.sum_counts(part for part in parts if part.exists())
    counts["unknown_templates"] = most_common(counts.get("unknown_templates", {}), _TEMPLATES_KEPT)
    kept = counts["articles"] + counts["redirects"] + sum(counts["dropped"].values())
    if counts["pages"] != kept:
        raise SilverError(f"extract: {counts['pages']} pages read, but {kept} kept or dropped")
    return counts


def _check_index_counts(tasks: Sequence[ExtractTask], indexes: dict[Path, Index]) -> None:
    for path, index in indexes.items():
        parts = [t.out / f"{t.part}.parquet" for t in tasks if t.partition.path == path]
        pages = files.sum_counts(parts)["pages"]
        if pages != index.pages:
            raise InputError(
                f"{index.path}: lists {index.pages} pages, but {path} holds {pages}; "
                "the index does not fit the dump"
            )


def _check_page_ids(tasks: Sequence[ExtractTask]) -> None:
    """A page may occur in one part only: its id becomes the ids of its passages."""
    import numpy as np

    columns, owners = [], []
    for number, task in enumerate(tasks):
        part = task.out / f"{task.part}.parquet"
        if part.exists():
            for batch in files.read_tables(part, Article, ["page_id"]):
                columns.append(batch.column(0).to_numpy())
                owners.append(np.full(batch.num_rows, number, dtype=np.int32))
    if not columns:
        return
    ids, parts = np.concatenate(columns), np.concatenate(owners)
    order = np.argsort(ids, kind="stable")
    twice = np.flatnonzero(ids[order][1:] == ids[order][:-1])
    if len(twice):
        first, second = (tasks[parts[order[twice[0] + shift]]].partition.path for shift in (0, 1))
        raise InputError(
            f"{second}: page id {ids[order[twice[0]]]} was read before, from {first}; "
            "give each page once"
        )
