"""One partition of a dump to one part of the articles: the task that the extract stage runs."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline import files
from pipeline.errors import InputError, SilverError
from pipeline.records import Article, Redirect
from pipeline.wikipedia.dump.outcomes import DroppedPage, PageSorter
from pipeline.wikipedia.dump.page_xml import Page, PageReader, SiteInfo
from pipeline.wikipedia.dump.pages import read_pages
from pipeline.wikipedia.dump.streams import Partition, partition_digest, read_partition

REDIRECTS = "redirects"
REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractTask:
    """One partition of one dump file, and where its part goes."""

    partition: Partition
    siteinfo: SiteInfo
    out: Path
    part: str
    settings: str
    max_characters: int
    max_template_characters: int
    keep_partial: bool

    @property
    def articles(self) -> Path:
        """Where the part's articles go."""
        return self.out / f"{self.part}.parquet"

    @property
    def redirects(self) -> Path:
        """Where its redirects go."""
        return self.out / REDIRECTS / f"{self.part}.parquet"

    @property
    def rejected(self) -> Path:
        """Where the pages go that it drops."""
        return self.out / REJECTED / f"{self.part}.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedPart:
    """What became of one partition: its pages are counted in the part's own metadata."""

    fingerprint: str
    damage: str | None = None


def extract_partition(task: ExtractTask) -> ExtractedPart:
    """Extract one partition into one part, unless the part is there and current."""
    fingerprint = files.fingerprint(
        task.settings, repr(task.siteinfo), partition_digest(task.partition)
    )
    beside = task.redirects.exists() and task.rejected.exists()
    if beside and files.part_is_current(task.articles, fingerprint):
        return ExtractedPart(fingerprint=fingerprint)
    # Left in this order: the articles appear last, so a part that is there is whole.
    with contextlib.ExitStack() as stack:
        article_writer = stack.enter_context(files.record_writer(task.articles, Article))
        redirect_writer = stack.enter_context(files.record_writer(task.redirects, Redirect))
        rejected_lines = stack.enter_context(files.lines_writer(task.rejected))
        sorter = PageSorter(
            task.siteinfo,
            max_characters=task.max_characters,
            max_template_characters=task.max_template_characters,
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


def _rejected_line(page: DroppedPage, dump: Path) -> str:
    row = {
        "reason": page.reason,
        "title": page.title,
        "page_id": page.page_id,
        "dump": dump.name,
    }
    return json.dumps(row, ensure_ascii=False) + "\n"
