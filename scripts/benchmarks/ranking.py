"""Measures question retrieval beside unigram BM25 on questions whose own paragraph is known.

A collection of passages is joined by the paragraphs of SQuAD files, each a page of its own; a
paragraph that two files share counts once, with the questions of the first. Each answerable
question is searched for 20 passages; right is its own paragraph alone. The difference to BM25 on
unigrams (k1 0.9, b 0.4) has McNemar's p with Holm's correction and a 95% interval from a bootstrap
over articles. ``--half 0`` looks at every other article only, ``--half 1`` at the rest: what was
tuned on one half is reported on the other.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from _support import print_table

from pipeline import files
from pipeline.config import Compute, load_config
from pipeline.evaluation.paired import holm, paired_success
from pipeline.evaluation.retrieval import first_relevant_rank
from pipeline.lucene.manifest import BASELINE_BM25, open_searcher
from pipeline.lucene.searching import Searcher
from pipeline.lucene.wording import without_words
from pipeline.records import Passage
from pipeline.stages.index import run_index

_KS = (1, 5, 10, 20)
_RESAMPLES = 2000
_FIRST_PAGE = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its article, and the id of the paragraph it was asked about."""

    question: str
    article: str
    passage_id: str


def read_squad(paths: Sequence[Path]) -> tuple[list[Passage], list[Asked]]:
    """The paragraphs of SQuAD files as passages of pages of their own, and their questions."""
    passages: dict[str, Passage] = {}
    asked: list[Asked] = []
    for path in paths:
        for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
            title = article["title"].replace("_", " ")
            for paragraph in article["paragraphs"]:
                text = " ".join(paragraph["context"].split())
                if text in passages:
                    continue
                page_id = _FIRST_PAGE + len(passages)
                passages[text] = Passage(
                    passage_id=f"{page_id}-0",
                    page_id=page_id,
                    revision_id=0,
                    title=title,
                    section="",
                    text=text,
                    text_sha1=files.text_sha1(text),
                    sentence_starts=(0,),
                    sentence_ends=(len(text),),
                )
                asked += [
                    Asked(entry["question"], title, f"{page_id}-0")
                    for entry in paragraph["qas"]
                    if entry["answers"] and not entry.get("is_impossible")
                ]
    return list(passages.values()), asked


def ranks(
    searcher: Searcher, asked: Sequence[Asked], boosts: dict[str, float], words: frozenset[str]
) -> np.ndarray:
    """The rank of each question's own paragraph; infinity where it is not among the first 20."""
    found = []
    for entry in asked:
        hits = searcher.search(without_words(entry.question, words), boosts, _KS[-1])
        found.append(first_relevant_rank([hit.passage_id for hit in hits], {entry.passage_id}))
    return np.array(found, dtype=np.float64)


def interval(gains: np.ndarray, groups: Sequence[str]) -> tuple[float, float]:
    """95% interval of a mean gain in points, resampling articles."""
    _, numbers = np.unique(np.array(groups), return_inverse=True)
    sums = np.bincount(numbers, gains)
    sizes = np.bincount(numbers)
    draws = np.random.default_rng(1).integers(0, len(sums), (_RESAMPLES, len(sums)))
    means = 100 * sums[draws].sum(axis=1) / sizes[draws].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def main() -> None:
    """Read the command line and run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=Path, required=True, help="folder of passages")
    parser.add_argument("--squad", type=Path, nargs="+", required=True, help="SQuAD JSON files")
    parser.add_argument("--config", type=Path, default=Path("configs/profiles/enwiki.yaml"))
    parser.add_argument("--half", type=int, choices=(0, 1), help="every other article only")
    options = parser.parse_args()
    config = load_config(options.config)
    compute = Compute(workers=1, memory=None, scheduler=None, java_heap="2g", quiet=True)
    paragraphs, asked = read_squad(options.squad)
    articles = sorted({entry.article for entry in asked})
    if options.half is not None:
        chosen = set(articles[options.half :: 2])
        asked = [entry for entry in asked if entry.article in chosen]
    with tempfile.TemporaryDirectory(prefix="silver-bench-") as name:
        folder = Path(name) / "passages"
        folder.mkdir()
        parts = files.list_parts(options.passages)
        for part in parts:
            (folder / part.name).symlink_to(part.resolve())
        files.write_records(folder / f"{files.part_name(len(parts))}.parquet", Passage, paragraphs)
        counts = run_index(folder, Path(name) / "index", config, compute)
        with open_searcher(Path(name) / "index", config.index, "2g") as searcher:
            ours = ranks(
                searcher, asked, config.retrieve.boosts, frozenset(config.retrieve.stop_words)
            )
            searcher.use_bm25(BASELINE_BM25)
            theirs = ranks(searcher, asked, {"contents": 1.0}, frozenset())
    print(
        f"{len(asked)} questions of {len({entry.article for entry in asked})} articles, "
        f"{counts['passages']} passages"
    )
    compared = paired_success(ours, theirs, _KS)
    adjusted = holm([entry.p for entry in compared])
    groups = [entry.article for entry in asked]
    rows = []
    for entry, p in zip(compared, adjusted, strict=True):
        gains = (ours <= entry.k).astype(np.float64) - (theirs <= entry.k)
        low, high = interval(gains, groups)
        rows.append(
            (f"Success@{entry.k}", f"{100 * entry.ours / entry.questions:.1f}",
             f"{100 * entry.theirs / entry.questions:.1f}",
             f"{entry.difference:+.1f} [{low:+.1f}, {high:+.1f}]", f"{p:.2g}")
        )  # fmt: skip
    print_table(("", "ours, %", "unigram BM25, %", "difference [95%]", "p"), rows)


if __name__ == "__main__":
    main()
