"""Stage index: passages to a Lucene index, with our tokens' document frequencies beside it."""

from __future__ import annotations

import importlib.metadata
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline import cluster, files
from pipeline.config import Compute, Config, Index
from pipeline.errors import InputError
from pipeline.lucene import indexing, jvm
from pipeline.lucene.manifest import FREQUENCIES, LUCENE, analysis_settings
from pipeline.matching.ngrams import ngrams
from pipeline.matching.tokens import tokenize
from pipeline.records import DocumentFrequency, Passage


@dataclass(frozen=True, slots=True)
class ShardTask:
    """Some parts of the passages, and the folder that their index goes to."""

    parts: tuple[Path, ...]
    folder: Path
    index: Index
    heap: str


def run_index(passages: Path, out: Path, config: Config, compute: Compute) -> dict[str, object]:
    """Build the index of a folder of passages; the old index stands until the new one is whole."""
    parts = files.list_parts(passages)
    fingerprint = files.fingerprint(
        "index", analysis_settings(config.index), files.folder_fingerprint(passages),
        files.source_fingerprint("pipeline.lucene", ("analysis.py", "indexing.py")),
        files.source_fingerprint("pipeline.matching", ("ngrams.py", "titles.py", "tokens.py")),
        importlib.metadata.version("pyserini"),
    )  # fmt: skip
    if _is_current(out, fingerprint):
        return dict(files.read_stats(out)["counts"])
    shards = min(compute.processes(), len(parts))
    with files.folder_written_aside(out, (LUCENE, FREQUENCIES)) as aside:
        tasks = [
            ShardTask(tuple(group), aside / f"shard-{number}", config.index, compute.java_heap)
            for number, group in enumerate(_groups(parts, shards))
        ]
        counts = cluster.run_tasks(index_shard, tasks, compute, "index")
        if sum(counts) == 0:
            raise InputError(f"{passages}: holds no passage; nothing to index")
        jvm.start(compute.java_heap)
        folders = [task.folder / LUCENE for task in tasks]
        held = indexing.merge_shards(folders, aside / LUCENE, config.index.fields)
        indexing.check_ids_are_unique(aside / LUCENE)
        frequencies = _merge_frequencies(
            [task.folder / "frequencies.parquet" for task in tasks], aside / FREQUENCIES
        )
        for task in tasks:
            shutil.rmtree(task.folder)
        made: dict[str, object] = {"frequencies": frequencies, "passages": held}
        stats = files.stats(made, fingerprint, settings=analysis_settings(config.index))
        files.write_json(aside / files.STATS, stats)
    return made


def index_shard(task: ShardTask) -> int:
    """Index some parts into one shard; returns how many passages. Runs in a worker process.

    It begins anew in a folder where a worker died before it.
    """
    jvm.start(task.heap)
    frequencies: Counter[tuple[int, str]] = Counter()

    def passages() -> Iterator[Passage]:
        for part in task.parts:
            for passage in files.read_records(part, Passage):
                tokens = tokenize(passage.text)
                for order in range(1, task.index.frequency_orders + 1):
                    frequencies.update((order, ngram) for ngram in set(ngrams(tokens, order)))
                yield passage

    shutil.rmtree(task.folder, ignore_errors=True)
    task.folder.mkdir(parents=True)
    count = indexing.write_shard(passages(), task.folder / LUCENE, task.index.fields)
    files.write_records(
        task.folder / "frequencies.parquet",
        DocumentFrequency,
        (
            DocumentFrequency(ngram=ngram, order=order, passages=number)
            for (order, ngram), number in sorted(frequencies.items())
        ),
    )
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
    """Whether the index there is whole and the one that would be built now."""
    if not out.is_dir() or files.read_stats(out).get("fingerprint") != fingerprint:
        return False
    return any((out / LUCENE).glob("segments_*"))


def _groups(parts: list[Path], count: int) -> list[list[Path]]:
    """Contiguous groups of parts, about equal in bytes, none empty."""
    sizes = [part.stat().st_size for part in parts]
    total, done = sum(sizes), 0
    groups: list[list[Path]] = [[] for _ in range(count)]
    for number, (part, size) in enumerate(zip(parts, sizes, strict=True)):
        by_bytes = min(count - 1, (done + size // 2) * count // max(total, 1))
        latest = count - (len(parts) - number)  # leave a part for each group still to come
        groups[max(by_bytes, latest, 0)].append(part)
        done += size
    return [group for group in groups if group]
