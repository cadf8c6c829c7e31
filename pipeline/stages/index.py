"""Stage index: passages to a Lucene index, with our tokens' document frequencies beside it."""

from __future__ import annotations

import importlib.metadata
import math
import re
import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline import cluster, files
from pipeline.config import Compute, Config, Index
from pipeline.errors import InputError, SilverError
from pipeline.lucene import indexing, jvm
from pipeline.lucene.manifest import FREQUENCIES, LUCENE, analysis_settings
from pipeline.matching.ngrams import ngrams
from pipeline.matching.tokens import tokenize
from pipeline.records import DocumentFrequency, Passage

_SHARD_FREQUENCIES = "frequencies.parquet"
_SHARD = re.compile(r"shard-\d{5,}")
# Parquet bytes of one shard: a killed build loses no more than the shards it was at.
_SHARD_BYTES = 500_000_000


@dataclass(frozen=True, slots=True)
class ShardTask:
    """Some parts of the passages, and the folder that their index goes to."""

    parts: tuple[Path, ...]
    folder: Path
    index: Index
    heap: str
    fingerprint: str


def run_index(passages: Path, out: Path, config: Config, compute: Compute) -> dict[str, object]:
    """Build the index of a folder of passages; the old index stands until the new one is whole.

    Shards that a killed build finished are kept, and removed when the index is whole.
    """
    parts = files.list_parts(passages)
    settings = files.fingerprint(
        "index", analysis_settings(config.index),
        files.source_fingerprint("pipeline.lucene", ("analysis.py", "indexing.py")),
        files.source_fingerprint("pipeline.matching", ("ngrams.py", "titles.py", "tokens.py")),
        importlib.metadata.version("pyserini"),
    )  # fmt: skip
    fingerprint = files.fingerprint(settings, files.folder_fingerprint(passages))
    if _is_current(out, fingerprint):
        return {**files.read_stats(out)["counts"], "kept": True}
    _check_ids_are_unique(parts)
    shards = out.resolve().with_name(f".{out.name}.shards")
    tasks = [
        ShardTask(
            parts=tuple(group),
            folder=shards / f"shard-{number:05d}",
            index=config.index,
            heap=compute.java_heap,
            fingerprint=files.fingerprint(settings, [files.file_fingerprint(p) for p in group]),
        )
        for number, group in enumerate(_groups(parts, compute.processes()))
    ]
    with files.held_alone(shards):
        _remove_shards(shards, but=[task.folder.name for task in tasks])
        try:
            made = _build(passages, out, tasks, fingerprint, config, compute)
        except SilverError:
            _remove_shards(shards)
            raise
        _remove_shards(shards)
    return made


def _build(
    passages: Path,
    out: Path,
    tasks: Sequence[ShardTask],
    fingerprint: str,
    config: Config,
    compute: Compute,
) -> dict[str, object]:
    """Make the shards that are not there yet, and one index of all."""
    with files.folder_written_aside(out, (LUCENE, FREQUENCIES)) as aside:
        counts = cluster.run_tasks(index_shard, tasks, compute, "index")
        if sum(counts) == 0:
            raise InputError(f"{passages}: holds no passage; nothing to index")
        jvm.start(compute.java_heap)
        held = indexing.merge_shards(
            [task.folder / LUCENE for task in tasks], aside / LUCENE, config.index.fields
        )
        frequencies = _merge_frequencies(
            [task.folder / _SHARD_FREQUENCIES for task in tasks], aside / FREQUENCIES
        )
        made: dict[str, object] = {"frequencies": frequencies, "passages": held}
        stats = files.stats(made, fingerprint, settings=analysis_settings(config.index))
        files.write_json(aside / files.STATS, stats)
    return made


def _check_ids_are_unique(parts: Sequence[Path]) -> None:
    """Every passage id stands for one passage, or two could not be told apart.

    Eight bytes a passage are held; ids whose hashes meet are compared themselves.
    """
    import numpy as np

    hashes = np.sort(
        np.concatenate([np.fromiter(map(hash, _passage_ids(part)), np.int64) for part in parts])
    )
    twice = set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())
    seen: set[str] = set()
    for part in parts if twice else ():
        for passage_id in _passage_ids(part):
            if passage_id in seen:
                raise InputError(f"{part}: passage_id '{passage_id}' stands for two passages")
            if hash(passage_id) in twice:
                seen.add(passage_id)


