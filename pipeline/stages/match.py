"""Stage match: scores to the silver standard. No search and no parsing: array operations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.errors import InputError
from pipeline.matching.best import PLAIN_COSINES, columns_of, columns_read
from pipeline.matching.model import load_model
from pipeline.matching.thresholds import question_loss, silver_rows
from pipeline.records import SCHEMA_VERSION, Question, Score, Silver, is_passage_id


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
        last = ""
        for table in _whole_questions(scores):
            last = _check_order(table, scores, last)
            _check_scores(table, scores, config)
            columns = columns_of(table)
            strangers = set(columns.question_ids) - waited_for
            if strangers:
                raise _stranger(min(strangers), questions, scores)
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


def _stranger(question_id: str, questions: Path, scores: Path) -> InputError:
    return InputError(
        f"{scores}: does not belong to {questions}: question '{question_id}' is in only one of them"
    )


def _check_order(table: Any, path: Path, last: str) -> str:
    """Rows of another order would be written in it; the last question id of the table."""
    for question_id in table.column("question_id").unique().to_pylist():
        if question_id < last:
            raise InputError(
                f"{path}: rows of question '{question_id}' stand after those of '{last}'; "
                "expected rows sorted by question"
            )
        last = question_id
    return last


def _check_scores(table: Any, path: Path, config: Config) -> None:
    """Figures that no score stage writes would silently map everything or nothing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = table.filter(pc.is_valid(table.column("passage_id")))

    def check(name: str, rows: Any, is_good: Callable[[Any], Any], expected: str) -> None:
        column = rows.column(name)
        if column.null_count or not pc.all(is_good(column), min_count=0).as_py():
            raise InputError(f"{path}: column '{name}': expected {expected}")

    def at_least(least: int) -> tuple[Callable[[Any], Any], str]:
        return lambda column: pc.greater_equal(column, least), f"whole numbers of {least} or more"

    def is_share(column: Any) -> Any:
        return pc.and_(pc.greater_equal(column, 0.0), pc.less_equal(column, 1.0))

    def are_ids(column: Any) -> Any:
        return pa.array(map(is_passage_id, column.unique().to_pylist()), pa.bool_())

    check("answer_index", table, *at_least(0))
    for name, least in (("rank", 1), ("sentence_count", 1), ("sentence_index", 0)):
        check(name, found, *at_least(least))
    check("passage_id", found, are_ids, "ids without white space")
    for name in dict.fromkeys((*PLAIN_COSINES, *columns_read(config.match))):
        if "cosine" in name:
            check(name, found, is_share, "numbers from 0 to 1")
        else:
            check(name, found, pc.is_finite, "finite numbers")
