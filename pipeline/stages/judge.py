"""Command judge: draw what is to be judged, make a page to judge it on, read the labels back."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.errors import InputError
from pipeline.evaluation.judgments import (
    COLUMNS,
    judgment_files,
    judgment_rows,
    merged,
    read_judgments,
)
from pipeline.evaluation.merging import lines_of, merge
from pipeline.reporting.judging import JudgeItem, render_judging_page
from pipeline.stages.drawing import DrawnCase, draw


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeInputs:
    """What a sample is drawn from. ``scores`` None: the file beside the silver standard, if any.

    ``role``: whether the pairs are to be reported on or to be tuned with.
    """

    silver: Path
    questions: Path
    index: Path
    scores: Path | None = None
    role: str = "report"

    def scores_found(self) -> Path | None:
        """The scores to use: those given, or ``../scores/<same name>`` where that is there."""
        beside = self.silver.absolute().parent.parent / "scores" / self.silver.name
        return self.scores or (beside if beside.exists() else None)


def check_together(
    silver: Path | None, questions: Path | None, index: Path | None, scores: Path | None
) -> None:
    """Refuse a part of what a sample is drawn from; all of it may be left out."""
    given = {"--silver": silver, "--questions": questions, "--index": index}
    missing = [flag for flag, path in given.items() if path is None]
    if missing and (len(missing) < len(given) or scores is not None):
        raise InputError(f"{missing[0]}: missing; --silver, --questions and --index go together")


def run_judge_sample(
    inputs: JudgeInputs, judgments: Path | None, out: Path, config: Config, compute: Compute
) -> tuple[list[str], dict[str, object]]:
    """Write the pairs to judge as JSON lines; the progress of each case, and the counts."""
    samples, items = _draw(inputs, judgments, config, compute)
    files.write_json_lines(out, (item.row() for item in items))
    return _told(inputs, samples, items)


def run_judge_page(
    inputs: JudgeInputs, judgments: Path | None, out: Path, config: Config, compute: Compute
) -> tuple[list[str], dict[str, object]]:
    """Write one HTML page to judge the pairs on; the progress of each case, and the counts."""
    samples, items = _draw(inputs, judgments, config, compute)
    files.write_text(out, render_judging_page(inputs.silver.stem, items))
    return _told(inputs, samples, items)


def run_judge_import(
    downloads: Sequence[Path],
    out: Path,
    *,
    hash_texts: bool,
    judge: str | None,
    judge_kind: str | None,
) -> tuple[list[str], dict[str, object]]:
    """Check downloaded judgments and merge them into ``out``, which keeps what it holds.

    ``judge`` and ``judge_kind`` fill in where a row does not say who judged.
    """
    if out.suffix != ".csv":
        raise InputError(f"{out}: expected a name that ends in .csv, since that is what is written")
    if not downloads:
        raise InputError("give at least one file of judgments to import")
    given = {"judge": judge, "judge_kind": judge_kind}
    paths = [path for source in downloads for path in _files_of(source)]
    first = [out] if out.exists() and out not in paths else []
    found = merge(_rows([*first, *paths], given, out), hash_texts=hash_texts)
    files.write_text(out, _csv(found.rows))
    counts = {"read": 0, "written": 0, "conflicts": 0, "known_wrong": 0, **found.counts}
    return list(lines_of(found)), dict(counts)


def judging_progress(
    inputs: JudgeInputs, judgments: Path, config: Config, compute: Compute
) -> list[str]:
    """How much of each case's sample the judgments of a folder cover."""
    samples, _ = _draw(inputs, judgments, config, compute)
    return [sample.progress(inputs.silver.stem) for sample in samples]


def _draw(
    inputs: JudgeInputs, judgments: Path | None, config: Config, compute: Compute
) -> tuple[list[DrawnCase], list[JudgeItem]]:
    judged = merged(read_judgments(judgments)) if judgments else {}
    return draw(
        inputs.silver, inputs.questions, inputs.index, inputs.scores_found(), judged, config,
        compute, inputs.role,
    )  # fmt: skip


def _told(
    inputs: JudgeInputs, samples: Sequence[DrawnCase], items: Sequence[JudgeItem]
) -> tuple[list[str], dict[str, object]]:
    lines = [sample.progress(inputs.silver.stem) for sample in samples]
    counts: dict[str, object] = {
        "pairs": len(items),
        "samples": {
            sample.case.name: {
                "mapped": len(sample.case.pairs),
                "sample": len(sample.sample),
                "judged": sample.judged,
            }
            for sample in samples
        },
    }
    return lines, counts


def _files_of(source: Path) -> list[Path]:
    return judgment_files(source) if source.is_dir() else [source]


def _rows(
    paths: Sequence[Path], given: Mapping[str, str | None], out: Path
) -> Iterator[tuple[str, Mapping[str, object]]]:
    for path in paths:
        found = False
        with files.open_text(path) as lines:
            for where, row in judgment_rows(lines, str(path), is_csv=path.suffix == ".csv"):
                found = True
                filled = {name: row.get(name) or value for name, value in given.items()}
                yield where, {**row, **filled}
        if not found and path != out:  # nothing may be left to write
            raise InputError(f"{path}: holds no judgment")


def _csv(rows: Sequence[Mapping[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
