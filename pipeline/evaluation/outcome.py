"""What an evaluator reports: its figures with their denominators, as JSON and as lines to read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pipeline.evaluation.figures import Difference, Measure, Units, by_slice, figures
from pipeline.evaluation.precision import Interval


def outcome(facts: Mapping[str, Any], units: Units, measures: Sequence[Measure]) -> dict[str, Any]:
    """The report of one predictions file: ``facts``, then each measure's value by its name.

    ``measures`` repeats them with the ends of the 95% interval, the number divided by, and what
    that counts; ``slices`` has them by breakdown and value, with the number of units.
    """
    found = figures(units, measures)
    groups = len(set(units.groups.tolist()))
    return {
        **facts,
        "n": len(units.ids),
        "groups": groups,
        **{name: entry.value for name, entry in found.items()},
        "measures": {
            measure.name: {
                **_ends(found[measure.name]),
                "denominator": _plain(math.fsum(units.amounts[measure.whole])),
                "denominator_counts": measure.denominator,
            }
            for measure in measures
        },
        "slices": {
            name: {
                value: {"n": n, **{m: _ends(entry) for m, entry in parts.items()}}
                for value, (n, parts) in values.items()
            }
            for name, values in by_slice(units, measures).items()
        },
    }


def comparison(name: str, differences: Sequence[Difference]) -> dict[str, Any]:
    """The differences to another predictions file, for the report."""
    return {
        "predictions": name,
        "measures": {entry.measure: entry.as_json() for entry in differences},
    }


def without_slices(report: Mapping[str, Any]) -> dict[str, Any]:
    """The report as it stands on the last line of a command."""
    return {key: value for key, value in report.items() if key != "slices"}


def _ends(entry: Interval) -> dict[str, float]:
    return {"value": entry.value, "low": entry.low, "high": entry.high}


def _plain(value: float) -> float | int:
    return int(value) if float(value).is_integer() else value


# ---------------------------------------------------------------- for people


def report_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """The report as a table: counts, measures, slices, comparison."""
    counts = ("n", "questions", "missing", "unknown", "duplicates", "unanswerable", "all_positive",
              "tied_questions", "threshold", "threshold_from")  # fmt: skip
    yield ", ".join(f"{key} {_short(report[key])}" for key in counts if key in report)
    for note in report.get("notes", ()):
        yield f"note: {note}"
    rows: list[Sequence[str]] = [("measure", "value", "95% interval", "of")]
    rows += [
        (name, _short(entry["value"]), _range(entry),
         f"{entry['denominator']} {entry['denominator_counts']}")
        for name, entry in report["measures"].items()
    ]  # fmt: skip
    yield from _aligned(rows)
    names = list(report["measures"])
    if report.get("slices"):
        rows = [("slice", "n", *(cell for name in names for cell in (name, "95% interval")))]
        for breakdown, values in report["slices"].items():
            for value, entry in values.items():
                cells = [
                    cell for m in names for cell in (_short(entry[m]["value"]), _range(entry[m]))
                ]
                rows.append((f"{breakdown}: {value}", str(entry["n"]), *cells))
        yield ""
        yield from _aligned(rows)
    if "comparison" in report:
        yield ""
        yield f"against {report['comparison']['predictions']}:"
        rows = [
            ("measure", "ours", "theirs", "difference", "95% interval", "test", "p", "p (Holm)")
        ]
        rows += [
            (name, *(_short(entry[key]) for key in ("ours", "theirs", "difference")), _range(entry),
             entry["test"], _short(entry["p"]), _short(entry["p_holm"]))
            for name, entry in report["comparison"]["measures"].items()
        ]  # fmt: skip
        yield from _aligned(rows)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _short(value: Any) -> str:
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.4f}"
    return str(value)


def _range(entry: Mapping[str, float]) -> str:
    return f"[{entry['low']:.4f}, {entry['high']:.4f}]"
