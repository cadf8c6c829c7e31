"""The extract stage: MediaWiki dumps to articles, every block with its kind, and redirects."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pipeline import files
from pipeline.cluster import run_tasks
from pipeline.config import Compute, Config
from pipeline.errors import InputError, SilverError
from pipeline.records import SCHEMA_VERSION, Article, Redirect
from pipeline.wikipedia.dump import (
    Page,
    PageReader,
    SiteInfo,
    drop_reason,
    read_pages,
    read_siteinfo,
)
from pipeline.wikipedia.languages import wikitext_site
from pipeline.wikipedia.partitions import (
    MOST_PARTITIONS,
    Index,
    find_dump_files,
    find_index,
    plan_partitions,
    read_index,
)
from pipeline.wikipedia.streams import (
    Partition,
    check_end,
    detect_compression,
    partition_digest,
    read_file,
    read_partition,
)
from pipeline.wikipedia.wikitext import read_page, redirect_target

REDIRECTS = "redirects"
REJECTED = "rejected"
_TEMPLATES_KEPT = 200
# A part names more of its unknown templates than the manifest does, so that one which is rare
# everywhere but common in all is not lost.
_TEMPLATES_KEPT_PER_PART = 2000


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
        if found is not None:
            if compression != "bz2":
                raise InputError(f"{found}: an index, but {path} is not compressed with bz2")
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
                        files.source_fingerprint("pipeline.wikipedia"),
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
        sorter = _PageSorter(task, article_writer, redirect_writer, rejected_lines)
        damage = sorter.sort_all()
        article_writer.add_metadata(
            {
                files.COUNTS: json.dumps(sorter.counts(), sort_keys=True),
                # A part that ends at a damage is never current.
                files.FINGERPRINT: fingerprint if damage is None else "",
            }
        )
    return ExtractedPart(fingerprint=fingerprint, damage=damage)


@contextlib.contextmanager
def _lines_written_aside(path: Path) -> Iterator[IO[str]]:
    with (
        files.written_aside(path) as aside,
        aside.open("w", encoding="utf-8", newline="\n") as lines,
    ):
        yield lines


class _PageSorter:
    """Sends each page of a partition where it belongs, and counts."""

    def __init__(
        self,
        task: ExtractTask,
        articles: files.RecordWriter,
        redirects: files.RecordWriter,
        rejected: IO[str],
    ) -> None:
        self._task = task
        self._site = wikitext_site(task.siteinfo)
        self._articles = articles
        self._redirects = redirects
        self._rejected = rejected
        self._reader = PageReader(inside=not task.partition.first)
        self._seen: set[int] = set()
        self._dropped: Counter[str] = Counter()
        self._blocks: Counter[str] = Counter()
        self._templates: Counter[str] = Counter()
        self._fallbacks: Counter[str] = Counter()
        self._pages = 0

    def sort_all(self) -> str | None:
        """Sort every page; returns what is wrong with the dump where partial output is wanted."""
        partition = self._task.partition
        damage = None
        try:
            for page in read_pages(
                read_partition(partition), last=partition.last, reader=self._reader
            ):
                self._sort(page)
        except InputError as error:
            damage = f"{partition.path}: {error}"
            if not self._task.keep_partial:
                raise InputError(damage) from None
        if damage is None and self._reader.started != self._pages:
            raise SilverError(
                f"{partition.path}: {self._reader.started} pages begin, {self._pages} were read"
            )
        return damage

    def _sort(self, page: Page) -> None:
        self._pages += 1
        reason = drop_reason(page, self._task.siteinfo)
        if reason is not None or page.page_id is None:
            self._drop(page, reason or "no page id")
        elif page.page_id in self._seen:
            self._drop(page, "page id seen before")
        else:
            self._seen.add(page.page_id)
            target = page.redirect or redirect_target(page.text, self._site)
            if target:
                row = Redirect(title=page.title, target=target, page_id=page.page_id)
                self._redirects.write(row)
            elif page.redirect is not None:
                self._drop(page, "redirect without target")
            else:
                self._extract(page, page.page_id)

    def _extract(self, page: Page, page_id: int) -> None:
        read = read_page(
            page.title,
            page.text,
            self._site,
            max_characters=self._task.max_characters,
            max_seconds=self._task.max_seconds,
        )
        self._blocks.update(block.kind for block in read.blocks)
        self._templates.update(read.unknown_templates)
        if read.fallback is not None:
            self._fallbacks[read.fallback] += 1
        self._articles.write(
            Article(
                page_id=page_id,
                revision_id=page.revision_id,
                title=page.title,
                blocks=read.blocks,
            )
        )

    def _drop(self, page: Page, reason: str) -> None:
        self._dropped[reason] += 1
        row = {
            "reason": reason,
            "title": page.title,
            "page_id": page.page_id,
            "dump": self._task.partition.path.name,
        }
        self._rejected.write(json.dumps(row, ensure_ascii=False) + "\n")

    def counts(self) -> dict[str, object]:
        """What was read and what became of it."""
        return {
            "pages": self._pages,
            "articles": self._articles.count,
            "redirects": self._redirects.count,
            "dropped": dict(sorted(self._dropped.items())),
            "blocks": dict(sorted(self._blocks.items())),
            "fallbacks": dict(sorted(self._fallbacks.items())),
            "unknown_templates": _most_common(self._templates, _TEMPLATES_KEPT_PER_PART),
        }


def _most_common(counter: dict[str, int], number: int) -> dict[str, int]:
    """The most frequent names, ties by name: the same whatever the order of counting."""
    ranked = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    return dict(ranked[:number])


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
    counts["unknown_templates"] = _most_common(counts.get("unknown_templates", {}), _TEMPLATES_KEPT)
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
