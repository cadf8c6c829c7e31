"""silver retrieve-twice: each question is searched, then once more with each of its best hits."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.datasets.trec import run_lines
from pipeline.errors import InputError
from pipeline.evaluation.fusion import fused_scores
from pipeline.lucene.manifest import check_boosts, check_index, open_searcher
from pipeline.lucene.wording import without_words
from pipeline.stages.chunks import Chunk, run_chunks


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSteps:
    """How many first hits expand the question, and by how many words of theirs."""

    first: int
    words: int


def run_retrieve_twice(
    questions: Path, index: Path, second_index: Path | None, steps: TwoSteps, out: Path,
    config: Config, compute: Compute,
) -> dict[str, object]:  # fmt: skip
    """Write the TREC run of the second step; returns the counts.

    Each of the ``first`` best hits makes a query of the question and the first ``words`` words of
    that hit's title and first sentence, which of a block is its row. The rankings of these queries
    are joined by reciprocal rank fusion.
    """
    if config.retrieve.ranker != "fielded":
        raise InputError(
            f"retrieve.ranker: '{config.retrieve.ranker}'; both steps search with boosts: expected "
            "'fielded'"
        )
    check_boosts(config.retrieve.boosts, config.index, "retrieve.boosts")
    indexes = (index, second_index or index)
    manifests = [check_index(path, config.index) for path in indexes]
    counts = run_chunks(
        functools.partial(twice_chunk, steps=steps), questions, out, config, compute, indexes,
        lambda pieces: files.join_files(pieces, out),
    )  # fmt: skip
    fingerprint = files.fingerprint(
        "retrieve-twice", config.retrieve, config.index.bm25, steps.first, steps.words,
        [manifest["fingerprint"] for manifest in manifests], files.file_fingerprint(questions),
    )  # fmt: skip
    files.write_json(files.sidecar(out, "stats.json"), files.stats(counts, fingerprint))
    return dict(counts)


def twice_chunk(chunk: Chunk, steps: TwoSteps) -> dict[str, int]:
    """Search a chunk of the questions in both steps. Runs in a worker process."""
    settings = chunk.config.retrieve
    words = frozenset(settings.stop_words)
    counts = {"queries": 0, "second_queries": 0, "without_hits": 0, "lines": 0}

    def lines() -> Iterator[str]:
        first_index, second_index = chunk.inputs
        with (
            open_searcher(first_index, chunk.config.index, chunk.heap) as first,
            open_searcher(second_index, chunk.config.index, chunk.heap) as second,
        ):
            for question in chunk.read_questions():
                query = without_words(question.question, words)
                ids = [hit.passage_id for hit in first.search(query, settings.boosts, steps.first)]
                passages = first.passages_by_id(ids)
                rankings = []
                for name in ids:
                    told = " ".join([passages[name].title, *passages[name].sentences()[:1]])
                    longer = " ".join([query, *told.split()[: steps.words]])
                    hits = second.search(longer, settings.boosts, settings.depth)
                    rankings.append([hit.passage_id for hit in hits])
                found = fused_scores(rankings, settings.depth)
                counts["queries"] += 1
                counts["second_queries"] += len(ids)
                counts["without_hits"] += not found
                counts["lines"] += len(found)
                yield from run_lines(question.question_id, found)

    files.write_lines(chunk.piece, lines())
    return counts
