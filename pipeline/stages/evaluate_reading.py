"""silver evaluate reading: answers to questions, as OTT-QA, HybridQA and SQuAD score them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.corpora.reading import read_json
from pipeline.errors import InputError
from pipeline.evaluation.evaluated import Evaluated
from pipeline.evaluation.figures import Units, compared
from pipeline.evaluation.outcome import comparison, outcome
from pipeline.evaluation.predictions import read_answers
from pipeline.evaluation.reading import FORMATS, ReadingGold, reading_measures, reading_units
from pipeline.evaluation.reading_gold import reference_gold, squad_gold
from pipeline.stages.evaluating import check_strict, finished, numbered_lines


def run_evaluate_reading(
    inputs: Evaluated, format_name: str, recipe: str, out: Path | None
) -> tuple[list[str], dict[str, Any]]:
    """Lines to show and the report: EM and token F1 in percent, with what was missing."""
    gold = read_gold(inputs.gold, format_name)
    units, counts = _read(inputs.predictions, gold, format_name, recipe, inputs.strict)
    measures = reading_measures(gold, format_name, recipe)
    facts = {
        "task": "reading",
        "format": format_name,
        "recipe": recipe,
        "gold": inputs.gold.name,
        "predictions": inputs.predictions.name,
        "questions": len(gold.answers),
        **counts,
        "notes": list(_notes(format_name, recipe, counts)),
    }
    report = outcome(facts, units, measures)
    if inputs.compare is not None:
        theirs, _ = _read(inputs.compare, gold, format_name, recipe, inputs.strict)
        headline = [measure for measure in measures if measure.name in ("em", "f1")]
        found = compared(units, theirs, headline)
        report["comparison"] = comparison(inputs.compare.name, found)
    return finished(report, out)


def read_gold(path: Path, format_name: str) -> ReadingGold:
    """The right answers of a gold file in one of the formats."""
    if format_name not in FORMATS:
        raise InputError(
            f"--format: '{format_name}' is no format of answers; expected {', '.join(FORMATS)}"
        )
    value = read_json(path, "a reference file")
    if format_name.startswith("squad"):
        return squad_gold(value, str(path))
    return reference_gold(value, str(path))


def _read(
    path: Path, gold: ReadingGold, format_name: str, recipe: str, strict: bool
) -> tuple[Units, dict[str, int]]:
    read = read_answers(numbered_lines(path), str(path), gold.answers)
    counts = {
        "missing": sum(name not in read.values for name in gold.answers),
        "unknown": read.unknown,
        "duplicates": read.duplicates,
    }
    check_strict(strict, path, counts)
    return reading_units(gold, read.values, format_name, recipe), counts


def _notes(format_name: str, recipe: str, counts: Mapping[str, int]) -> list[str]:
    if not counts["missing"]:
        return []
    if format_name == "hybridqa":
        return ["missing ids count 0; the official script stops at the first"]
    if format_name == "squad2" and recipe == "official":
        return ["the official script skips missing ids; em_all_ids and f1_all_ids count them 0"]
    return ["missing ids count 0"]
