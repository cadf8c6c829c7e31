"""Measures the pipeline end to end: time, throughput and peak memory of each stage.

Each stage runs as a command of its own, so start-up is part of the figure. The figures of one run
belong together; machines differ, so compare ratios.
"""

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from _support import Measured, folder_bytes, print_table, silver


def bench_stages(options: argparse.Namespace, work: Path) -> None:
    """All stages on the sample of the given size, or on a dump and a corpus of your own."""
    rows: list[tuple[str, str, str, str]] = []

    def stage(name: str, arguments: Sequence[object], rate: Callable[[Measured], str]) -> None:
        measured = silver(name, arguments, work, options.workers)
        rows.append(
            (name, f"{measured.seconds:.2f}", f"{measured.peak_megabytes:.0f}", rate(measured))
        )

    def per_second(count: str, unit: str) -> Callable[[Measured], str]:
        return lambda measured: f"{measured.counts()[count] / measured.seconds:,.0f} {unit}/s"

    if options.dump:
        dump, corpus = Path(options.dump), Path(options.corpus)
    else:
        stage(
            "sample",
            ["--out", work / "sample", "--articles", options.articles],
            lambda measured: f"{options.articles / measured.seconds:,.0f} articles/s",
        )
        dump = work / "sample" / "sample-pages-articles-multistream.xml.bz2"
        corpus = work / "sample" / "selqa"
    articles, passages, index = work / "articles", work / "passages", work / "index"
    asked, found = work / "questions.parquet", work / "candidates.parquet"
    scores, matched, run = work / "scores.parquet", work / "silver.parquet", work / "run.trec"
    stage(
        "extract",
        ["--dump", dump, "--out", articles],
        lambda measured: (
            f"{measured.counts()['pages'] / measured.seconds:,.0f} pages/s, "
            f"{folder_text(articles) / measured.seconds / 1e6:.2f} MB of text/s"
        ),
    )
    stage(
        "segment",
        ["--articles", articles, "--out", passages],
        lambda measured: (
            f"{measured.counts()['passages'] / measured.seconds:,.0f} passages/s, "
            f"{measured.counts()['characters'] / measured.seconds / 1e6:.2f} MB of text/s"
        ),
    )
    stage(
        "index",
        ["--passages", passages, "--out", index],
        lambda measured: (
            f"{measured.counts()['passages'] / measured.seconds:,.0f} passages/s, "
            f"{folder_bytes(index / 'lucene') / 1e6:.1f} MB on disk"
        ),
    )
    corpus_options = ["--corpus", "bench", "--format", options.format, "--input", corpus]
    stage("questions", [*corpus_options, "--out", asked], per_second("questions", "questions"))
    searched = ["--questions", asked, "--index", index]
    stage("candidates", [*searched, "--out", found], per_second("answer_sentences", "queries"))
    stage(
        "score",
        [*searched, "--candidates", found, "--out", scores],
        per_second("windows", "sentences"),
    )
    stage(
        "match",
        ["--questions", asked, "--scores", scores, "--out", matched],
        per_second("answerable", "questions"),
    )
    stage("retrieve", [*searched, "--out", run], per_second("queries", "queries"))
    stage(
        "datasets",
        [*searched, "--silver", matched, "--run", run, "--out", work / "dataset"],
        per_second("passages", "passages"),
    )
    print_table(("stage", "seconds", "peak MB", "throughput, start-up included"), rows)


def folder_text(articles: Path) -> int:
    """Bytes of text in a folder of articles."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    total = 0
    for part in sorted(articles.glob("part-*.parquet")):
        for batch in pq.ParquetFile(part).iter_batches(columns=["blocks"]):
            texts = batch.column(0).flatten().field("text")
            total += pc.sum(pc.binary_length(texts)).as_py() or 0
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
    with tempfile.TemporaryDirectory(prefix="silver-bench-") as name:
        bench_stages(options, Path(name))


if __name__ == "__main__":
    main()
