"""Stage match: scores to the silver standard. No search and no parsing: array operations."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.errors import InputError
from pipeline.matching.best import columns_of
from pipeline.matching.model import load_model
from pipeline.matching.thresholds import question_loss, silver_rows
from pipeline.records import SCHEMA_VERSION, Question, Score, Silver


def run_match(
    questions: Path, scores: Path, out: Path, config: Config, compute: Compute
) -> dict[str, object]:
    """Write the Silver rows of a corpus, sorted by question, answer sentence and rank."""
    asked = list(files.read_records(questions, Question))
    if not asked:
        raise InputError(f"{questions}: holds no question")
    answerable = {question.question_id for question in asked if question.answer_sentences}
    columns = columns_of(files.read_table(scores, Score))
    strangers = set(columns.question_ids) ^ answerable
    if strangers:
        raise InputError(
            f"{scores}: does not belong to {questions}: question '{min(strangers)}' "
            "is in only one of them"
        )
    mapped: set[str] = set()
    losses: dict[str, set[str]] = defaultdict(set)
    matches = 0
    with files.record_writer(out, Silver) as writer:
        for row in silver_rows(columns, config.match):
            writer.write(row)
            matches += row.matched
            if row.loss is None:
                mapped.add(row.question_id)
            else:
                losses[row.question_id].add(row.loss)
    counts = {
        "answerable": len(answerable),
        "lost": files.counted(question_loss(reasons) for reasons in losses.values()),
        "mapped": len(mapped),
        "matches": matches,
    }
    stats = {
        "counts": counts,
        "fingerprint": files.fingerprint(
            "match",
            config.match,
            load_model(config.match.model).as_json() if config.match.scorer == "learned" else None,
            files.file_fingerprint(questions),
            files.file_fingerprint(scores),
        ),
        "schema_version": SCHEMA_VERSION,
    }
    files.write_json(files.sidecar(out, "stats.json"), stats)
    return dict(counts)
