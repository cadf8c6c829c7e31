"""Measures the pipeline end to end: time, throughput and peak memory of each stage.

Each stage runs as a command of its own, so start-up is part of the figure. The figures of one run
belong together; machines differ, so compare ratios.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SILVER = ROOT / ".venv" / "bin" / "silver"


@dataclass(frozen=True, slots=True)
class Measured:
    """One stage's run: seconds by the clock, peak memory of its largest process, its counts."""

    stage: str
    seconds: float
    peak_megabytes: float
    counts: dict[str, Any]


def run_stage(stage: str, arguments: Sequence[object], workers: int, log: Path) -> Measured:
    """Run one command and measure it; its own message is shown when it fails."""
    command = [str(SILVER), stage, *map(str, arguments), "--workers", str(workers), "--quiet"]
    out = log / f"{stage}.out"
    started = time.perf_counter()
    opened = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    child = os.posix_spawn(
        command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, opened, 1)]
    )
    os.close(opened)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"silver {stage} failed; its message stands above")
    counts = json.loads(out.read_text().splitlines()[-1])
    return Measured(stage, seconds, usage.ru_maxrss / 1024, counts)


def folder_bytes(path: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(file.stat().st_size for file in Path(path).rglob("*") if file.is_file())


def bench_pipeline(options: argparse.Namespace) -> None:
    """All stages on the sample of the given size, or on a dump and a corpus of your own."""
    with tempfile.TemporaryDirectory(prefix="silver-bench-") as name:
        work = Path(name)
        rows = []

        def stage(
            stage_name: str, arguments: Sequence[object], rate: Callable[[Measured], str]
        ) -> None:
            measured = run_stage(stage_name, arguments, options.workers, work)
            rows.append((measured, rate(measured)))

        if options.dump:
            dump, corpus = Path(options.dump), Path(options.corpus)
        else:
            stage("sample", ["--out", work / "sample", "--articles", options.articles],
                  lambda m: f"{options.articles / m.seconds:,.0f} articles/s")  # fmt: skip
            dump = work / "sample" / "sample-pages-articles-multistream.xml.bz2"
            corpus = work / "sample" / "selqa"
        articles, passages, index = work / "articles", work / "passages", work / "index"
        asked, found = work / "questions.parquet", work / "candidates.parquet"
        scores, silver, run = work / "scores.parquet", work / "silver.parquet", work / "run.trec"
        stage("extract", ["--dump", dump, "--out", articles],
              lambda m: f"{m.counts['articles'] / m.seconds:,.0f} articles/s, "
                        f"{folder_text(articles) / m.seconds / 1e6:.2f} MB of text/s")  # fmt: skip
        stage("segment", ["--articles", articles, "--out", passages],
              lambda m: f"{m.counts['passages'] / m.seconds:,.0f} passages/s, "
                        f"{m.counts['characters'] / m.seconds / 1e6:.2f} MB of text/s")  # fmt: skip
        stage("index", ["--passages", passages, "--out", index],
              lambda m: f"{m.counts['passages'] / m.seconds:,.0f} passages/s, "
                        f"{folder_bytes(index / 'lucene') / 1e6:.1f} MB")  # fmt: skip
        stage("questions", ["--corpus", "bench", "--format", options.format, "--input", corpus,
                            "--out", asked],
              lambda m: f"{m.counts['questions'] / m.seconds:,.0f} questions/s")  # fmt: skip
        stage("candidates", ["--questions", asked, "--index", index, "--out", found],
              lambda m: f"{m.counts['answer_sentences'] / m.seconds:,.0f} queries/s")  # fmt: skip
        stage("score", ["--questions", asked, "--candidates", found, "--index", index,
                        "--out", scores],
              lambda m: f"{m.counts['windows'] / m.seconds:,.0f} sentences/s")  # fmt: skip
        stage("match", ["--questions", asked, "--scores", scores, "--out", silver],
              lambda m: f"{m.counts['answerable'] / m.seconds:,.0f} questions/s")  # fmt: skip
        stage("retrieve", ["--questions", asked, "--index", index, "--out", run],
              lambda m: f"{m.counts['queries'] / m.seconds:,.0f} queries/s")  # fmt: skip
        stage("datasets", ["--questions", asked, "--silver", silver, "--run", run,
                           "--index", index, "--out", work / "dataset"],
              lambda m: f"{m.counts['passages'] / m.seconds:,.0f} passages/s")  # fmt: skip
        print(f"{'stage':<11}{'seconds':>9}{'peak MB':>9}  throughput, start-up included")
        for measured, rate in rows:
            figures = f"{measured.seconds:>9.2f}{measured.peak_megabytes:>9.0f}"
            print(f"{measured.stage:<11}{figures}  {rate}")


def folder_text(articles: Path) -> int:
    """Bytes of text in a folder of articles."""
    import pyarrow.parquet as pq

    total = 0
    for part in sorted(Path(articles).glob("part-*.parquet")):
        for batch in pq.ParquetFile(part).iter_batches(columns=["blocks"]):
            texts = batch.column(0).flatten().field("text")
            total += sum(len(text.as_buffer()) for text in texts)
    return total


def main() -> None:
    """Read the command line and run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--articles", type=int, default=2000, help="size of the sample")
    parser.add_argument("--dump", help="a dump of your own instead of the sample")
    parser.add_argument("--corpus", help="a corpus of your own, with --dump")
    parser.add_argument("--format", default="selqa-ass-json", help="its format")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    if options.dump and not options.corpus:
        parser.error("--dump needs --corpus")
    bench_pipeline(options)


if __name__ == "__main__":
    main()
