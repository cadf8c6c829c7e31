"""Measures matching: cosines and features against plain Counters, sweeps against one evaluation.

Sentences are made of words whose frequencies fall as those of a language do, so that the figures
need no data. The figures of one run belong together; machines differ, so compare ratios.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
from _support import print_table, rate_of_workers, repeat_questions, silver

from pipeline import files
from pipeline.matching.best import ScoreColumns, best_windows
from pipeline.matching.cosines import pair_cosines
from pipeline.matching.features import compare
from pipeline.matching.idf import Idf
from pipeline.matching.pair_texts import Pairs
from pipeline.matching.sweeps import counts_at, highest_by_weights, thresholds, weight_triples
from pipeline.records import Question

PASSAGES, SENTENCES, TOGETHER = 20, 5, 100


def sentences(count: int, random: np.random.Generator) -> list[list[str]]:
    """Token lists of 10 to 40 words by Zipf's law."""
    lengths = random.integers(10, 41, count)
    words = [f"w{n}" for n in np.minimum(random.zipf(1.3, int(lengths.sum())), 50_000)]
    ends = np.cumsum(lengths)
    return [words[end - length : end] for end, length in zip(ends, lengths, strict=True)]


def batch(random: np.random.Generator) -> Pairs:
    """Answer sentences, each against all sentences of some passages, as the score stage has it."""
    answers = sentences(TOGETHER, random)
    windows = sentences(TOGETHER * PASSAGES * SENTENCES, random)
    starts = range(0, len(windows), SENTENCES)
    return Pairs(
        answers=answers,
        topics=[answer[:2] for answer in answers],
        windows=windows,
        titles=[windows[start][:2] for start in starts],
        answer=np.repeat(np.arange(TOGETHER), PASSAGES * SENTENCES),
        window=np.arange(len(windows)),
        passage=np.repeat(np.arange(len(starts)), SENTENCES),
        single=np.ones(len(windows), dtype=bool),
        previous=np.where(np.arange(len(windows)) % SENTENCES, np.arange(len(windows)) - 1, -1),
    )


def plain_cosines(pairs: Pairs) -> np.ndarray:
    """The same three cosines with a Counter a sentence and order, each made once."""

    def counters(texts: object) -> list[list[Counter]]:
        return [
            [Counter(zip(*(text[n:] for n in range(order)), strict=False)) for order in (1, 2, 3)]
            for text in texts
        ]

    def norm(counts: Counter) -> int:
        return sum(count * count for count in counts.values())

    answers, windows = counters(pairs.answers), counters(pairs.windows)
    norms = [[norm(counts) for counts in text] for text in windows]
    found = np.zeros((len(pairs.answer), 3))
    for row, (one, other) in enumerate(zip(pairs.answer, pairs.window, strict=True)):
        for order in range(3):
            here, there = answers[one][order], windows[other][order]
            dot = sum(count * there[ngram] for ngram, count in here.items())
            length = norm(here) * norms[other][order]
            found[row, order] = dot / length**0.5 if length else 0.0
    return found


