"""silver triggering-set: a silver standard and a run become an answer triggering corpus."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.datasets.selqa import triggering_row
from pipeline.datasets.trec import parse_run
from pipeline.errors import InputError
from pipeline.lucene.manifest import check_index, open_searcher
from pipeline.records import Question, Silver

_TOGETHER = 200
_USUAL = frozenset(f"selqa-at-{split}.json" for split in ("train", "dev", "test", "all"))


def run_triggering_set(
    questions: Path, silver: Path, run: Path, index: Path, sections: int, out: Path,
    config: Config, compute: Compute,
) -> dict[str, Any]:  # fmt: skip
    """Write ``selqa-at-<split>.json`` for every split; returns the counts.

    A question's sections are the first passages of its ranking; a sentence answers it where the
    silver standard matched it. Questions without a hit are dropped and counted.
    """
    manifest = check_index(index, config.index)
    asked = list(files.read_records(questions, Question))
    with files.open_text(run) as lines:
        ranked = parse_run(lines, str(run))
    answers = _answers(silver)
    if strangers := set(answers) - {question.question_id for question in asked}:
        raise InputError(f"{silver}: question '{min(strangers)}' is not in {questions}")
    kept = [question for question in asked if ranked.get(question.question_id)]
    if not kept:
        raise InputError(f"{run}: no question of {questions} has a hit; expected a run of them")
    splits = sorted({question.split for question in kept})
    counts: dict[str, Any] = {
        "questions": len(asked),
        "written": len(kept),
        "dropped": {"question without hits": len(asked) - len(kept)},
        "answerable": 0,
        "sections": 0,
        "candidates": 0,
        "splits": {split: sum(question.split == split for question in kept) for split in splits},
    }
    written = [f"selqa-at-{split}.json" for split in splits]
    with (
        files.folder_written_aside(out, {*written, *_USUAL}) as aside,
        open_searcher(index, config.index, compute.java_heap) as searcher,
    ):
        for split, name in zip(splits, written, strict=True):
            mine = [question for question in kept if question.split == split]
            rows = _rows(mine, ranked, answers, searcher, sections, counts)
            files.write_lines(aside / name, _json_list(rows))
        fingerprint = files.fingerprint(
            "triggering-set", manifest["fingerprint"], sections,
            [files.file_fingerprint(path) for path in (questions, silver, run)],
        )  # fmt: skip
        files.write_json(aside / files.STATS, files.stats(counts, fingerprint))
    return counts


def _answers(path: Path) -> dict[str, dict[str, set[int]]]:
    """By question and passage the sentences that the silver standard matched."""
    found: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for row in files.read_records(path, Silver):
        if row.matched and row.passage_id is not None and row.sentence_index is not None:
            sentences = range(row.sentence_index, row.sentence_index + (row.sentence_count or 1))
            found[row.question_id][row.passage_id].update(sentences)
    return found


def _rows(
    questions: Sequence[Question], ranked: dict[str, list[tuple[str, float]]],
    answers: dict[str, dict[str, set[int]]], searcher: Any, sections: int, counts: dict[str, Any],
) -> Iterator[dict[str, Any]]:  # fmt: skip
    for start in range(0, len(questions), _TOGETHER):
        together = questions[start : start + _TOGETHER]
        ids = {q.question_id: [p for p, _ in ranked[q.question_id][:sections]] for q in together}
        found = searcher.passages_by_id(sorted({name for mine in ids.values() for name in mine}))
        for question in together:
            mine = ids[question.question_id]
            if lost := [name for name in mine if name not in found]:
                raise InputError(f"passage '{lost[0]}' of the run is not in the index")
            row = triggering_row(
                question, [found[name] for name in mine], answers.get(question.question_id, {})
            )
            counts["answerable"] += any(part["answers"] for part in row["candidate_list"])
            counts["sections"] += len(mine)
            counts["candidates"] += sum(len(part["candidates"]) for part in row["candidate_list"])
            yield row


def _json_list(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """A JSON list with a row a line."""
    yield "["
    before = None
    for row in rows:
        if before is not None:
            yield before + ","
        before = json.dumps(row, ensure_ascii=False)
    if before is not None:
        yield before
    yield "]"
