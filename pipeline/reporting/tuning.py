"""What tuning found, as lines of plain text for a person to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from pipeline.evaluation.left_out import left_out_words
from pipeline.evaluation.paired import PairedSuccess, holm
from pipeline.evaluation.tuning import recall_key

_SIGNIFICANT = 0.05


def tuning_lines(report: Mapping[str, Any], target: float) -> list[str]:
    """The figures as a person reads them."""
    judged = report["judged"]
    lines = [
        f"{judged['pairs']} judged pairs, {judged['right']} right, in {judged['groups']} groups; "
        "figures of pairs that the scorer was not fitted on, with 95% intervals"
    ]
    if judged["left_out"]:
        counts = (f"{count} {reason}" for reason, count in judged["left_out"].items())
        lines.append(f"left out: {', '.join(counts)}")
    for kind in ("weighted", "unweighted"):
        lines.append(f"{kind}:")
        lines.extend(
            f"  {name}: {_figures_line(figures[kind], target)}"
            for name, figures in report["scorers"].items()
        )
    for file, scorers in report["by_file"].items() if len(report["by_file"]) > 1 else ():
        lines.append(f"weighted, {file}:")
        lines.extend(
            f"  {name}: {_figures_line(figures, target)}" for name, figures in scorers.items()
        )
    lines.append(f"suggested, at a measured precision of {target:g} without a margin for chance:")
    if "threshold" not in report["suggested"]:
        lines.append(f"no threshold reaches a precision of {target:g} here: none is given")
    lines.extend(
        yaml.safe_dump({"match": report["suggested"]}, sort_keys=False).rstrip().splitlines()
    )
    if "learned_with_answers" in report["scorers"]:
        lines.append(
            "model-answers.json sees the short answers too (learned_with_answers); it is never "
            "suggested, since accuracy by answer string over what it maps is partly circular"
        )
    if "promise" in report:
        lines.append(_promise_line(report["promise"]))
    lines.extend(_coverage_lines(report.get("coverage", {}), report))
    return lines


def retrieval_lines(figures: Mapping[str, Any], compared: Sequence[PairedSuccess]) -> list[str]:
    """The suggested boosts' cross-validated accuracy beside unigrams', and what a test says."""
    lines = [
        f"{figures['questions']} judged questions, each ranked by boosts that were chosen without "
        f"its article{left_out_words(figures['left_out'])}",
        f"{'k':>3}  {'suggested %':>11}  {'unigrams %':>10}  {'McNemar p (Holm)':>16}",
    ]
    adjusted = holm([entry.p for entry in compared])
    for entry, p in zip(compared, adjusted, strict=True):
        ours, theirs = (100 * count / entry.questions for count in (entry.ours, entry.theirs))
        lines.append(f"{entry.k:>3}  {ours:>11.2f}  {theirs:>10.2f}  {_p_value(p):>16}")
    if min(adjusted) >= _SIGNIFICANT:
        lines.append("no difference is significant: more judged questions may show one")
    suggestion = {name: figures[name] for name in ("index", "retrieve")}
    return [*lines, "suggested:", *yaml.safe_dump(suggestion, sort_keys=False).rstrip().split("\n")]


def _p_value(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def _figures_line(figures: Mapping[str, Mapping[str, float]], target: float) -> str:
    labels = {
        "average_precision": "AP",
        recall_key(target): f"recall at {100 * target:g}% precision",
        "precision": "precision",
        "recall": "recall",
        "gain": "AP over idf",
    }
    return ", ".join(
        f"{label} {entry['value']:.3f} [{entry['low']:.3f}, {entry['high']:.3f}]"
        for key, label in labels.items()
        for entry in [figures[key]]
    )


def _promise_line(promise: Mapping[str, Any]) -> str:
    target, at = promise["target"], promise["at"]
    if at is None:
        return f"no threshold promises a precision of {target:g}, and more judgments would not help"
    where = (
        f"threshold {at['threshold']:.3f}: precision {at['precision']:.3f}, at least "
        f"{at['low']:.3f}; it keeps {at['recall']:.1%} of the right pairs ({at['judged']} judged "
        "pairs at or over it)"
    )
    if promise["kept"]:
        return (
            f"promises a precision of {target:g}: {where}; "
            f"{3 * at['judged']} more judged pairs there would halve the interval"
        )
    return (
        f"no threshold promises a precision of {target:g} yet; nearest is {where}; "
        f"about {at['more']:,} more judged pairs like these there would settle it, or "
        f"{at['fresh']:,} drawn evenly from what it maps (silver judge sample --role tune), "
        "if as right"
    )


def thresholds_to_show(
    suggested: Mapping[str, Any], promise: Mapping[str, Any] | None
) -> dict[str, float]:
    """The threshold suggested if any, and the one that promises the precision or comes nearest."""
    at = {"suggested": float(suggested["threshold"])} if "threshold" in suggested else {}
    if promise is not None and promise["at"] is not None:
        at["promised" if promise["kept"] else "nearest"] = float(promise["at"]["threshold"])
    return at


def _coverage_lines(
    coverage: Mapping[str, Mapping[str, int]], report: Mapping[str, Any]
) -> Iterator[str]:
    """The questions that are mapped at the suggested threshold, and at that of the promise."""
    at = thresholds_to_show(report["suggested"], report.get("promise"))
    for corpus, counts in coverage.items() if at else ():
        parts = [
            f"{counts[name]:,} ({counts[name] / max(counts['questions'], 1):.1%}) at {value:.3f}, "
            f"{name}"
            for name, value in at.items()
        ]
        yield f"{corpus}: of {counts['questions']:,} questions it maps {'; '.join(parts)}"