def _passage_ids(part: Path) -> Iterator[str]:
    for batch in files.read_tables(part, Passage, ["passage_id"]):
        yield from batch.column(0).to_pylist()


def index_shard(task: ShardTask) -> int:
    """Index some parts into one shard; returns how many passages. Runs in a worker process.

    One that a killed build finished is kept; where a worker died, it begins anew.
    """
    if _is_current(task.folder, task.fingerprint):
        return int(files.read_stats(task.folder)["counts"]["passages"])
    jvm.start(task.heap)
    orders = range(1, task.index.frequency_orders + 1)
    frequencies: dict[int, Counter[str]] = {order: Counter() for order in orders}

    def passages() -> Iterator[Passage]:
        for part in task.parts:
            for passage in files.read_records(part, Passage):
                tokens = tokenize(passage.text)
                for order, counter in frequencies.items():
                    counter.update(set(ngrams(tokens, order)))
                yield passage

    shutil.rmtree(task.folder, ignore_errors=True)
    task.folder.mkdir(parents=True)
    count = indexing.write_shard(passages(), task.folder / LUCENE, task.index.fields)
    files.write_records(
        task.folder / _SHARD_FREQUENCIES,
        DocumentFrequency,
        (
            DocumentFrequency(ngram=ngram, order=order, passages=number)
            for order, counter in frequencies.items()
            for ngram, number in sorted(counter.items())
        ),
    )
    # Written last: it marks the shard whole.
    files.write_json(task.folder / files.STATS, files.stats({"passages": count}, task.fingerprint))
    return count


def _merge_frequencies(shards: list[Path], folder: Path) -> int:
    """Add the shards' frequencies up; sorted by order and n-gram, so shards do not show."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = [pq.read_table(shard, columns=["ngram", "order", "passages"]) for shard in shards]
    total = (
        pa.concat_tables(tables)
        .group_by(["order", "ngram"], use_threads=False)
        .aggregate([("passages", "sum")])
        .rename_columns({"passages_sum": "passages"})
        .select(["ngram", "order", "passages"])
        .sort_by([("order", "ascending"), ("ngram", "ascending")])
    )
    folder.mkdir()
    with files.record_writer(folder / f"{files.part_name(0)}.parquet", DocumentFrequency) as out:
        out.write_table(total)
    return int(total.num_rows)


def _is_current(out: Path, fingerprint: str) -> bool:
    """Whether the index or shard there is whole and the one that would be built now."""
    if not out.is_dir() or files.read_stats(out).get("fingerprint") != fingerprint:
        return False
    return any((out / LUCENE).glob("segments_*"))


def _remove_shards(shards: Path, but: Collection[str] = ()) -> None:
    """Remove the shards that a build has no use for; an error where something else stands."""
    found = sorted(entry for entry in shards.iterdir() if not files.is_holder(entry))
    for entry in found:
        if not (_SHARD.fullmatch(entry.name) and entry.is_dir()):
            raise InputError(f"{shards}: holds '{entry.name}', which no stage wrote; not touched")
    for entry in found:
        if entry.name not in but:
            shutil.rmtree(entry)


def _groups(parts: list[Path], workers: int) -> list[list[Path]]:
    """Contiguous groups of parts, about equal in bytes, none empty: one a worker, or more."""
    sizes = [part.stat().st_size for part in parts]
    total, done = sum(sizes), 0
    count = min(len(parts), max(workers, math.ceil(total / _SHARD_BYTES)))
    groups: list[list[Path]] = [[] for _ in range(count)]
    for number, (part, size) in enumerate(zip(parts, sizes, strict=True)):
        by_bytes = min(count - 1, (done + size // 2) * count // max(total, 1))
        latest = count - (len(parts) - number)  # leave a part for each group still to come
        groups[max(by_bytes, latest, 0)].append(part)
        done += size
    return [group for group in groups if group]
