"""Measures searching beside Pyserini's own: Anserini's SimpleSearcher over unigrams.

The same passages are indexed both ways. Questions are searched for 20 hits and answer sentences for
5, in one process after a warm-up, each system in turn; the best of several rounds counts. Reading
ids and scores of all hits is part of the work. Two workers are measured on the whole commands, with
the questions repeated and start-up taken off.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from _support import print_table, rate_of_workers, repeat_questions, silver

from pipeline import files
from pipeline.config import load_config
from pipeline.lucene import jvm
from pipeline.lucene.manifest import open_searcher
from pipeline.lucene.wording import without_words
from pipeline.records import Question

_ROUNDS = 3
_WARM_UP = 200


def best_rate(search: Callable[[str], object], texts: Sequence[str]) -> tuple[float, float]:
    """Queries a second, by the clock and by CPU, of the best round."""
    for text in texts[:_WARM_UP]:
        search(text)
    rates = []
    for _ in range(_ROUNDS):
        clock, cpu = time.perf_counter(), time.process_time()
        for text in texts:
            search(text)
        clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
        rates.append((len(texts) / clock, len(texts) / cpu))
    return max(rates)


def main() -> None:
    """Read the command line and run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, required=True, help="index of this project")
    parser.add_argument("--unigrams", type=Path, required=True, help="Anserini's index")
    parser.add_argument("--questions", type=Path, required=True, help="Parquet file of questions")
    parser.add_argument("--config", type=Path, default=Path("configs/profiles/enwiki.yaml"))
    parser.add_argument("--most", type=int, default=500, help="queries of each kind")
    parser.add_argument(
        "--repeat", type=int, default=0, help="times the questions are repeated to measure workers"
    )
    options = parser.parse_args()
    config = load_config(options.config)
    asked = list(files.read_records(options.questions, Question))
    questions = [question.question for question in asked if question.question][: options.most]
    answers = [text for question in asked for text in question.answer_sentences][: options.most]
    rows = []
    with open_searcher(options.index, config.index, "2g") as searcher:
        simple = jvm.java_class("io.anserini.search.SimpleSearcher")(str(options.unigrams))
        simple.set_bm25(0.9, 0.4)

        def theirs(depth: int) -> Callable[[str], object]:
            return lambda text: [(hit.docid, hit.score) for hit in simple.search(text, depth)]

        words = frozenset(config.retrieve.stop_words)

        def question(text: str) -> object:
            return searcher.search(without_words(text, words), config.retrieve.boosts, 20)

        def answer(text: str) -> object:
            return searcher.search(text, config.candidates.boosts, 5)

        for name, texts, ours, depth in (
            ("questions, 20 hits", questions, question, 20),
            ("answer sentences, 5 hits", answers, answer, 5),
        ):
            peer = best_rate(theirs(depth), texts)
            mine = best_rate(ours, texts)
            rows.append(
                (name, len(texts), f"{mine[0]:.0f}", f"{peer[0]:.0f}",
                 f"{mine[0] / peer[0]:.2f}", f"{mine[1] / peer[1]:.2f}")
            )  # fmt: skip
    print_table(("queries", "n", "ours/s", "unigrams/s", "clock ratio", "CPU ratio"), rows)
    if options.repeat:
        bench_workers(asked, options)


def bench_workers(asked: Sequence[Question], options: argparse.Namespace) -> None:
    """Print how much faster two workers are: on the questions repeated, start-up taken off."""
    with tempfile.TemporaryDirectory(prefix="silver-bench-") as name:
        work = Path(name)
        for stage in ("retrieve", "candidates"):
            sizes = []
            for times in (options.repeat // 10 or 1, options.repeat):
                path = work / f"questions-{times}.parquet"
                count = repeat_questions(asked, times, path)
                arguments = ["--questions", path, "--index", options.index,
                             "--out", work / stage, "--config", options.config]  # fmt: skip
                taken = [silver(stage, arguments, work, workers).seconds for workers in (1, 2)]
                sizes.append((count, taken))
            one, two = rate_of_workers(sizes)
            print(
                f"silver {stage}: {one:.0f} questions/s with one worker, {two:.0f} with two, "
                f"{two / one:.2f} times"
            )


if __name__ == "__main__":
    main()
