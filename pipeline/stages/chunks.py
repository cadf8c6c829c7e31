"""Running a function over chunks of the questions and putting the pieces together in order."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pipeline import cluster, files
from pipeline.config import Compute, Config
from pipeline.errors import InputError
from pipeline.records import Question

QUESTIONS_PER_CHUNK = 1000


@dataclass(frozen=True, slots=True)
class Chunk:
    """Questions ``start`` up to, without, ``stop`` of a file, and where their piece goes."""

    questions: Path
    start: int
    stop: int
    piece: Path
    config: Config
    heap: str
    inputs: tuple[Path, ...]

    def read_questions(self) -> list[Question]:
        """The chunk's questions, in the order of the file."""
        rows = files.read_record_range(self.questions, Question, self.start, self.stop)
        return list(rows)


def run_chunks(
    function: Callable[[Chunk], dict[str, int]],
    questions: Path,
    out: Path,
    config: Config,
    compute: Compute,
    inputs: tuple[Path, ...],
    join: Callable[[list[Path]], None],
) -> dict[str, int]:
    """Run ``function`` over all chunks, then ``join`` their pieces; the sum of their counts."""
    count = files.row_count(questions, Question)
    if count == 0:
        raise InputError(f"{questions}: holds no question")
    whole = out.with_name(f"pieces-{out.name}")
    files.remove_leftovers(whole)
    # With this process's number, so that two runs at once do not take each other's pieces.
    pieces = out.with_name(f"{files.ASIDE}-{os.getpid()}-{whole.name}")
    pieces.mkdir(parents=True, exist_ok=True)
    try:
        tasks = [
            Chunk(
                questions,
                start,
                stop,
                pieces / files.part_name(n),
                config,
                compute.java_heap,
                inputs,
            )
            for n, (start, stop) in enumerate(cluster.chunk_ranges(count, QUESTIONS_PER_CHUNK))
        ]
        results = cluster.run_tasks(function, tasks, compute, out.name)
        join([task.piece for task in tasks])
    finally:
        shutil.rmtree(pieces, ignore_errors=True)
    total: dict[str, int] = {}
    for result in results:
        for key, value in result.items():
            total[key] = total.get(key, 0) + value
    return total


def join_parquet(pieces: list[Path], out: Path, record: type) -> None:
    """Write the rows of all pieces, in order, to one Parquet file."""
    import pyarrow as pa

    with files.record_writer(out, record) as writer:
        for piece in pieces:
            batches = list(files.read_tables(piece, record))
            if batches:
                writer.write_table(pa.Table.from_batches(batches))
