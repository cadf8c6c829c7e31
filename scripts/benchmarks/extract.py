"""Measures extraction beside WikiExtractor, mwparserfromhell's strip_code and wikitextparser.

Speed: a dump is repeated, with new page ids, to the size asked for; start-up is taken off by
measuring a small and a ten times larger repetition and dividing the difference. Per core means per
CPU second of the command and its children. One and two workers are measured in turn, and the best
of ``--repeat`` rounds is taken of each figure: other work on the machine only slows a run down.
The libraries read the pages' wikitext alone, without XML.
Memory: the largest process of a command, for the small dump and for the large one.
Pages: seconds per byte of each page over 1 KB, the slowest beside the median.
Quality: the share of cases of a parser test file (`wikitext`, `words`) whose words are the same.
"""

import argparse
import bz2
import json
import re
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from _support import PEERS, Measured, peers_python, print_table, run, silver

_PAGE = re.compile(r"<page>.*?</page>", re.DOTALL)
_ID = re.compile(r"<id>\d+</id>")
_TEXT = re.compile(r"<text[^>]*>(.*?)</text>", re.DOTALL)
_LIBRARY_MEGABYTES = 3
_SMALLEST_PAGE = 1000
_ROUNDS_A_PAGE = 5

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


@dataclass(frozen=True, slots=True)
class Rate:
    """One extractor's round: MB a second by the clock, MB a CPU second, peaks for both dumps."""

    clock: float
    core: float
    small_peak: float
    large_peak: float


def measure(command: Command, dumps: tuple[Path, Path], name: str, work: Path) -> Rate:
    """One round: the small dump, then the large one; start-up is what both have."""
    small, large = (command(dump, work / f"out-{name}-{dump.stem}") for dump in dumps)
    added = (dumps[1].stat().st_size - dumps[0].stat().st_size) / 1e6
    return Rate(
        added / max(large.seconds - small.seconds, 1e-9),
        added / max(large.cpu_seconds - small.cpu_seconds, 1e-9),
        small.peak_megabytes,
        large.peak_megabytes,
    )


def best(rounds: list[Rate]) -> Rate:
    """The best rates of several rounds, and the worst peaks."""
    return Rate(
        max(rate.clock for rate in rounds),
        max(rate.core for rate in rounds),
        max(rate.small_peak for rate in rounds),
        max(rate.large_peak for rate in rounds),
    )


def bench_speed(source: Path, megabytes: float, repeat: int, work: Path) -> None:
    """Print speed and memory of every extractor, and their ratios to WikiExtractor's."""
    small, large = work / "small.xml", work / "large.xml"
    repeat_dump(source, small, megabytes / 10)
    repeat_dump(source, large, megabytes)

    def ours(workers: int) -> Command:
        def command(dump: Path, out: Path) -> Measured:
            shutil.rmtree(out, ignore_errors=True)
            return silver("extract", ["--dump", dump, "--out", out], work, workers)

        return command

    def wikiextractor(dump: Path, out: Path) -> Measured:
        program = PEERS / "bin" / "wikiextractor"
        options = ["--no-templates", "--processes", 1, "--quiet", "--json", "-o", out]
        return run([program, *options, dump], work)

    commands = {
        "silver extract, 1 worker": ours(1),
        "silver extract, 2 workers": ours(2),
        "WikiExtractor": wikiextractor,
    }
    rounds: dict[str, list[Rate]] = {name: [] for name in commands}
    for _ in range(repeat):
        for name, command in commands.items():
            rounds[name].append(measure(command, (small, large), name, work))
    rates = {name: best(found) for name, found in rounds.items()}
    peer = rates["WikiExtractor"].core
    rows = [
        (name, f"{rate.clock:.2f}", f"{rate.core:.2f}", f"{rate.core / peer:.2f}",
         f"{rate.small_peak:.0f}", f"{rate.large_peak:.0f}")
        for name, rate in rates.items()
    ]  # fmt: skip
    rows += [
        (name, f"{rate:.2f}", f"{rate:.2f}", f"{rate / peer:.2f}", "", f"{peak:.0f}")
        for name, rate, peak in bench_libraries(source, work)
    ]
    print_table(
        ("extractor", "MB/s", "MB/s per core", "to WikiExtractor", "peak MB of a tenth", "peak MB"),
        rows,
    )
    one, two = (rounds[f"silver extract, {n}"] for n in ("1 worker", "2 workers"))
    pairs = [second.clock / first.clock for first, second in zip(one, two, strict=True)]
    print(
        "two workers to one, by the clock: "
        f"{rates['silver extract, 2 workers'].clock / rates['silver extract, 1 worker'].clock:.2f}"
        f" (best of each); pair by pair {', '.join(f'{pair:.2f}' for pair in pairs)}"
    )


def bench_libraries(source: Path, work: Path) -> list[tuple[str, float, float]]:
    """MB a CPU second and peak MB of the libraries that read wikitext."""
    texts = work / "texts.jsonl"
    size = 0
    with texts.open("w", encoding="utf-8") as out:
        for text in read_texts(source):
            if size < _LIBRARY_MEGABYTES * 1e6:
                out.write(json.dumps({"text": text}) + "\n")
                size += len(text.encode())
    reader = Path(__file__).with_name("peers") / "read_texts.py"
    rows = []
    for library in ("strip_code", "wikitextparser"):
        command = [peers_python(), "-W", "ignore", reader, library, texts]
        counts = run([*command, "--out", work / "answers"], work).counts()
        rows.append((library, size / 1e6 / counts["seconds"], counts["peak_megabytes"]))
    return rows


def bench_pages(source: Path) -> None:
    """Print how much longer than the median the slowest page takes, per byte of its wikitext."""
    from pipeline.wikipedia.wikitext.page import read_page

    costs = []
    for text in read_texts(source):
        size = len(text.encode())
        if size <= _SMALLEST_PAGE:
            continue
        seconds = []
        for _ in range(_ROUNDS_A_PAGE):
            started = time.process_time()
            read_page("Page", text, max_characters=10_000_000, max_template_characters=10_000_000)
            seconds.append(time.process_time() - started)
        costs.append((min(seconds) / size, size))
    median = statistics.median(cost for cost, _ in costs)
    slowest, size = max(costs)
    print(
        f"{len(costs)} pages over {_SMALLEST_PAGE} bytes: {median * 1e9:.0f} ns a byte in the "
        f"median; the slowest, of {size} bytes, {slowest / median:.1f} times that"
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
        read_page(
            "Page", case["wikitext"], max_characters=1_000_000, max_template_characters=10_000_000
        )
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
    parser.add_argument("--repeat", type=int, default=3, help="rounds of the speed measurement")
    parser.add_argument("--parser-tests", type=Path, help="JSON lines of wikitext and words")
    options = parser.parse_args()
    peers_python()
    with tempfile.TemporaryDirectory(prefix="silver-bench-") as name:
        bench_speed(options.dump, options.megabytes, options.repeat, Path(name))
        bench_pages(options.dump)
        if options.parser_tests:
            print()
            bench_quality(options.parser_tests, Path(name))


if __name__ == "__main__":
    main()
