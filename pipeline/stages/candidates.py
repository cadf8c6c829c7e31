"""Stage candidates: each answer sentence is searched in the index; the best passages are kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.lucene.manifest import check_boosts, check_index, open_searcher
from pipeline.records import Candidate
from pipeline.stages.chunks import Chunk, join_parquet, run_chunks

# Where the boosts find nothing: every index has this field.
_WORDS = {"contents": 1.0}


def run_candidates(
    questions: Path, index: Path, out: Path, config: Config, compute: Compute
) -> dict[str, object]:
    """Search the answer sentences of a corpus; writes Candidate rows sorted by key."""
    check_boosts(config.candidates.boosts, config.index, "candidates.boosts")
    manifest = check_index(index, config.index)
    counts = run_chunks(
        search_chunk,
        questions,
        out,
        config,
        compute,
        (index,),
        lambda pieces: join_parquet(pieces, out, Candidate),
    )
    fingerprint = files.fingerprint(
        "candidates", config.candidates, config.index.bm25, manifest["fingerprint"],
        files.file_fingerprint(questions),
    )  # fmt: skip
    files.write_json(files.sidecar(out, "stats.json"), files.stats(counts, fingerprint))
    return {"candidates": files.row_count(out, Candidate), **counts}


def search_chunk(chunk: Chunk) -> dict[str, int]:
    """Search one chunk's answer sentences. Runs in a worker process."""
    counts = {"answer_sentences": 0, "searched_by_words": 0, "without_candidates": 0}
    settings = chunk.config.candidates

    def rows() -> Iterator[Candidate]:
        with open_searcher(chunk.inputs[0], chunk.config.index, chunk.heap) as searcher:
            for question in chunk.read_questions():
                for number, answer in enumerate(question.answer_sentences):
                    hits = searcher.search(answer, settings.boosts, settings.depth)
                    if not hits:  # too short for any n-gram, or none of them is known
                        hits = searcher.search(answer, _WORDS, settings.depth)
                        counts["searched_by_words"] += bool(hits)
                    counts["answer_sentences"] += 1
                    counts["without_candidates"] += not hits
                    for rank, hit in enumerate(hits, start=1):
                        yield Candidate(
                            question_id=question.question_id,
                            answer_index=number,
                            rank=rank,
                            passage_id=hit.passage_id,
                            retrieval_score=hit.score,
                        )

    files.write_records(chunk.piece, Candidate, rows())
    return counts
