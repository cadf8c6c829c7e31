"""Stage retrieve: each question (or answer sentence) is searched; a TREC run is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.datasets.trec import run_lines
from pipeline.lucene.manifest import BASELINE_BM25, check_boosts, check_index, open_searcher
from pipeline.lucene.wording import without_words
from pipeline.records import Question
from pipeline.stages.chunks import Chunk, run_chunks


def run_retrieve(
    questions: Path, index: Path, out: Path, config: Config, compute: Compute, *, field: str
) -> dict[str, object]:
    """Write ``qid Q0 passage_id rank score silver`` lines for every question of a corpus."""
    check_boosts(config.retrieve.boosts, config.index, "retrieve.boosts")
    manifest = check_index(index, config.index)
    function = retrieve_questions if field == "question" else retrieve_answers
    counts = run_chunks(
        function,
        questions,
        out,
        config,
        compute,
        (index,),
        lambda pieces: files.join_files(pieces, out),
    )
    fingerprint = files.fingerprint(
        "retrieve", config.retrieve, config.index.bm25, field, manifest["fingerprint"],
        files.file_fingerprint(questions),
    )  # fmt: skip
    files.write_json(files.sidecar(out, "stats.json"), files.stats(counts, fingerprint))
    return dict(counts)


def retrieve_questions(chunk: Chunk) -> dict[str, int]:
    """Search the questions themselves. Runs in a worker process."""
    settings = chunk.config.retrieve
    words = frozenset(() if settings.ranker == "bm25" else settings.stop_words)
    return _retrieve(chunk, lambda question: without_words(question.question, words))


def retrieve_answers(chunk: Chunk) -> dict[str, int]:
    """Search each question's answer sentences as one query. Runs in a worker process."""
    return _retrieve(chunk, lambda question: " ".join(question.answer_sentences))


def _retrieve(chunk: Chunk, query_of: Callable[[Question], str]) -> dict[str, int]:
    settings = chunk.config.retrieve
    baseline = settings.ranker == "bm25"
    boosts = {"contents": 1.0} if baseline else settings.boosts
    bm25 = BASELINE_BM25 if baseline else None
    counts = {"queries": 0, "without_hits": 0, "lines": 0}

    def lines() -> Iterator[str]:
        with open_searcher(chunk.inputs[0], chunk.config.index, chunk.heap, bm25) as searcher:
            for question in chunk.read_questions():
                hits = searcher.search(query_of(question), boosts, settings.depth)
                counts["queries"] += 1
                counts["without_hits"] += not hits
                counts["lines"] += len(hits)
                scored = [(hit.passage_id, hit.score) for hit in hits]
                yield from run_lines(question.question_id, scored)

    files.write_lines(chunk.piece, lines())
    return counts
