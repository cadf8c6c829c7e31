"""Measures extraction beside WikiExtractor, mwparserfromhell's strip_code and wikitextparser.

Speed: a dump is repeated, with new page ids, to the size asked for; start-up is taken off by
measuring a small and a large repetition and dividing the difference. Per core means per CPU second
of the command and its children. The libraries read the pages' wikitext alone, without XML.
Quality: the share of cases of a parser test file (`wikitext`, `words`) whose words are the same.
"""

import argparse
import bz2
import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from support import PEERS, Measured, peers_python, print_table, run, silver

_PAGE = re.compile(r"<page>.*?</page>", re.DOTALL)
_ID = re.compile(r"<id>\d+</id>")
_TEXT = re.compile(r"<text[^>]*>(.*?)</text>", re.DOTALL)
_LIBRARY_MEGABYTES = 3

Command = Callable[[Path, Path], Measured]


def repeat_dump(source: Path, target: Path, megabytes: float) -> float:
    """Write a plain XML dump of at least so many MB with new page ids; returns its MB."""
    text = bz2.decompress(source.read_bytes()).decode("utf-8")
    pages = _PAGE.findall(text)
    head = text[: text.index("<page>")]
    written, number = len(head.encode()), 0
    with target.open("w", encoding="utf-8") as out:
        out.write(head)
        while written < megabytes * 1e6:
            for page in pages:
                number += 1
                fresh = _ID.sub(f"<id>{number}</id>", page, count=1)
                fresh = fresh.replace("</title>", f" {number}</title>", 1)
                written += out.write(fresh + "\n")
        out.write("</mediawiki>\n")
    return target.stat().st_size / 1e6


def read_texts(source: Path) -> list[str]:
    """The wikitext of a dump's pages, as the libraries get it."""
    from html import unescape

    text = bz2.decompress(source.read_bytes()).decode("utf-8")
    return [unescape(found) for found in _TEXT.findall(text)]


def difference(small: Measured, large: Measured, megabytes: float) -> tuple[float, float]:
    """MB a second by the clock and MB a CPU second, start-up taken off."""
    return (
        megabytes / (large.seconds - small.seconds),
        megabytes / (large.cpu_seconds - small.cpu_seconds),
    )


def bench_speed(source: Path, megabytes: float, work: Path) -> None:
    """Print speed and memory of every extractor, and their ratios to WikiExtractor's."""
    small, large = work / "small.xml", work / "large.xml"
    added = -repeat_dump(source, small, megabytes / 10) + repeat_dump(source, large, megabytes)
    rows = []

    def measure(name: str, command: Command, workers: int) -> tuple[float, float, float]:
        runs = [command(dump, work / f"out-{name}-{dump.stem}") for dump in (small, large)]
        clock, core = difference(runs[0], runs[1], added)
        rows.append((name, workers, clock, core, runs[1].peak_megabytes))
        return clock, core, runs[1].peak_megabytes

    def ours(workers: int) -> Command:
        return lambda dump, out: silver(
            "extract", ["--dump", dump, "--out", f"{out}-{workers}"], work, workers
        )

    def wikiextractor(dump: Path, out: Path) -> Measured:
        program = PEERS / "bin" / "wikiextractor"
        options = ["--no-templates", "--processes", 1, "--quiet", "--json", "-o", out]
        return run([program, *options, dump], work)

    measure("silver extract, 1 worker", ours(1), 1)
    measure("silver extract, 2 workers", ours(2), 2)
    peer = measure("WikiExtractor", wikiextractor, 1)
    texts = work / "texts.jsonl"
    size = 0
    with texts.open("w", encoding="utf-8") as out:
        for text in read_texts(source):
            if size < _LIBRARY_MEGABYTES * 1e6:
                size += out.write(json.dumps({"text": text}) + "\n")
    for library in ("strip_code", "wikitextparser"):
        reader = Path(__file__).with_name("peers") / "read_texts.py"
        found = run(
            [peers_python(), "-W", "ignore", reader, library, texts, "--out", work / "answers"],
            work,
        )
        counts = found.counts()
        rate = size / 1e6 / counts["seconds"]
        rows.append((library, 1, rate, rate, counts["peak_megabytes"]))
    print_table(
        ("extractor", "workers", "MB/s", "MB/s per core", "to WikiExtractor", "peak MB"),
        [
            (name, workers, f"{clock:.2f}", f"{core:.2f}", f"{core / peer[1]:.2f}", f"{peak:.0f}")
            for name, workers, clock, core, peak in rows
        ],
    )


def bench_quality(cases_path: Path, work: Path) -> None:
    """Print the share of parser tests whose words each extractor gets right."""
    from pipeline.wikipedia.wikitext.page import read_page

    with cases_path.open(encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    texts = work / "cases.jsonl"
    with texts.open("w", encoding="utf-8") as out:
        for case in cases:
            out.write(json.dumps({"text": case["wikitext"]}) + "\n")
    rows = []

    def add(name: str, answers: list[str]) -> None:
        right = sum(
            answer.split() == _words(case["words"])
            for answer, case in zip(answers, cases, strict=True)
        )
        rows.append((name, len(cases), f"{100 * right / len(cases):.1f}"))

    pages = (
        read_page("Page", case["wikitext"], max_characters=1_000_000, max_seconds=60)
        for case in cases
    )
    add("silver extract", ["\n".join(block.text for block in page.blocks) for page in pages])
    for peer in ("strip_code", "wikitextparser", "wikiextractor"):
        reader = Path(__file__).with_name("peers") / "read_texts.py"
        run([peers_python(), "-W", "ignore", reader, peer, texts, "--out", work / "answers"], work)
        with (work / "answers").open(encoding="utf-8") as lines:
            add(peer, [json.loads(line) for line in lines])
    print_table(("extractor", "cases", "same words, %"), rows)


def _words(words: str | list[str]) -> list[str]:
    return words.split() if isinstance(words, str) else words


def main() -> None:
    """Read the command line and run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dump", type=Path, required=True, help="a dump of one bz2 stream")
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--parser-tests", type=Path, help="JSON lines of wikitext and words")
    options = parser.parse_args()
    peers_python()
    with tempfile.TemporaryDirectory(prefix="silver-bench-") as name:
        bench_speed(options.dump, options.megabytes, Path(name))
        if options.parser_tests:
            print()
            bench_quality(options.parser_tests, Path(name))


if __name__ == "__main__":
    main()
