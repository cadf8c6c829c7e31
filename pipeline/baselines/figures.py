"""The figures of the baselines on one file: each system's, and the learned one against each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.baselines.systems import LEARNED, SYSTEMS
from pipeline.baselines.tasks import SELECTION, GoldFile, Scored
from pipeline.evaluation.figures import Difference, Measure, Units, adjusted, compared
from pipeline.evaluation.outcome import outcome
from pipeline.evaluation.selection import MEASURES as SELECTION_MEASURES
from pipeline.evaluation.selection import select
from pipeline.evaluation.triggering import MEASURES as TRIGGERING_MEASURES
from pipeline.evaluation.triggering import (
    best_candidates,
    question_units,
    section_scores,
    section_units,
    sections_of,
)
from pipeline.reporting.tables import Table

NO_LEVEL = "all"


def file_figures(task: str, gold: GoldFile, found: Mapping[str, Scored]) -> dict[str, Any]:
    """By level (``all`` for selection) the report of every system, and the learned one's gains.

    ``learned_against`` has Holm's p over all tests of a level.
    """
    report: dict[str, Any] = {}
    for level in gold.levels(task) or (NO_LEVEL,):
        units = {name: _units(level, gold, found[name]) for name in SYSTEMS}
        measures = SELECTION_MEASURES if task == SELECTION else TRIGGERING_MEASURES[level]
        tied = {name: select(gold.questions, gold.predictions(found[name].values)).tied
                for name in SYSTEMS} if task == SELECTION else {}  # fmt: skip
        report[level] = {
            "systems": {
                name: outcome(
                    {"tied_questions": tied[name]} if name in tied else {}, units[name], measures
                )
                for name in SYSTEMS
            },
            "learned_against": _gains(units, measures),
        }
    return report


def section_labels(gold: GoldFile, scored: Scored) -> dict[tuple[str, int], int]:
    """0 or 1 for each section that has a score, by the section level's thresholds."""
    at = dict(
        zip([q.question_id for q in gold.questions], scored.thresholds["section"], strict=True)
    )
    scores = section_scores(sections_of(gold.questions), gold.predictions(scored.values))
    return {key: int(value >= at[key[0]]) for key, value in scores.items()}


def shifted(gold: GoldFile, scored: Scored) -> dict[str, Any]:
    """Scores by question less its threshold at question level: 0 is where an answer begins."""
    if "question" not in scored.thresholds:
        return gold.predictions(scored.values)
    return gold.predictions(scored.values - scored.thresholds["question"][gold.candidates.question])


def _units(level: str, gold: GoldFile, scored: Scored) -> Units:
    if level == NO_LEVEL:
        return select(gold.questions, gold.predictions(scored.values)).units
    if level == "question":
        best = best_candidates(gold.questions, gold.predictions(scored.values))
        return question_units(gold.questions, best, scored.thresholds["question"])
    return section_units(sections_of(gold.questions), section_labels(gold, scored))


def _gains(
    units: Mapping[str, Units], measures: Sequence[Measure]
) -> dict[str, dict[str, dict[str, Any]]]:
    others = [name for name in SYSTEMS if name != LEARNED]
    found: list[Difference] = []
    for name in others:
        found += compared(units[LEARNED], units[name], measures)
    rows = iter(adjusted(found))
    return {name: {m.name: next(rows).as_json() for m in measures} for name in others}


# ---------------------------------------------------------------- tables


def tables(task: str, split: str, report: Mapping[str, Any], note: str) -> list[Table]:
    """Of one file: every system's figures, its headline by overlap, and the learned one's gains."""
    found = []
    headline = "map" if task == SELECTION else "f1"
    for level, part in report.items():
        name = task if level == NO_LEVEL else f"{task} by {level}"
        systems = part["systems"]
        measures = list(next(iter(systems.values()))["measures"])
        n = next(iter(systems.values()))["n"]
        rows = [
            (system, *(_cell(entry["measures"][measure]) for measure in measures))
            for system, entry in systems.items()
        ]
        found.append(Table(f"{name}, {split}, n = {n}", note, ("system", *measures), tuple(rows)))
        found += _overlap_table(name, split, systems, headline)
        rows = [
            (system, *(_gain(entry[measure]) for measure in measures))
            for system, entry in part["learned_against"].items()
        ]
        found.append(
            Table(
                f"{name}, {split}: learned less the others",
                "Differences with 95% intervals of a bootstrap over articles; p of a paired "
                "bootstrap after Holm over this table.",
                ("system", *measures),
                tuple(rows),
            )
        )
    return found


def _overlap_table(name: str, split: str, systems: Mapping[str, Any], headline: str) -> list[Table]:
    first = next(iter(systems.values()))["slices"].get("overlap", {})
    quartiles = [value for value in first if value.startswith("Q")]
    if not quartiles:
        return []
    rows = []
    for system, entry in systems.items():
        parts = [entry["slices"]["overlap"][quartile] for quartile in quartiles]
        values = [part[headline]["value"] for part in parts]
        gap = f"{values[-1] - values[0]:+.3f}"
        rows.append((system, *(_cell(part[headline]) for part in parts), gap))
    sizes = [f"{quartile}, n = {first[quartile]['n']}" for quartile in quartiles]
    return [
        Table(
            f"{name}, {split}: {headline} by word overlap",
            "Questions by quartile of the words that they share with their answer sentence. A "
            "system that is much better in the last column than in the first finds shared words "
            "rather than answers.",
            ("system", *sizes, "last less first"),
            tuple(rows),
        )
    ]


def _cell(entry: Mapping[str, float]) -> str:
    return f"{entry['value']:.4f} [{entry['low']:.4f}, {entry['high']:.4f}]"


def _gain(entry: Mapping[str, Any]) -> str:
    difference = f"{entry['difference']:+.4f} [{entry['low']:+.4f}, {entry['high']:+.4f}]"
    return f"{difference}, p = {entry['p_holm']:.4f}"
