"""Stage score: every sentence of every candidate passage against the answer sentence."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.errors import InputError
from pipeline.lucene.manifest import check_index, open_searcher
from pipeline.matching.pairs import AnswerToScore, score_answers
from pipeline.matching.titles import title_key
from pipeline.records import SCHEMA_VERSION, Candidate, Question, Score
from pipeline.stages.chunks import Chunk, join_parquet, run_chunks
from pipeline.stages.collection import read_idf, redirect_targets

# Answers scored together: enough to share their passages and numpy's calls, few enough to bound
# memory (100 answers have some 2,000 passages).
_ANSWERS_TOGETHER = 100


def run_score(
    questions: Path,
    candidates: Path,
    index: Path,
    redirects: Path | None,
    out: Path,
    config: Config,
    compute: Compute,
) -> dict[str, object]:
    """Write the Score rows of a corpus, sorted by key."""
    manifest = check_index(index, config.index)
    _check_candidates(candidates, questions)
    if redirects is not None:
        files.list_parts(redirects, whole=False)
    inputs = (candidates, index, *([redirects] if redirects else []))
    counts = run_chunks(
        score_chunk,
        questions,
        out,
        config,
        compute,
        inputs,
        lambda pieces: join_parquet(pieces, out, Score),
    )
    stats = {
        "counts": counts,
        "fingerprint": files.fingerprint(
            "score", config.score, manifest["fingerprint"],
            files.file_fingerprint(questions), files.file_fingerprint(candidates),
            files.folder_fingerprint(redirects) if redirects else None,
        ),
        "index": manifest["fingerprint"],
        "schema_version": SCHEMA_VERSION,
    }  # fmt: skip
    files.write_json(files.sidecar(out, "stats.json"), stats)
    return dict(counts)


def _check_candidates(candidates: Path, questions: Path) -> None:
    """Candidates of another corpus would leave every answer sentence without any."""
    answers = {
        question.question_id: len(question.answer_sentences)
        for question in files.read_records(questions, Question)
    }
    for batch in files.read_tables(candidates, Candidate, ["question_id", "answer_index"]):
        ids, numbers = (batch.column(name).to_pylist() for name in ("question_id", "answer_index"))
        for question_id, number in zip(ids, numbers, strict=True):
            if not 0 <= number < answers.get(question_id, 0):
                raise InputError(
                    f"{candidates}: does not belong to {questions}, which has no answer sentence "
                    f"{number} of question '{question_id}'"
                )


def score_chunk(chunk: Chunk) -> dict[str, int]:
    """Score one chunk's answer sentences. Runs in a worker process."""
    candidates, index, *redirects = chunk.inputs
    questions = chunk.read_questions()
    found = _candidates_by_answer(candidates, {question.question_id for question in questions})
    named = {title_key(question.title) for question in questions if question.title}
    targets = redirect_targets(redirects[0], named) if redirects else {}
    idf = read_idf(index)
    counts = {"answer_sentences": 0, "pairs": 0, "windows": 0}
    with (
        open_searcher(index, chunk.config.index, chunk.heap) as searcher,
        files.record_writer(chunk.piece, Score) as writer,
    ):
        for answers in itertools.batched(_answers(questions, found, targets), _ANSWERS_TOGETHER):
            ids = {hit.passage_id for answer in answers for hit in answer.candidates}
            passages = searcher.passages_by_id(sorted(ids))
            missing = ids - passages.keys()
            if missing:
                raise InputError(
                    f"{candidates}: passage '{min(missing)}' is not in the index {index}"
                )
            present = {
                article: searcher.holds_article(article)
                for article in {answer.article for answer in answers}
                if article is not None
            }
            table = score_answers(answers, passages, present, chunk.config.score.max_sentences, idf)
            writer.write_table(table)
            counts["answer_sentences"] += len(answers)
            counts["pairs"] += sum(len(answer.candidates) for answer in answers)
            counts["windows"] += table.num_rows - table.column("passage_id").null_count
    return counts


def _answers(
    questions: Sequence[Question],
    candidates: Mapping[tuple[str, int], Sequence[Candidate]],
    targets: Mapping[str, str],
) -> Iterator[AnswerToScore]:
    for question in questions:
        key = title_key(question.title) if question.title else None
        article = targets.get(key, key) if key is not None else None
        for number, text in enumerate(question.answer_sentences):
            yield AnswerToScore(
                question_id=question.question_id,
                answer_index=number,
                text=text,
                candidates=tuple(candidates.get((question.question_id, number), ())),
                article=article,
                short_answers=question.answers,
            )


def _candidates_by_answer(
    path: Path, question_ids: set[str]
) -> dict[tuple[str, int], list[Candidate]]:
    """The candidates of the chunk's questions, best rank first."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(sorted(question_ids))
    found: dict[tuple[str, int], list[Candidate]] = {}
    for batch in files.read_tables(path, Candidate):
        for row in batch.filter(pc.is_in(batch.column("question_id"), wanted)).to_pylist():
            candidate = Candidate(**row)
            found.setdefault((candidate.question_id, candidate.answer_index), []).append(candidate)
    for candidates in found.values():
        candidates.sort(key=lambda candidate: candidate.rank)
    return found
