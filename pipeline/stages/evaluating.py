"""What the commands of ``silver evaluate`` share: opening gold and predictions, writing reports."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline import files
from pipeline.corpora.reading import read_lines
from pipeline.corpora.registry import format_named, split_of
from pipeline.corpora.rows import Rejected
from pipeline.errors import InputError
from pipeline.evaluation.outcome import report_lines, without_slices
from pipeline.records import Question

SENTENCE_FORMATS = (
    "selqa-ass-json", "selqa-ass-tsv", "selqa-at-json", "selqa-at-tsv", "wikiqa-tsv",
)  # fmt: skip

NumberedLines = list[tuple[int, str]]


def gold_questions(path: Path, format_name: str, corpus: str | None = None) -> list[Question]:
    """Every question of a gold file in its order.

    A question that cannot be read is an error here: a figure over the others would be of another
    gold file than the one named.
    """
    if format_name not in SENTENCE_FORMATS:
        known = ", ".join(SENTENCE_FORMATS)
        raise InputError(f"--format: '{format_name}' has no candidate sentences; expected {known}")
    read = format_named(format_name).read
    name = corpus or format_name.split("-")[0]
    questions = []
    for item in read(path, name, split_of(path), 0, None):
        if isinstance(item, Rejected):
            raise InputError(f"{path}: {item.where}: {item.reason}; expected a whole gold file")
        questions.append(item)
    if not questions:
        raise InputError(f"{path}: holds no question; expected {format_name}")
    return questions


def numbered_lines(path: Path) -> NumberedLines:
    """The lines of a predictions file that hold something, with their numbers."""
    return [
        (line.number, line.text) for line in read_lines(path, "predictions") if line.text.strip()
    ]


def check_strict(strict: bool, path: Path, counts: Mapping[str, int]) -> None:
    """Under ``--strict``, missing, unknown and duplicate ids are errors."""
    found = [f"{count} {name}" for name, count in counts.items() if count]
    if strict and found:
        raise InputError(f"{path}: {', '.join(found)} ids; --strict allows none")


def finished(report: dict[str, Any], out: Path | None) -> tuple[list[str], dict[str, Any]]:
    """Write the report where it is wanted; lines to show, and the report without its slices."""
    if out is not None:
        files.write_json(out, report)
    return list(report_lines(report)), without_slices(report)
