"""Stage datasets: the silver standard of a corpus as retrieval data in the formats of the field."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from pipeline import cluster, files
from pipeline.config import Compute, Config
from pipeline.datasets import beir, trec
from pipeline.datasets.card import dataset_card
from pipeline.errors import InputError
from pipeline.lucene.manifest import check_index, open_searcher
from pipeline.records import SCHEMA_VERSION, Passage, Question, Silver

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
    questions: Path,
    silver: Path,
    run: Path,
    index: Path,
    out: Path,
    config: Config,
    compute: Compute,
) -> dict[str, object]:
    """Write the BEIR and TREC files of a corpus into one folder."""
    manifest = check_index(index, config.index)
    asked = list(files.read_records(questions, Question))
    _check_splits(asked, questions)
    qrels = _qrels(silver)
    with files.open_text(run) as lines:
        ranked = trec.parse_run(lines, str(run))
    _check_questions(asked, [*qrels, *ranked], questions)
    with files.folder_written_aside(out, FILES) as aside:
        pooled = _pooled_ids(qrels, ranked) if config.datasets.collection == "pooled" else None
        passages = _write_collection(
            aside / "corpus.jsonl", index, manifest, pooled, config, compute
        )
        files.write_json_lines(aside / "queries.jsonl", map(beir.query_line, asked))
        by_split: dict[str, dict[str, set[str]]] = defaultdict(dict)
        for question in asked:
            relevant = by_split[question.split]
            if question.question_id in qrels:
                relevant[question.question_id] = qrels[question.question_id]
        for split, relevant in sorted(by_split.items()):
            files.write_lines(aside / "qrels" / f"{split}.tsv", beir.qrels_lines(relevant))
        topics = ((question.question_id, question.question) for question in asked)
        files.write_lines(aside / "trec" / "topics.tsv", trec.topics_lines(topics))
        graded = {question: dict.fromkeys(ids, 1) for question, ids in qrels.items()}
        files.write_lines(aside / "trec" / "qrels.txt", trec.qrels_lines(graded))
        files.write_text(aside / "trec" / "run.trec", run.read_text(encoding="utf-8"))
        counts = {
            "passages": passages,
            "questions": len(asked),
            "questions_with_qrels": len(qrels),
            "qrels": sum(map(len, qrels.values())),
        }
        files.write_text(aside / "README.md", dataset_card(asked[0].corpus, config, counts))
        stats = {
            "counts": counts,
            "fingerprint": files.fingerprint(
                "datasets", config.datasets, manifest["fingerprint"],
                *map(files.file_fingerprint, (questions, silver, run)),
            ),
            "schema_version": SCHEMA_VERSION,
        }  # fmt: skip
        files.write_json(aside / files.STATS, stats)
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
    pooled: list[str] | None,
    config: Config,
    compute: Compute,
) -> int:
    if pooled is not None:
        with open_searcher(index, config.index, compute.java_heap) as searcher:
            found = ((passage_id, searcher.passage(passage_id)) for passage_id in pooled)
            return files.write_json_lines(
                path,
                (beir.corpus_line(_there(passage_id, passage)) for passage_id, passage in found),
            )
    total = manifest["passages"]
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


def _there(passage_id: str, passage: Passage | None) -> Passage:
    if passage is None:
        raise InputError(
            f"passage '{passage_id}' of the silver standard or run is not in the index"
        )
    return passage


def _pooled_ids(
    qrels: dict[str, set[str]], ranked: dict[str, list[tuple[str, float]]]
) -> list[str]:
    ids = {passage_id for relevant in qrels.values() for passage_id in relevant}
    ids.update(passage_id for hits in ranked.values() for passage_id, _ in hits)
    return sorted(ids)


def _qrels(silver: Path) -> dict[str, set[str]]:
    """Every matched passage of every question."""
    qrels: dict[str, set[str]] = defaultdict(set)
    for batch in files.read_tables(silver, Silver, ["question_id", "passage_id", "matched"]):
        for row in batch.filter(batch.column("matched")).to_pylist():
            qrels[row["question_id"]].add(row["passage_id"])
    return dict(qrels)


def _check_splits(asked: list[Question], source: Path) -> None:
    """A split names a file of the dataset, so it must be a plain name."""
    if not asked:
        raise InputError(f"{source}: holds no question")
    for question in asked:
        if not all(letter.isalnum() or letter in "-_" for letter in question.split or "."):
            raise InputError(
                f"{source}: split '{question.split}' of question '{question.question_id}'; "
                "expected letters, digits, '-' and '_'"
            )


def _check_questions(asked: list[Question], found: list[str], source: Path) -> None:
    known = {question.question_id for question in asked}
    strangers = [question_id for question_id in found if question_id not in known]
    if strangers:
        raise InputError(
            f"{source}: no question '{min(strangers)}', which the silver standard or run names"
        )
