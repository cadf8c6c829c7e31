"""The segment stage: articles to passages, each with the spans of its sentences."""

from __future__ import annotations

import importlib.metadata
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline import files
from pipeline.cluster import run_tasks
from pipeline.config import Compute, Config, Segment
from pipeline.errors import InputError, SilverError
from pipeline.records import Article, Passage
from pipeline.wikipedia.segmentation.passages import Dropped, Joined, passages_of, rules_of
from pipeline.wikipedia.segmentation.sentences import (
    PunktModel,
    Splitter,
    make_splitter,
    punkt_splitter,
    train_punkt,
)

REJECTED = "rejected"
_SHOWN = 80
_COUNTED = (
    *("articles", "blocks", "passages", "sentences", "characters"),
    *("whole", "cut", "joined"),
)
# Punkt is trained on so many characters, from so many parts spread evenly over the collection.
_TRAINING_CHARACTERS = 4_000_000
_TRAINING_PARTS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentTask:
    """One part of the articles, and where its passages go."""

    articles: Path
    out: Path
    settings: Segment
    code: str
    punkt: PunktModel | None


def run_segment(articles: Path, out: Path, config: Config, compute: Compute) -> dict[str, object]:
    """Make passages of all articles, one part for each of theirs; returns the counts."""
    parts = files.list_parts(articles)
    if out.resolve() == articles.resolve():
        raise InputError(f"{out}: holds the articles; expected another folder for the passages")
    for part in parts:
        files.open_parquet(part, Article)
    names = [part.stem for part in parts]
    settings = config.segment
    punkt = train_punkt(_training_texts(parts, settings)) if settings.splitter == "punkt" else None
    code = files.fingerprint(
        files.source_fingerprint("pipeline.wikipedia.segmentation"),
        [importlib.metadata.version(package) for package in ("nltk", "sentencex")],
    )
    tasks = [
        SegmentTask(articles=part, out=out, settings=settings, code=code, punkt=punkt)
        for part in parts
    ]
    files.begin_parts(out, Passage, {REJECTED: None})
    files.keep_only(out, (f"{name}.parquet" for name in names), "part-*.parquet")
    files.keep_only(out / REJECTED, (f"{name}.jsonl" for name in names), "part-*.jsonl")
    before = files.part_states(out)
    fingerprints = run_tasks(segment_part, tasks, compute, "segment")
    counts = files.sum_counts(out / f"{name}.parquet" for name in names)
    kept = counts["whole"] + counts["cut"] + counts["joined"] + sum(counts["dropped"].values())
    if counts["blocks"] != kept:
        raise SilverError(f"segment: {counts['blocks']} blocks read, but {kept} kept or dropped")
    if not counts["passages"]:
        raise InputError(
            f"{articles}: none of {counts['blocks']} blocks became a passage; see segment.kinds "
            f"and segment.min_characters, and the reasons in {out / REJECTED}"
        )
    files.finish_parts(out, files.stats(counts, files.fingerprint(fingerprints)))
    current = files.kept_parts(before, out)
    return {**counts, "parts_kept": current} if current else counts


def segment_part(task: SegmentTask) -> str:
    """Segment one part, unless its passages are there and current; returns the fingerprint."""
    fingerprint = files.fingerprint(
        task.settings, task.code, repr(task.punkt), files.file_fingerprint(task.articles)
    )
    passages = task.out / f"{task.articles.stem}.parquet"
    rejected = task.out / REJECTED / f"{task.articles.stem}.jsonl"
    if rejected.exists() and files.part_is_current(passages, fingerprint):
        return fingerprint
    settings = task.settings
    rules = rules_of(settings.kinds, settings.min_characters, settings.unit)
    split = _splitter(task)
    counts = dict.fromkeys(_COUNTED, 0)
    dropped: Counter[str] = Counter()
    with (
        files.record_writer(passages, Passage, {files.FINGERPRINT: fingerprint}) as writer,
        files.lines_writer(rejected) as lines,
    ):
        for article in files.read_records(task.articles, Article):
            counts["articles"] += 1
            counts["blocks"] += len(article.blocks)
            made: Counter[str] = Counter()
            for row in passages_of(article, rules, split):
                match row:
                    case Dropped():
                        dropped[row.reason] += 1
                        lines.write(_rejected_line(row))
                    case Joined():
                        counts["joined"] += 1
                    case Passage():
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


def _splitter(task: SegmentTask) -> Splitter:
    if task.punkt is not None:
        return punkt_splitter(task.punkt)
    return make_splitter(task.settings.splitter, task.settings.language)


def _training_texts(parts: Sequence[Path], settings: Segment) -> Iterator[str]:
    """Blocks to train Punkt on: the first of parts that are spread evenly, the same every time."""
    step = -(-len(parts) // _TRAINING_PARTS)
    chosen = parts[::step]
    for part in chosen:
        left = _TRAINING_CHARACTERS // len(chosen)
        for article in files.read_records(part, Article):
            for block in article.blocks:
                if block.kind in settings.kinds:
                    yield block.text
                    left -= len(block.text)
            if left <= 0:
                break


def _rejected_line(row: Dropped) -> str:
    shown = {
        "reason": row.reason,
        "passage_id": row.passage_id,
        "kind": row.kind,
        "text": row.text[:_SHOWN],
    }
    return json.dumps(shown, ensure_ascii=False) + "\n"