def seconds(work: Callable[[], object]) -> float:
    """How long it takes, the best of three."""
    times = []
    for _ in range(3):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def bench_scoring() -> None:
    """One core: cosines alone, and cosines with all features, against plain Counters."""
    pairs = batch(np.random.default_rng(1))
    idf = Idf(100_000, {f"w{n}": max(1, 90_000 // n) for n in range(1, 20_000)})
    texts = [*pairs.answers, *pairs.windows]
    other = pairs.window + len(pairs.answers)
    assert np.allclose(plain_cosines(pairs), pair_cosines(texts, pairs.answer, other))
    plain = seconds(lambda: plain_cosines(pairs))
    rows = []
    for name, work in (
        ("plain Counters, cosines", lambda: plain_cosines(pairs)),
        ("cosines", lambda: pair_cosines(texts, pairs.answer, other)),
        ("cosines and features", lambda: compare(pairs, idf)),
    ):
        taken = seconds(work)
        rows.append((name, f"{len(pairs.answer) / taken:,.0f}", f"{plain / taken:.1f}"))
    print_table(("one core", "sentence pairs/s", "times Counters"), rows)


def bench_sweep(answers: int) -> None:
    """All weights and thresholds over the sentences of many answers, against one evaluation.

    One evaluation is what ``silver match`` makes: the similarity of every sentence under one triple
    of weights, the best sentence of each passage, and those at or over one threshold.
    """
    random = np.random.default_rng(2)
    rows = answers * 25
    zeros, lengths = np.zeros(rows, dtype=np.int64), random.integers(10, 41, rows)
    owner = np.repeat(np.arange(answers), 25)
    columns = ScoreColumns(
        question_ids=tuple(map(str, range(answers))),
        passage_ids=(),
        question=owner,
        answer=zeros,
        passage=zeros,
        rank=np.tile(np.repeat(np.arange(1, 6), 5), answers),
        sentence_index=np.tile(np.arange(5), answers * 5),
        sentence_count=zeros + 1,
        cosines=np.sort(random.beta(0.5, 4, (rows, 3)), axis=1)[:, ::-1].copy(),
        answer_tokens=lengths,
        sentence_tokens=lengths,
        title_match=zeros > 0,
        has_title=zeros > 0,
        article_present=zeros > 0,
        features=np.zeros((rows, 0)),
    )

    def once() -> int:
        similarity = columns.reference()
        best = best_windows(columns, similarity, depth=5)
        return int((similarity[best] >= 0.4).sum())

    def all_of_them() -> None:
        highest = highest_by_weights(
            columns.cosines, owner, answers, weight_triples(), "paper", lengths, lengths
        )
        counts_at(highest, thresholds())

    one, sweep = seconds(once), seconds(all_of_them)
    print_table(
        (f"{answers:,} answers x 25", "seconds", "times one"),
        [
            ("one evaluation", f"{one:.2f}", "1.0"),
            ("100 thresholds x 66 weights", f"{sweep:.2f}", f"{sweep / one:.1f}"),
        ],
    )


def bench_workers(articles: int, repeat: int, work: Path) -> None:
    """Print speed and memory of score and match on a sample's questions, repeated."""
    silver("sample", ["--out", work / "sample", "--articles", articles], work)
    dump = work / "sample" / "sample-pages-articles-multistream.xml.bz2"
    silver("extract", ["--dump", dump, "--out", work / "articles"], work)
    silver("segment", ["--articles", work / "articles", "--out", work / "passages"], work)
    silver("index", ["--passages", work / "passages", "--out", work / "index"], work)
    corpus = ["--corpus", "bench", "--format", "squad-json", "--input", work / "sample" / "squad"]
    silver("questions", [*corpus, "--out", work / "q.parquet"], work)
    asked = list(files.read_records(work / "q.parquet", Question))
    sizes, rows = [], []
    for times in (repeat // 10 or 1, repeat):
        questions, candidates = work / f"q-{times}.parquet", work / f"c-{times}.parquet"
        count = repeat_questions(asked, times, questions)
        given = ["--questions", questions, "--index", work / "index"]
        silver("candidates", [*given, "--out", candidates], work)
        scores = ["--candidates", candidates, "--out", work / "s.parquet"]
        one, two = (silver("score", [*given, *scores], work, workers) for workers in (1, 2))
        matched = silver("match", ["--questions", questions, "--scores", work / "s.parquet",
                                   "--out", work / "m.parquet"], work)  # fmt: skip
        sizes.append((count, (one.seconds, two.seconds)))
        rows.append(
            (f"{count:,}", f"{one.counts()['windows']:,}", f"{one.peak_megabytes:.0f}",
             f"{two.peak_megabytes:.0f}", f"{matched.peak_megabytes:.0f}",
             f"{matched.seconds:.1f}")
        )  # fmt: skip
    print_table(
        ("questions", "sentence pairs", "score, peak MB", "a process of two", "match, peak MB",
         "match, s"),
        rows,
    )  # fmt: skip
    one_rate, two_rate = rate_of_workers(sizes)
    print(
        f"silver score: {one_rate:.0f} questions/s with one worker, {two_rate:.0f} with two, "
        f"{two_rate / one_rate:.2f} times"
    )


def main() -> None:
    """Read the command line and run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=100_000, help="of the sweep")
    parser.add_argument("--articles", type=int, default=0,
                        help="size of a sample to score with one worker and two")  # fmt: skip
    parser.add_argument("--repeat", type=int, default=20, help="times its questions are repeated")
    options = parser.parse_args()
    bench_scoring()
    bench_sweep(options.answers)
    if options.articles:
        with tempfile.TemporaryDirectory(prefix="silver-bench-") as name:
            bench_workers(options.articles, options.repeat, Path(name))


if __name__ == "__main__":
    main()
