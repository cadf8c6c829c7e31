"""silver reader-input: the best blocks of each question within a reader's budget, as JSON lines."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.corpora.ottqa import TABLE_ID
from pipeline.errors import InputError
from pipeline.evaluation.precision import Interval
from pipeline.evaluation.prediction_lines import quoted
from pipeline.records import Passage, Question
from pipeline.stages.block_reading import read_blocks, read_rankings, subwords_of, tables_of
from pipeline.stages.chunks import Chunk, run_chunks
from pipeline.tables.evidence import chosen, share_in_groups
from pipeline.tables.reader import reader_line, within_budget
from pipeline.tables.subwords import Subwords

# Questions whose blocks are held at a time.
_TOGETHER = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSettings:
    """A run over folders of blocks, and what a reader takes in; ``tables``: whose questions."""

    run: Path
    blocks: tuple[Path, ...]
    tokenizer: Path | None
    budget: int
    tables: frozenset[str] = frozenset()


def run_reader_input(
    questions: Path, settings: ReaderSettings, out: Path, config: Config, compute: Compute
) -> dict[str, Any]:
    """Write a line for every question of a table among the blocks; returns the counts.

    ``ceiling`` is the share of them whose answer string is still in the input: no reader can be
    right more often, but by chance.
    """
    name, _ = subwords_of(settings.tokenizer)
    tables = tables_of(settings.blocks)
    filled = ReaderSettings(
        run=settings.run, blocks=settings.blocks, tokenizer=settings.tokenizer,
        budget=settings.budget, tables=tables,
    )  # fmt: skip
    counts: dict[str, Any] = dict(
        run_chunks(
            functools.partial(reader_chunk, settings=filled), questions, out, config, compute, (),
            lambda pieces: _joined(pieces, out, questions),
        )
    )  # fmt: skip
    ceiling = _ceiling(questions, out)
    counts["ceiling"], counts["ceiling_low"], counts["ceiling_high"] = (
        ceiling.value, ceiling.low, ceiling.high
    )  # fmt: skip
    counts |= {"tokenizer": name, "budget": settings.budget, "tables": len(tables)}
    fingerprint = files.fingerprint(
        "reader-input", files.file_fingerprint(questions), files.file_fingerprint(settings.run),
        [files.folder_fingerprint(folder) for folder in settings.blocks], settings.budget,
        None if settings.tokenizer is None else files.file_fingerprint(settings.tokenizer),
    )  # fmt: skip
    files.write_json(files.sidecar(out, "stats.json"), files.stats(counts, fingerprint))
    return counts


def reader_chunk(chunk: Chunk, settings: ReaderSettings) -> dict[str, int]:
    """The lines of a chunk of the questions. Runs in a worker process."""
    _, subwords = subwords_of(settings.tokenizer)
    rankings = read_rankings(settings.run)
    read = chunk.read_questions()
    asked = chosen(read, settings.tables)
    counts = {
        "questions": len(read), "left_out": len(read) - len(asked), "written": len(asked),
        "missing": 0, "answer_in_input": 0, "tokens": 0, "blocks": 0,
    }  # fmt: skip

    def lines() -> Iterator[str]:
        for start in range(0, len(asked), _TOGETHER):
            together = asked[start : start + _TOGETHER]
            for line in _lines_of(together, rankings, settings, subwords):
                counts["missing"] += line["question_id"] not in rankings
                counts["answer_in_input"] += bool(line["answer_in_input"])
                counts["tokens"] += line["tokens"]
                counts["blocks"] += len(line["blocks"])
                yield json.dumps(line, ensure_ascii=False)

    files.write_lines(chunk.piece, lines())
    return counts


def _lines_of(
    questions: list[Question], rankings: dict[str, list[str]], settings: ReaderSettings,
    subwords: Subwords,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    wanted = {name for row in questions for name in rankings.get(row.question_id, ())}
    found = {block.passage_id: block for block, _ in read_blocks(settings.blocks, wanted)}
    if strangers := wanted - set(found):
        raise InputError(
            f"{settings.run}: block '{quoted(min(strangers))}' is not in "
            f"{', '.join(map(str, settings.blocks))}; expected a run over these blocks"
        )
    for row in questions:
        ranked: Iterator[Passage] = (found[name] for name in rankings.get(row.question_id, ()))
        yield reader_line(row, within_budget(ranked, subwords, settings.budget))


def _ceiling(questions: Path, out: Path) -> Interval:
    """The share of lines whose answer is still in the input; its interval over tables."""
    tables = {
        row.question_id: row.attributes[TABLE_ID]
        for row in files.read_records(questions, Question)
        if TABLE_ID in row.attributes
    }
    ids, found = [], []
    with files.open_text(out) as lines:
        for line in map(json.loads, lines):
            ids.append(line["question_id"])
            found.append(bool(line["answer_in_input"]))
    return share_in_groups(ids, found, [tables[name] for name in ids])


def _joined(pieces: list[Path], out: Path, questions: Path) -> None:
    if not any(piece.stat().st_size for piece in pieces):
        raise InputError(
            f"{questions}: no question with short answers is asked of a table among the blocks; "
            "expected questions of OTT-QA"
        )
    files.join_files(pieces, out)
