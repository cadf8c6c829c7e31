"""Tables of the benchmarks' report: simple systems, and retrieval over evidence blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.reporting.tables import Table

Figures = Mapping[str, Any]

_BLOCK_COLUMNS = (
    ("answer_recall_1", "AnswerRecall@1"),
    ("answer_recall_5", "@5"),
    ("answer_recall_10", "@10"),
    ("answer_recall_20", "@20"),
    ("answer_recall_100", "@100"),
    ("hits_4k", "HITS@4K"),
    ("node_recall_20", "node recall@20"),
    ("node_hits_4k", "node HITS@4K"),
)


def baseline_tables(task: str, metrics: Figures) -> list[Table]:
    """What ``silver baseline`` measured: a table a file and level, a row a system."""
    tables = []
    for split, levels in metrics["splits"].items():
        for level, part in levels.items():
            if level == "how":
                continue
            systems = part["systems"]
            names = list(next(iter(systems.values()))["measures"])
            rows = tuple(
                (name, str(entry["n"]), *(_cell(entry["measures"][m]) for m in names))
                for name, entry in systems.items()
            )
            title = f"Answer {task}, {split}, by {level}"
            tables.append(Table(title, f"{levels['how']}.", ("system", "n", *names), rows))
    return tables


def blocks_table(reports: Mapping[str, Figures]) -> Table:
    """What ``silver evaluate blocks`` measured, in percent, a row a run."""
    first = next(iter(reports.values()))
    columns = [(key, name) for key, name in _BLOCK_COLUMNS if key in first["measures"]]
    rows = tuple(
        (name, str(report["n"]), *(
            _percent(report["measures"][key]) if key in report["measures"] else "–"
            for key, _ in columns
        ))
        for name, report in reports.items()
    )  # fmt: skip
    note = (
        f"Percent of questions, with 95% intervals of a bootstrap over tables. {notes(reports)}. "
        f"Tokens by {first['tokenizer']}."
    )
    return Table("OTT-QA, retrieval of evidence blocks", note,
                 ("run", "n", *(name for _, name in columns)), rows)  # fmt: skip


def ceiling_table(stats: Mapping[str, Figures]) -> Table:
    """What ``silver reader-input`` counted: how often an answer is still in the input."""
    rows = tuple(
        (name, str(counts["written"]), f"{100 * counts['ceiling']:.1f} "
         f"[{100 * counts['ceiling_low']:.1f}, {100 * counts['ceiling_high']:.1f}]",
         f"{counts['blocks'] / counts['written']:.1f}",
         f"{counts['tokens'] / counts['written']:.0f}")
        for name, counts in stats.items()
    )  # fmt: skip
    note = (
        "Percent of questions whose answer string is in the reader's input, the last block cut "
        "where the budget ends: no reader is right more often, but by chance."
    )
    head = ("run", "n", "ceiling %", "blocks a question", "tokens a question")
    return Table("OTT-QA, ceiling of any reader", note, head, rows)


def notes(reports: Mapping[str, Figures]) -> str:
    """The banners of some reports, each once."""
    found = (note for report in reports.values() for note in report.get("notes", ()))
    return "; ".join(dict.fromkeys(found))


def _cell(entry: Mapping[str, float]) -> str:
    return f"{entry['value']:.3f} [{entry['low']:.3f}, {entry['high']:.3f}]"


def _percent(entry: Mapping[str, float]) -> str:
    value, low, high = (100 * entry[key] for key in ("value", "low", "high"))
    return f"{value:.1f} [{low:.1f}, {high:.1f}]"
