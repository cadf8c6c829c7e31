"""silver evaluate blocks: runs over evidence blocks by answer string, tokens, table and node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import files
from pipeline.errors import InputError
from pipeline.evaluation.figures import Units, compared
from pipeline.evaluation.outcome import comparison, outcome
from pipeline.evaluation.prediction_lines import quoted
from pipeline.records import Question
from pipeline.stages.block_reading import (
    closed_note,
    read_blocks,
    read_rankings,
    subwords_of,
    tables_of,
)
from pipeline.stages.evaluating import check_strict, finished
from pipeline.tables.evidence import (
    Evidence,
    chosen,
    evidence_measures,
    evidence_units,
    wanted_of,
)
from pipeline.tables.subwords import Subwords, count


@dataclass(frozen=True, slots=True, kw_only=True)
class BlocksEvaluated:
    """A run over folders of blocks, and perhaps another over others, of the same questions."""

    questions: Path
    predictions: Path
    blocks: tuple[Path, ...]
    compare: Path | None = None
    compare_blocks: tuple[Path, ...] = ()
    strict: bool = False


def run_evaluate_blocks(
    inputs: BlocksEvaluated, ks: Sequence[int], tokenizer: Path | None, budget: int,
    out: Path | None,
) -> tuple[list[str], dict[str, Any]]:  # fmt: skip
    """Lines to show and the report: the measures of ``pipeline/tables/evidence.py``.

    The questions are those with short answers whose own table is among the blocks.
    """
    name, subwords = subwords_of(tokenizer)
    asked = list(files.read_records(inputs.questions, Question))
    tables = tables_of(inputs.blocks)
    questions = chosen(asked, tables)
    if not questions:
        raise InputError(
            f"{inputs.questions}: no question with short answers is asked of a table among the "
            "blocks; expected questions of OTT-QA"
        )
    traced = any(wanted.rows or wanted.links for wanted in map(wanted_of, questions))
    measures = evidence_measures(ks, budget, traced=traced)
    units, counts = _units(inputs.predictions, inputs.blocks, inputs, questions, asked, ks,
                           subwords, budget)  # fmt: skip
    facts = {
        "task": "blocks",
        "gold": inputs.questions.name,
        "predictions": inputs.predictions.name,
        "tokenizer": name,
        "budget": budget,
        "tables": len(tables),
        "questions": len(asked),
        "table_absent": len(asked) - len(questions),
        "notes": closed_note(len(tables)),
        **counts,
    }
    report = outcome(facts, units, measures)
    if inputs.compare is not None:
        theirs, _ = _units(inputs.compare, inputs.compare_blocks or inputs.blocks, inputs,
                           questions, asked, ks, subwords, budget)  # fmt: skip
        report["comparison"] = comparison(inputs.compare.name, compared(units, theirs, measures))
    return finished(report, out)


def _units(
    run: Path, folders: Sequence[Path], inputs: BlocksEvaluated, questions: Sequence[Question],
    asked: Sequence[Question], ks: Sequence[int], subwords: Subwords, budget: int,
) -> tuple[Units, dict[str, int]]:  # fmt: skip
    rankings = read_rankings(run)
    known = {question.question_id for question in asked}
    counts = {
        "missing": sum(question.question_id not in rankings for question in questions),
        "unknown": sum(name not in known for name in rankings),
    }
    check_strict(inputs.strict, run, counts)
    if counts["missing"] == len(questions):
        raise InputError(
            f"{run}: no question id is among the questions; found '{quoted(min(rankings))}', "
            "for one"
        )
    evidence = Evidence(
        [wanted_of(question) for question in questions],
        [rankings.get(question.question_id, ()) for question in questions],
    )
    for block, contents in read_blocks(folders, evidence.names()):
        evidence.see(block, contents, lambda text: count(subwords, text))
    if unknown := evidence.unknown():
        raise InputError(
            f"{run}: block '{quoted(min(unknown))}' is not in {', '.join(map(str, folders))}; "
            "expected a run over these blocks"
        )
    return evidence_units(evidence, questions, ks, budget), counts
