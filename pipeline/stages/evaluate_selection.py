"""silver evaluate selection: MAP and MRR of answer sentence selection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.evaluation.evaluated import Evaluated
from pipeline.evaluation.figures import compared
from pipeline.evaluation.outcome import comparison, outcome
from pipeline.evaluation.predictions import prediction_counts, read_scores
from pipeline.evaluation.selection import MEASURES, SIMPLE_MEASURES, Selected, select
from pipeline.evaluation.ties import Ties
from pipeline.records import Question
from pipeline.stages.evaluating import (
    check_strict,
    finished,
    gold_questions,
    numbered_lines,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionSettings:
    """How questions are counted; see ``pipeline.evaluation.selection.select``."""

    format_name: str
    corpus: str | None = None
    recipe: str = "official"
    ties: Ties = "expected"
    keep_unanswerable: bool = False
    drop_all_positive: bool = False


def run_evaluate_selection(
    inputs: Evaluated, settings: SelectionSettings, out: Path | None
) -> tuple[list[str], dict[str, Any]]:
    """Lines to show and the report: MAP and MRR as fractions, and which questions they are of."""
    gold = gold_questions(inputs.gold, settings.format_name, settings.corpus)
    selected, counts = _select(inputs.predictions, gold, settings, inputs.strict)
    simple = settings.recipe == "simple"
    measures = SIMPLE_MEASURES if simple else MEASURES
    facts = {
        "task": "selection",
        "format": settings.format_name,
        "recipe": settings.recipe,
        "ties": "order" if simple else settings.ties,
        "gold": inputs.gold.name,
        "predictions": inputs.predictions.name,
        "questions": selected.questions,
        "unanswerable": selected.unanswerable,
        "unanswerable_counted": settings.keep_unanswerable,
        "all_positive": selected.all_positive,
        "all_positive_counted": not settings.drop_all_positive,
        "tied_questions": selected.tied,
        **counts,
        "notes": _notes(selected, settings),
    }
    report = outcome(facts, selected.units, measures)
    if inputs.compare is not None:
        theirs, _ = _select(inputs.compare, gold, settings, inputs.strict)
        found = compared(selected.units, theirs.units, measures)
        report["comparison"] = comparison(inputs.compare.name, found)
    return finished(report, out)


def _select(
    path: Path, gold: Sequence[Question], settings: SelectionSettings, strict: bool
) -> tuple[Selected, dict[str, int]]:
    read = read_scores(numbered_lines(path), str(path), gold)
    counts = prediction_counts(read, gold)
    check_strict(strict, path, {k: v for k, v in counts.items() if k != "candidates_missing"})
    selected = select(
        gold,
        read.values,
        ties=settings.ties,
        keep_unanswerable=settings.keep_unanswerable,
        drop_all_positive=settings.drop_all_positive,
        simple=settings.recipe == "simple",
    )
    return selected, counts


def _notes(selected: Selected, settings: SelectionSettings) -> list[str]:
    notes = []
    if selected.unanswerable:
        done = "count 0" if settings.keep_unanswerable else "are left out"
        notes.append(f"{selected.unanswerable} questions without a relevant candidate {done}")
    if settings.recipe == "simple":
        notes.append("the simple recipe leaves out questions whose gold sentence was not found")
    elif settings.ties == "order" and selected.tied:
        notes.append("ties go by candidate order, which flatters scores that are often equal")
    return notes
