"""Stage datasets: the silver standard of a corpus as retrieval data in the formats of the field."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pipeline import cluster, files
from pipeline.config import Compute, Config
from pipeline.datasets import beir, trec
from pipeline.datasets.card import dataset_card
from pipeline.errors import InputError
from pipeline.lucene.manifest import check_index, open_searcher
from pipeline.matching.model import sees_short_answers
from pipeline.records import Question, Silver, is_split_name

PASSAGES_PER_TASK = 50_000
FILES = ("corpus.jsonl", "queries.jsonl", "qrels", "trec", "README.md")


@dataclass(frozen=True, slots=True)
class CollectionTask:
    """Passages ``start`` up to ``stop`` of the index, and the file their lines go to."""

    index: Path
    start: int
    stop: int
    piece: Path
    config: Config
    heap: str


def run_datasets(
    questions_path: Path,
    silver_path: Path,
    run_path: Path,
    index: Path,
    out: Path,
    config: Config,
    compute: Compute,
) -> dict[str, object]:
    """Write the BEIR and TREC files of a corpus into one folder."""
    manifest = check_index(index, config.index)
    questions = list(files.read_records(questions_path, Question))
    _check_splits(questions, questions_path)
    qrels = _qrels(silver_path)
    known = {question.question_id for question in questions}
    _check_questions(qrels, known, questions_path)
    named = {passage_id for relevant in qrels.values() for passage_id in relevant}
    named |= _passages_of_run(run_path, known, questions_path)
    with open_searcher(index, config.index, compute.java_heap) as searcher:
        if missing := searcher.missing(named):
            raise InputError(
                f"{index}: holds no passage '{min(missing)}', which the silver standard or run "
                "names"
            )
    pooled = named if config.datasets.collection == "pooled" else None
    with files.folder_written_aside(out, FILES) as aside:
        passages = _write_collection(
            aside / "corpus.jsonl", index, manifest, pooled, config, compute
        )
        files.write_json_lines(aside / "queries.jsonl", map(beir.query_line, questions))
        by_split: dict[str, dict[str, set[str]]] = defaultdict(dict)
        for question in questions:
            relevant = by_split[question.split]
            if question.question_id in qrels:
                relevant[question.question_id] = qrels[question.question_id]
        for split, relevant in sorted(by_split.items()):
            files.write_lines(aside / "qrels" / f"{split}.tsv", beir.qrels_lines(relevant))
        topics = ((question.question_id, question.question) for question in questions)
        files.write_lines(aside / "trec" / "topics.tsv", trec.topics_lines(topics))
        graded = {question: dict.fromkeys(ids, 1) for question, ids in qrels.items()}
        files.write_lines(aside / "trec" / "qrels.txt", trec.qrels_lines(graded))
        with files.written_aside(aside / "trec" / "run.trec") as copy:
            shutil.copyfile(run_path, copy)
        counts = {
            "passages": passages,
            "questions": len(questions),
            "questions_with_qrels": len(qrels),
            "qrels": sum(map(len, qrels.values())),
        }
        card = dataset_card(
            questions[0].corpus, config, counts, circular=sees_short_answers(config.match)
        )
        files.write_text(aside / "README.md", card)
        fingerprint = files.fingerprint(
            "datasets", config.datasets, config.match, config.segment.unit,
            manifest["fingerprint"],
            *map(files.file_fingerprint, (questions_path, silver_path, run_path)),
        )  # fmt: skip
        files.write_json(aside / files.STATS, files.stats(counts, fingerprint))
    return dict(counts)


def write_piece(task: CollectionTask) -> int:
    """Write some passages of the index as BEIR lines. Runs in a worker process."""
    with open_searcher(task.index, task.config.index, task.heap) as searcher:
        passages = searcher.passages(task.start, task.stop)
        return files.write_json_lines(task.piece, map(beir.corpus_line, passages))


def _write_collection(
    path: Path,
    index: Path,
    manifest: dict[str, object],
    pooled: set[str] | None,
    config: Config,
    compute: Compute,
) -> int:
    if pooled is not None:
        with open_searcher(index, config.index, compute.java_heap) as searcher:
            found = (searcher.passage(passage_id) for passage_id in sorted(pooled))
            return files.write_json_lines(path, (beir.corpus_line(row) for row in found if row))
    held = manifest.get("counts")
    total = held.get("passages") if isinstance(held, dict) else None
    if not isinstance(total, int):
        raise InputError(f"{index}: the manifest gives no number of passages")
    tasks = [
        CollectionTask(index, start, stop, path.with_name(f"corpus-{n:05d}"), config,
                       compute.java_heap)
        for n, (start, stop) in enumerate(cluster.chunk_ranges(total, PASSAGES_PER_TASK))
    ]  # fmt: skip
    counts = cluster.run_tasks(write_piece, tasks, compute, "corpus.jsonl")
    files.join_files([task.piece for task in tasks], path)
    return sum(counts)


def _qrels(silver: Path) -> dict[str, set[str]]:
    """Every matched passage of every question."""
    qrels: dict[str, set[str]] = defaultdict(set)
    for batch in files.read_tables(silver, Silver, ["question_id", "passage_id", "matched"]):
        for row in batch.filter(batch.column("matched")).to_pylist():
            if row["passage_id"] is None:
                raise InputError(
                    f"{silver}: question '{row['question_id']}' is matched to no passage"
                )
            qrels[row["question_id"]].add(row["passage_id"])
    return dict(qrels)


def _passages_of_run(run_path: Path, known: set[str], source: Path) -> set[str]:
    """The passages that a run names, checked question by question, for it may have millions."""
    asked: set[str] = set()
    found: set[str] = set()
    with files.open_text(run_path) as lines:
        for question_id, passage_ids in trec.rankings(lines, str(run_path)):
            asked.add(question_id)
            found.update(passage_ids)
    _check_questions(asked, known, source)
    return found


def _check_splits(questions: list[Question], source: Path) -> None:
    """A split names a file of the dataset, so it must be a plain name."""
    if not questions:
        raise InputError(f"{source}: holds no question")
    for question in questions:
        if not is_split_name(question.split):
            raise InputError(
                f"{source}: split '{question.split}' of question '{question.question_id}'; "
                "expected letters, digits, '-' and '_'"
            )


def _check_questions(named: Iterable[str], known: set[str], source: Path) -> None:
    strangers = [question_id for question_id in named if question_id not in known]
    if strangers:
        raise InputError(
            f"{source}: no question '{min(strangers)}', which the silver standard or run names"
        )
