"""The segment stage: articles to passages, each with the spans of its sentences."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pipeline import files
from pipeline.cluster import run_tasks
from pipeline.config import Compute, Config, Segment
from pipeline.errors import SilverError
from pipeline.records import Article, Passage
from pipeline.wikipedia.passages import Dropped, passages_of, rules_of
from pipeline.wikipedia.sentences import make_splitter

REJECTED = "rejected"
_SHOWN = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentTask:
    """One part of the articles, and where its passages go."""

    articles: Path
    out: Path
    settings: Segment
    code: str


def run_segment(
    articles: Path, out: Path, config: Config, compute: Compute
) -> dict[str, object]:
    """Make passages of all articles, one part for each of theirs; returns the counts."""
    parts = files.list_parts(articles)
    for part in parts:
        files.open_parquet(part, Article)
    names = [part.stem for part in parts]
    code = files.source_fingerprint("pipeline.wikipedia")
    tasks = [
        SegmentTask(articles=part, out=out, settings=config.segment, code=code) for part in parts
    ]
    files.begin_parts(out, (REJECTED,))
    files.keep_only(out, (f"{name}.parquet" for name in names), "part-*.parquet")
    files.keep_only(out / REJECTED, (f"{name}.jsonl" for name in names), "part-*.jsonl")
    fingerprints = run_tasks(segment_part, tasks, compute, "segment")
    counts = files.sum_counts(out / f"{name}.parquet" for name in names)
    kept = counts["whole"] + counts["cut"] + sum(counts["dropped"].values())
    if counts["blocks"] != kept:
        raise SilverError(f"segment: {counts['blocks']} blocks read, but {kept} kept or dropped")
    files.finish_parts(
        out,
        {
            "counts": counts,
            "fingerprint": files.fingerprint(fingerprints),
            "schema_version": files.SCHEMA_VERSION,
        },
    )
    return counts


def segment_part(task: SegmentTask) -> str:
    """Segment one part, unless its passages are there and current; returns the fingerprint."""
    fingerprint = files.fingerprint(
        task.settings, task.code, files.file_fingerprint(task.articles)
    )
    passages = task.out / f"{task.articles.stem}.parquet"
    rejected = task.out / REJECTED / f"{task.articles.stem}.jsonl"
    if rejected.exists() and files.part_is_current(passages, fingerprint):
        return fingerprint
    settings = task.settings
    rules = rules_of(settings.kinds, settings.min_characters, settings.unit)
    split = make_splitter(settings.splitter, settings.language)
    counts: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    with (
        files.record_writer(passages, Passage, {files.FINGERPRINT: fingerprint}) as writer,
        _lines_written_aside(rejected) as lines,
    ):
        for article in files.read_records(task.articles, Article):
            counts["articles"] += 1
            counts["blocks"] += len(article.blocks)
            made: Counter[str] = Counter()
            for row in passages_of(article, rules, split):
                if isinstance(row, Dropped):
                    dropped[row.reason] += 1
                    lines.write(_rejected_line(row))
                    continue
                writer.write(row)
                made[row.passage_id.partition(".")[0]] += 1
                counts["passages"] += 1
                counts["sentences"] += len(row.sentence_starts)
                counts["characters"] += len(row.text)
            counts["cut"] += sum(pieces > 1 for pieces in made.values())
            counts["whole"] += sum(pieces == 1 for pieces in made.values())
        totals = {**counts, "dropped": dict(dropped)}
        writer.add_metadata({files.COUNTS: json.dumps(totals, sort_keys=True)})
    return fingerprint


@contextlib.contextmanager
def _lines_written_aside(path: Path) -> Iterator[IO[str]]:
    with (
        files.written_aside(path) as aside,
        aside.open("w", encoding="utf-8", newline="\n") as lines,
    ):
        yield lines


def _rejected_line(row: Dropped) -> str:
    shown = {
        "reason": row.reason,
        "passage_id": row.passage_id,
        "kind": row.kind,
        "text": row.text[:_SHOWN],
    }
    return json.dumps(shown, ensure_ascii=False) + "\n"
