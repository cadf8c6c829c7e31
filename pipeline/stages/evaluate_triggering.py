"""silver evaluate triggering: is there an answer, and which? By question or by section."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.errors import InputError
from pipeline.evaluation.evaluated import Evaluated
from pipeline.evaluation.figures import Units, compared
from pipeline.evaluation.outcome import comparison, outcome
from pipeline.evaluation.predictions import (
    has_section_labels,
    known_ids,
    prediction_counts,
    read_scores,
    read_section_labels,
)
from pipeline.evaluation.ties import Ties
from pipeline.evaluation.triggering import (
    MEASURES,
    best_candidates,
    question_units,
    section_scores,
    section_units,
    sections_of,
    tuned_threshold,
)
from pipeline.records import Question
from pipeline.stages.evaluating import (
    NumberedLines,
    check_strict,
    finished,
    gold_questions,
    numbered_lines,
)

TUNE = "tune"
DEFAULT_THRESHOLD = 0.5
WITH_SECTIONS = ("selqa-at-json",)


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggeringSettings:
    """``threshold`` is a number, ``tune`` (with the dev files), or None for 0.5.

    ``compare_threshold`` is that of the other predictions; None for the same.
    """

    format_name: str
    level: str
    corpus: str | None = None
    ties: Ties = "expected"
    threshold: str | None = None
    compare_threshold: float | None = None
    dev_gold: Path | None = None
    dev_predictions: Path | None = None


def run_evaluate_triggering(
    inputs: Evaluated, settings: TriggeringSettings, out: Path | None
) -> tuple[list[str], dict[str, Any]]:
    """Lines to show and the report: precision, recall and F1 as fractions, at one threshold."""
    if settings.level == "section" and settings.format_name not in WITH_SECTIONS:
        raise InputError(
            f"--level section: {settings.format_name} has no sections; expected --level question "
            f"or one of {', '.join(WITH_SECTIONS)}"
        )
    gold = gold_questions(inputs.gold, settings.format_name, settings.corpus)
    threshold, source = _threshold(settings)
    lines = numbered_lines(inputs.predictions)
    units, counts = _units(inputs.predictions, lines, gold, settings, threshold)
    check_strict(inputs.strict, inputs.predictions, _ids(counts))
    used = counts.pop("threshold_used", 1)
    right, predicted, relevant = (
        math.fsum(units.amounts[name]) for name in ("true_positives", "predicted", "relevant")
    )
    facts: dict[str, Any] = {
        "task": "triggering",
        "level": settings.level,
        "recipe": "official" if settings.level == "question" else "simple",
        "format": settings.format_name,
        "ties": settings.ties,
        "gold": inputs.gold.name,
        "predictions": inputs.predictions.name,
        "questions": len(gold),
        **({"threshold": _number(threshold), "threshold_from": source} if used else {}),
        **counts,
        "true_positives": _number(right),
        "false_positives": _number(predicted - right),
        "false_negatives": _number(relevant - right),
        "predicted": _number(predicted),
        "relevant": _number(relevant),
        "notes": _notes(inputs, settings) if used else [],
    }
    measures = MEASURES[settings.level]
    report = outcome(facts, units, measures)
    if inputs.compare is not None:
        at = threshold if settings.compare_threshold is None else settings.compare_threshold
        their_lines = numbered_lines(inputs.compare)
        theirs, their_counts = _units(inputs.compare, their_lines, gold, settings, at)
        check_strict(inputs.strict, inputs.compare, _ids(their_counts))
        found = compared(units, theirs, measures)
        report["comparison"] = comparison(inputs.compare.name, found)
    return finished(report, out)


def _units(
    path: Path, lines: NumberedLines, gold: Sequence[Question], settings: TriggeringSettings,
    threshold: float,
) -> tuple[Units, dict[str, int]]:  # fmt: skip
    if settings.level == "section":
        return _by_section(path, lines, gold, threshold)
    scores, counts = _scores(path, lines, gold)
    best = best_candidates(gold, scores, settings.ties)
    return question_units(gold, best, threshold), {**counts, "tied_questions": best.tied}


def _by_section(
    path: Path, lines: NumberedLines, gold: Sequence[Question], threshold: float
) -> tuple[Units, dict[str, int]]:
    sections = sections_of(gold)
    if has_section_labels(lines, str(path)):
        sizes: dict[str, int] = {question.question_id: 0 for question in gold}
        for section in sections:
            sizes[section.question.question_id] += 1
        read = read_section_labels(lines, str(path), sizes, known_ids(gold))
        labels: dict[tuple[str, int], int] = read.values
        counts = {"unknown": read.unknown, "duplicates": read.duplicates, "threshold_used": 0}
    else:
        scores, counts = _scores(path, lines, gold)
        found = section_scores(sections, scores)
        labels = {key: int(score >= threshold) for key, score in found.items()}
    missing = sum((s.question.question_id, s.index) not in labels for s in sections)
    return section_units(sections, labels), {**counts, "missing": missing}


def _scores(
    path: Path, lines: NumberedLines, gold: Sequence[Question]
) -> tuple[dict[str, dict[int, float]], dict[str, int]]:
    read = read_scores(lines, str(path), gold)
    if read.ranked:
        raise InputError(f"{path}: a ranking without scores; a threshold needs scores")
    return read.values, prediction_counts(read, gold)


def _threshold(settings: TriggeringSettings) -> tuple[float, str]:
    """The threshold, and in words where it is from."""
    if settings.threshold != TUNE:
        for flag, path in (("--dev-gold", settings.dev_gold),
                           ("--dev-predictions", settings.dev_predictions)):  # fmt: skip
            if path is not None:
                raise InputError(f"{flag}: only --threshold tune takes it")
    if settings.threshold is None:
        return DEFAULT_THRESHOLD, "default"
    if settings.threshold == TUNE:
        return _tuned(settings)
    try:
        value = float(settings.threshold)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise InputError(f"--threshold: '{settings.threshold}'; expected a number or {TUNE}")
    return value, "given"


def _tuned(settings: TriggeringSettings) -> tuple[float, str]:
    if settings.dev_gold is None or settings.dev_predictions is None:
        raise InputError("--threshold tune: needs --dev-gold and --dev-predictions")
    gold = gold_questions(settings.dev_gold, settings.format_name, settings.corpus)
    path = settings.dev_predictions
    scores, _ = _scores(path, numbered_lines(path), gold)
    if settings.level == "section":
        sections = sections_of(gold)
        found = section_scores(sections, scores)
        keys = [(s.question.question_id, s.index) for s in sections]
        values = np.array([found.get(key, -math.inf) for key in keys])
        right = np.array([float(section.label) for section in sections])
        relevant = int(right.sum())
    else:
        best = best_candidates(gold, scores, settings.ties)
        values, right = best.scores, best.right
        relevant = sum(any(question.labels) for question in gold)
    named = f"tuned for F1 on {settings.dev_gold.name} with {path.name}"
    return tuned_threshold(values, right, relevant), named


def _notes(inputs: Evaluated, settings: TriggeringSettings) -> list[str]:
    notes = []
    if settings.threshold is None:
        notes.append(f"no --threshold given: {DEFAULT_THRESHOLD}, which suits probabilities only")
    if settings.threshold == TUNE and settings.dev_gold is not None:
        if settings.dev_gold.resolve() == inputs.gold.resolve():
            notes.append("the threshold was tuned on the file it is reported on: no result")
        else:
            notes.append(f"the threshold was tuned on {settings.dev_gold.name}")
    return notes


def _ids(counts: dict[str, int]) -> dict[str, int]:
    return {name: counts[name] for name in ("missing", "unknown", "duplicates")}


def _number(value: float) -> float | int | None:
    """As JSON has it: whole numbers as such, and no infinity."""
    if math.isinf(value):
        return None
    return int(value) if value.is_integer() else value
