"""Measures indexing beside Pyserini's own: Anserini's IndexCollection, unigrams, one thread.

Both index the same passages at several sizes, made by repetition with new ids and noise. Documents
a second come from the difference of two sizes, so start-up is taken off. Index bytes leave out the
stored text, which both keep or leave as they like.
"""

import argparse
import json
import random
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from _support import Measured, print_table, run, silver

from pipeline import files
from pipeline.lucene.jvm import anserini_jar, java_home
from pipeline.records import Passage

_STORED = {".fdt", ".fdm", ".fdx"}
_PART = 20_000


def repeated(passages: list[Passage], count: int) -> Iterator[Passage]:
    """As many passages as asked for: repetitions have new ids and one word in ten replaced."""
    random_ = random.Random(1)  # noqa: S311  (noise, not a secret)
    words = [word for passage in passages[:2000] for word in passage.text.split()]
    for number in range(count):
        passage = passages[number % len(passages)]
        if number < len(passages):
            yield passage
            continue
        page_id = 1_000_000_000 + number
        noisy = [
            random_.choice(words) if random_.random() < 0.1 else word
            for word in passage.text.split()
        ]
        text = " ".join(noisy)
        yield replace(
            passage,
            passage_id=f"{page_id}-0",
            page_id=page_id,
            text=text,
            sentence_starts=(0,),
            sentence_ends=(len(text),),
        )


def write_collections(passages: list[Passage], count: int, work: Path) -> tuple[Path, Path, int]:
    """The passages as this project's parts and as Anserini's JSON lines; and their bytes."""
    ours, theirs, size = work / f"passages-{count}", work / f"json-{count}", 0
    ours.mkdir()
    theirs.mkdir()
    batch: list[Passage] = []
    with (theirs / "passages.jsonl").open("w", encoding="utf-8") as out:

        def flush() -> None:
            name = files.part_name(len(list(ours.glob("part-*"))))
            files.write_records(ours / f"{name}.parquet", Passage, batch)
            batch.clear()

        for passage in repeated(passages, count):
            out.write(json.dumps({"id": passage.passage_id, "contents": passage.text}) + "\n")
            size += len(passage.text.encode())
            batch.append(passage)
            if len(batch) == _PART:
                flush()
        if batch:
            flush()
    return ours, theirs, size


def anserini(collection: Path, index: Path, heap: str, work: Path) -> Measured:
    """Run Anserini's indexer as Pyserini does."""
    command = [
        java_home() / "bin" / "java", f"-Xmx{heap}", "-cp", anserini_jar(),
        "io.anserini.index.IndexCollection", "-collection", "JsonCollection",
        "-input", collection, "-index", index, "-generator", "DefaultLuceneDocumentGenerator",
        "-threads", "1", "-storeRaw",
    ]  # fmt: skip
    return run(command, work)


def index_bytes(folder: Path) -> int:
    """Bytes of an index without its stored text."""
    return sum(
        path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in _STORED
    )


def main() -> None:
    """Read the command line and run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=Path, required=True, help="folder of passages")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 60_000])
    parser.add_argument("--config", type=Path, default=Path("configs/profiles/enwiki.yaml"))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--heap", default="2g")
    options = parser.parse_args()
    parts = files.list_parts(options.passages)
    passages = [row for part in parts for row in files.read_records(part, Passage)]
    rows = []
    before: tuple[int, Measured, Measured] | None = None
    with tempfile.TemporaryDirectory(prefix="silver-bench-") as name:
        work = Path(name)
        for size in options.sizes:
            ours_in, theirs_in, text = write_collections(passages, size, work)
            ours_out, theirs_out = work / f"ours-{size}", work / f"theirs-{size}"
            arguments = ["--passages", ours_in, "--out", ours_out, "--config", options.config]
            ours = silver("index", arguments, work, options.workers)
            theirs = anserini(theirs_in, theirs_out, options.heap, work)
            added, ours_cpu, theirs_cpu = size, ours.cpu_seconds, theirs.cpu_seconds
            ours_clock, theirs_clock = ours.seconds, theirs.seconds
            if before is not None:
                added -= before[0]
                ours_cpu -= before[1].cpu_seconds
                theirs_cpu -= before[2].cpu_seconds
                ours_clock -= before[1].seconds
                theirs_clock -= before[2].seconds
            before = (size, ours, theirs)
            ours_size, theirs_size = index_bytes(ours_out / "lucene"), index_bytes(theirs_out)
            rows.append(
                (
                    f"{size:,}", f"{added / ours_clock:,.0f}", f"{added / theirs_clock:,.0f}",
                    f"{ours_clock / theirs_clock:.2f}", f"{ours_cpu / theirs_cpu:.2f}",
                    f"{ours_size / text:.2f}", f"{theirs_size / text:.2f}",
                    f"{ours_size / theirs_size:.2f}",
                    f"{ours.peak_megabytes:.0f}", f"{theirs.peak_megabytes:.0f}",
                )
            )  # fmt: skip
    print_table(
        ("passages", "ours docs/s", "unigrams docs/s", "clock ratio", "CPU ratio",
         "ours bytes/byte", "unigrams", "size ratio", "ours MB", "unigrams MB"),
        rows,
    )  # fmt: skip


if __name__ == "__main__":
    main()
