"""Measures sentence splitting beside punkt, pySBD, sentencex and BlingFire.

Speed: MB of text a CPU second over the paragraphs of a dump's articles, start-up not counted.
Quality: F1 of the sentence boundaries inside the paragraphs of CoNLL-U files; the end of a
paragraph is given and counts for nothing. Punkt is trained on the texts that it then splits.
"""

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path

from _boundaries import boundary_f1, gold_paragraphs
from _support import peers_python, print_table, run, silver

_MEGABYTES = 3.0
_PEERS = ("punkt", "pysbd", "sentencex", "blingfire")
_SLOW = {"pysbd": 0.1}  # the share of the texts that a slow peer is measured on

Span = list[int]


def paragraphs_of(dump: Path, work: Path) -> list[str]:
    """Some MB of paragraphs of a dump's articles."""
    import pyarrow.parquet as pq

    silver("extract", ["--dump", dump, "--out", work / "articles"], work)
    texts: list[str] = []
    size = 0
    for part in sorted((work / "articles").glob("part-*.parquet")):
        for blocks in pq.read_table(part, columns=["blocks"]).column("blocks").to_pylist():
            for block in blocks:
                if block["kind"] == "paragraph" and size < _MEGABYTES * 1e6:
                    texts.append(block["text"])
                    size += len(block["text"].encode())
    return texts


def ours(texts: list[str]) -> tuple[float, list[list[Span]]]:
    """CPU seconds and spans of this project's splitter."""
    from pipeline.wikipedia.segmentation.sentences import make_splitter

    split = make_splitter("rules", "en")
    started = time.process_time()
    spans = [split(text) for text in texts]
    return time.process_time() - started, [[list(span) for span in found] for found in spans]


def peer(name: str, texts: list[str], work: Path) -> tuple[float, list[list[Span]], float]:
    """CPU seconds, spans and peak MB of a peer."""
    given, answers = work / "texts.jsonl", work / "answers.jsonl"
    with given.open("w", encoding="utf-8") as out:
        for text in texts:
            out.write(json.dumps({"text": text}) + "\n")
    reader = Path(__file__).with_name("peers") / "read_texts.py"
    found = run(
        [peers_python(), "-W", "ignore", reader, name, given, "--out", answers], work
    ).counts()
    with answers.open(encoding="utf-8") as lines:
        spans = [_spans(json.loads(line), text) for line, text in zip(lines, texts, strict=True)]
    return found["seconds"], spans, found["peak_megabytes"]


def _spans(answer: list[object], text: str) -> list[Span]:
    """Spans as they are; pieces of text are found in it, one after the other."""
    spans: list[Span] = []
    at = 0
    for piece in answer:
        if isinstance(piece, str):
            start = text.index(piece, at)
            at = start + len(piece)
            spans.append([start, at])
        elif isinstance(piece, list):
            spans.append(piece)
    return spans


def main() -> None:
    """Read the command line and run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dump", type=Path, required=True)
    parser.add_argument("--conllu", type=Path, nargs="*", default=[], help="gold boundaries")
    options = parser.parse_args()
    golds = [list(gold_paragraphs(path)) for path in options.conllu]
    with tempfile.TemporaryDirectory(prefix="silver-bench-") as name:
        work = Path(name)
        texts = paragraphs_of(options.dump, work)
        rows = []
        for splitter in ("rules", *_PEERS):
            chosen = texts[: int(len(texts) * _SLOW.get(splitter, 1))]
            size = sum(len(text.encode()) for text in chosen) / 1e6
            f1s = []
            for gold in golds:
                plain = [text for text, _ in gold]
                spans = ours(plain)[1] if splitter == "rules" else peer(splitter, plain, work)[1]
                f1s.append(f"{boundary_f1(gold, spans):.4f}")
            if splitter == "rules":
                seconds, peak = ours(chosen)[0], resource.getrusage(0).ru_maxrss / 1024
            else:
                seconds, _, peak = peer(splitter, chosen, work)
            rows.append((splitter, size / seconds, peak, f1s))
        punkt = next(rate for splitter, rate, *_ in rows if splitter == "punkt")
        print_table(
            ("splitter", "MB/s per core", "to punkt", "peak MB",
             *(f"F1 {path.stem}" for path in options.conllu)),
            [
                (splitter, f"{rate:.2f}", f"{rate / punkt:.1f}", f"{peak:.0f}", *f1s)
                for splitter, rate, peak, f1s in rows
            ],
        )  # fmt: skip


if __name__ == "__main__":
    main()
