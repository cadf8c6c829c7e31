"""Stage match: scores to the silver standard. No search and no parsing: array operations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

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
    """Write the Silver rows of a corpus, sorted by question, answer sentence and rank.

    The scores are read and matched a slice of whole questions at a time.
    """
    asked = 0
    answerable: set[str] = set()
    for question in files.read_records(questions, Question):
        asked += 1
        if question.answer_sentences:
            answerable.add(question.question_id)
    if not asked:
        raise InputError(f"{questions}: holds no question")
    waited_for = set(answerable)
    mapped: set[str] = set()
    losses: dict[str, set[str]] = defaultdict(set)
    matches = 0
    with files.record_writer(out, Silver) as writer:
        for table in _whole_questions(scores):
            _check_scores(table, scores)
            columns = columns_of(table)
            strangers = set(columns.question_ids) - waited_for
            if strangers:
                raise _stranger(min(strangers), questions, scores, known=answerable)
            waited_for.difference_update(columns.question_ids)
            for row in silver_rows(columns, config.match):
                writer.write(row)
                matches += row.matched
                if row.loss is None:
                    mapped.add(row.question_id)
                else:
                    losses[row.question_id].add(row.loss)
        if waited_for:
            raise _stranger(min(waited_for), questions, scores)
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


def _whole_questions(scores: Path) -> Iterator[Any]:
    """The rows of a score file as tables, none of which ends inside a question."""
    import pyarrow as pa
    import pyarrow.compute as pc

    held: list[Any] = []
    for batch in files.read_tables(scores, Score):
        ids = batch.column("question_id")
        begun = pc.sum(pc.equal(ids, ids[-1])).as_py()  # rows of the last question, maybe not all
        ended = pa.Table.from_batches([*held, batch.slice(0, len(batch) - begun)])
        if begun == len(batch) and held and held[0].column("question_id")[0] == ids[0]:
            held.append(batch)
            continue
        if ended.num_rows:
            yield ended
        held = [batch.slice(len(batch) - begun)]
    if held:
        yield pa.Table.from_batches(held)


def _stranger(
    question_id: str, questions: Path, scores: Path, known: Collection[str] = ()
) -> InputError:
    if question_id in known:
        return InputError(
            f"{scores}: rows of question '{question_id}' do not stand together; "
            "expected rows sorted by question"
        )
    return InputError(
        f"{scores}: does not belong to {questions}: question '{question_id}' is in only one of them"
    )


def _check_scores(table: Any, path: Path) -> None:
    """Figures that no score stage writes would silently map everything or nothing."""
    import pyarrow.compute as pc

    found = table.filter(pc.is_valid(table.column("passage_id")))
    for order in (1, 2, 3):
        column = found.column(f"cosine_{order}")
        within = pc.and_(pc.greater_equal(column, 0.0), pc.less_equal(column, 1.0))
        if column.null_count or not pc.all(within, min_count=0).as_py():
            raise InputError(f"{path}: column 'cosine_{order}': expected numbers from 0 to 1")
    for name, least in (("rank", 1), ("sentence_count", 1), ("sentence_index", 0)):
        column = found.column(name)
        if column.null_count or (found.num_rows and pc.min(column).as_py() < least):
            raise InputError(f"{path}: column '{name}': expected whole numbers of {least} or more")
