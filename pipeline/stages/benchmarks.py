"""silver benchmarks: what the benchmark stages measured, as metrics, tables and one page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import files
from pipeline.errors import InputError
from pipeline.reporting.benchmarks import baseline_tables, blocks_table, ceiling_table, notes
from pipeline.reporting.page import render_benchmarks
from pipeline.reporting.tables import Table

_WRITTEN = ("metrics.json", "table.md", "report.html")


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkInputs:
    """Folders that ``silver baseline`` wrote, and named reports and reader inputs over blocks."""

    selection: Path | None = None
    triggering: Path | None = None
    blocks: tuple[tuple[str, Path], ...] = ()
    readers: tuple[tuple[str, Path], ...] = ()
    synthetic_triggering: bool = False


def run_benchmarks(inputs: BenchmarkInputs, out: Path) -> dict[str, Any]:
    """Write ``metrics.json``, ``table.md`` and ``report.html``; returns what was read."""
    tables: list[Table] = []
    metrics: dict[str, Any] = {}
    banners: list[str] = []
    for task, folder in (("selection", inputs.selection), ("triggering", inputs.triggering)):
        if folder is None:
            continue
        read = files.read_json(folder / "metrics.json")
        if read.get("task") != task or not isinstance(read.get("splits"), dict):
            raise InputError(
                f"{folder / 'metrics.json'}: no figures of {task}; expected those of silver "
                f"baseline {task}"
            )
        tables += baseline_tables(task, read)
        metrics[task] = _baseline_metrics(read)
    if inputs.triggering is not None and inputs.synthetic_triggering:
        banners.append(
            "Triggering is measured on a set made of the embedded sample's silver standard: "
            "synthetic questions, no result on SelQA."
        )
    if inputs.blocks:
        reports = {name: _read(path, "blocks") for name, path in inputs.blocks}
        tables.append(blocks_table(reports))
        banners += [f"OTT-QA: {note}." for note in [notes(reports)] if note]
        metrics["ottqa"] = {
            name.replace(".", "_"): {m: report[m] for m in report["measures"]}
            for name, report in reports.items()
        }
    if inputs.readers:
        counts = {name: _reader_counts(path) for name, path in inputs.readers}
        tables.append(ceiling_table(counts))
        for name, mine in counts.items():
            metrics.setdefault("ottqa", {}).setdefault(name.replace(".", "_"), {})["ceiling"] = (
                mine["ceiling"]
            )
    if not tables:
        raise InputError("--selection, --triggering, --blocks, --reader: none is given")
    with files.folder_written_aside(out, _WRITTEN) as aside:
        text = "\n".join(
            [*(f"> {banner}\n" for banner in banners), *(t.markdown() for t in tables)]
        )
        files.write_text(aside / "table.md", text)
        files.write_text(aside / "report.html", render_benchmarks(tables, banners, ()))
        files.write_json(aside / "metrics.json", metrics)
        stats = {"tables": len(tables), "banners": len(banners)}
        files.write_json(aside / files.STATS, files.stats(stats, files.fingerprint(metrics)))
    return stats


def _read(path: Path, task: str) -> dict[str, Any]:
    report = files.read_json(path)
    if report.get("task") != task or not isinstance(report.get("measures"), dict):
        raise InputError(f"{path}: no report of silver evaluate {task}")
    return report


def _reader_counts(path: Path) -> dict[str, Any]:
    counts = files.read_json(path).get("counts")
    if not isinstance(counts, dict) or "ceiling" not in counts:
        raise InputError(f"{path}: no counts of silver reader-input; expected its .stats.json")
    return counts


def _baseline_metrics(read: dict[str, Any]) -> dict[str, Any]:
    return {
        split: {
            level: {
                name: {m: entry[m] for m in entry["measures"]}
                for name, entry in part["systems"].items()
            }
            for level, part in levels.items()
            if level != "how"
        }
        for split, levels in read["splits"].items()
    }
