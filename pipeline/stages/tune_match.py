"""Command tune match: scorer, weights, threshold and model, chosen on judged pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.errors import InputError
from pipeline.evaluation.judgments import judgment_files, judgment_rows, label_and_role
from pipeline.evaluation.left_out import (
    ROLE_REPORT,
    UNDECIDED,
    WITHHELD,
    is_withheld,
    left_out_words,
)
from pipeline.evaluation.scorers import (
    SEED,
    WITH_ANSWERS,
    cross_validated,
    figures_by_file,
    fitted_models,
    promised,
    suggestion,
    weightings,
)
from pipeline.evaluation.sweep_tables import coverage_of_cosines, curve_lines, curves, sweep_lines
from pipeline.evaluation.tuning import RECALL_AT, scorer_figures
from pipeline.lucene.manifest import check_index
from pipeline.matching.best import columns_of, highest_by_question
from pipeline.matching.model import LinearModel
from pipeline.matching.scoring import learned_similarity
from pipeline.matching.sweeps import thresholds
from pipeline.matching.thresholds import mapped_counts
from pipeline.matching.titles import title_key
from pipeline.matching.tuning import (
    CrossValidated,
    JudgedColumns,
    connected_groups,
)
from pipeline.records import Score
from pipeline.reporting.plots import precision_plot
from pipeline.reporting.tuning import thresholds_to_show, tuning_lines
from pipeline.stages.text_pairs import check_texts, score_rows

_FEWEST = 10  # right pairs, wrong pairs and groups: less teaches nothing
_LEAST_WEIGHT, _MOST_WEIGHT = 1e-9, 1e9


@dataclass(slots=True)
class _Judgments:
    """Rows that may be learnt from, and how many were left out by reason."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)

    def leave_out(self, reason: str) -> None:
        self.left_out[reason] = self.left_out.get(reason, 0) + 1


def run_tune_match(
    judgments: Sequence[Path],
    index: Path,
    redirects: Path | None,
    scores: Sequence[Path],
    out: Path,
    config: Config,
    compute: Compute,
    *,
    target_precision: float | None,
    all_roles: bool,
) -> tuple[list[str], dict[str, object]]:
    """Write figures, sweeps, plot and model; returns what to print and the counts."""
    check_index(index, config.index)
    target = RECALL_AT if target_precision is None else target_precision
    if not 0 < target < 1:
        raise InputError(f"--target-precision: {target:g}; expected a share between 0 and 1")
    read = _read_judgments(judgments, all_roles=all_roles)
    left_out = left_out_words(read.left_out)
    if not read.rows:
        raise InputError(f"{judgments[0]}: no judged pair to learn from{left_out}")
    judged = _judged(read.rows, index, redirects, config)
    _check_enough(judged, judgments, left_out)
    found = cross_validated(judged, config, target)
    figures = {
        name: {
            kind: scorer_figures(
                judged.labels, validated, found["idf"], judged.groups, weights, SEED, target
            ).as_json()
            for kind, weights in weightings(judged).items()
        }
        for name, validated in found.items()
    }
    # What sees short answers must be chosen, not suggested: it makes a silver standard that is no
    # fair judge of systems that look for them.
    best = max(
        (name for name in figures if name != WITH_ANSWERS),
        key=lambda name: figures[name]["weighted"]["average_precision"]["value"],
    )
    suggested = suggestion(best, found, judged, config, out, target)
    models = fitted_models(found, judged, target, judgments)
    promise = promised(found[best], judged, target) if target_precision is not None else None
    coverage, coverage_lines = _coverage(scores, models, suggested, promise, config)
    report = {
        "judged": {
            "pairs": len(judged),
            "right": int(judged.labels.sum()),
            "groups": len(set(judged.groups.tolist())),
            "left_out": dict(sorted(read.left_out.items())),
        },
        "scorers": figures,
        "suggested": suggested,
        "by_file": figures_by_file(read.rows, judged, found, target),
        **({"promise": promise} if promise is not None else {}),
        **({"coverage": coverage} if scores else {}),
    }
    files.write_json(out / "tuning.json", report)
    for name, model in models.items():
        files.write_json(out / name, model.as_json())
    if "model-answers.json" not in models:  # of judgments that had answers
        (out / "model-answers.json").unlink(missing_ok=True)
    files.write_text(out / "suggested.yaml", yaml.safe_dump({"match": suggested}, sort_keys=False))
    files.write_lines(out / "sweep.csv", sweep_lines(judged, config))
    files.write_lines(out / "curves.csv", curve_lines(found, judged))
    files.write_text(out / "curves.svg", _plot(found, judged, target))
    if scores:
        files.write_lines(out / "coverage.csv", coverage_lines)
    counts = {"pairs": len(judged), "right": int(judged.labels.sum()), "suggested": suggested}
    return tuning_lines(report, target), counts


def _read_judgments(paths: Sequence[Path], *, all_roles: bool) -> _Judgments:
    read = _Judgments()
    for given in paths:
        for path in judgment_files(given) if given.is_dir() else [given]:
            with files.open_text(path) as lines:
                rows = judgment_rows(lines, str(path), is_csv=path.suffix == ".csv")
                for where, row in rows:
                    _keep(row, where, read, all_roles=all_roles)
    return read


def _keep(row: Mapping[str, object], where: str, read: _Judgments, *, all_roles: bool) -> None:
    check_texts(row, where)
    label, role = label_and_role(row, where)
    weight = _weight(row.get("weight"), where)
    if label == "?":
        read.leave_out(UNDECIDED)
    elif role != "tune" and not all_roles:
        read.leave_out(ROLE_REPORT)
    elif is_withheld(row[name] for name in ("answer_sentence", "passage")):
        read.leave_out(WITHHELD)
    else:
        file = where.rpartition(", line ")[0]
        read.rows.append({**row, "label": int(label), "weight": weight, "file": file})


def _weight(stated: object, where: str) -> float:
    """1 where none is stated. Sums of squares of weights must neither vanish nor overflow."""
    if stated is None or stated == "":
        return 1.0
    try:
        weight = float(str(stated))  # what is true or false in JSON is no number, either
    except ValueError:
        weight = math.nan
    if not _LEAST_WEIGHT <= weight <= _MOST_WEIGHT:
        raise InputError(
            f"{where}: weight '{str(stated)[:80]}'; expected a number above 0, "
            f"from {_LEAST_WEIGHT:g} to {_MOST_WEIGHT:g}"
        )
    return weight


def _judged(
    rows: list[dict[str, Any]], index: Path, redirects: Path | None, config: Config
) -> JudgedColumns:
    return JudgedColumns(
        columns=score_rows(rows, index, redirects, config),
        labels=np.array([row["label"] for row in rows], dtype=np.int64),
        weights=np.array([row["weight"] for row in rows], dtype=np.float64),
        groups=connected_groups([list(_keys(row)) for row in rows]),
    )


def _keys(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What two pairs may share that keeps them in one fold."""
    yield "answer sentence", " ".join(row["answer_sentence"].split())
    yield "passage", row["passage"]
    if row.get("question"):
        yield "question", str(row["question"])
    if row.get("title"):
        yield "title", title_key(row["title"])


def _check_enough(judged: JudgedColumns, paths: Sequence[Path], left_out: str) -> None:
    right = int(judged.labels.sum())
    groups = len(set(judged.groups.tolist()))
    for name, count in (("right", right), ("wrong", len(judged) - right)):
        if count < _FEWEST:
            raise InputError(
                f"{paths[0]}: {count} {name} pairs to learn from; at least {_FEWEST} are needed"
                f"{left_out}"
            )
    if groups < 2:
        raise InputError(f"{paths[0]}: all pairs belong together; at least 2 groups are needed")


def _plot(found: Mapping[str, CrossValidated], judged: JudgedColumns, target: float) -> str:
    drawn: dict[str, list[tuple[float, float]]] = {}
    for name, _, precision, recall in curves(found, judged):
        drawn.setdefault(name, []).append((100 * recall, 100 * precision))
    return precision_plot(drawn, target)


def _coverage(
    scores: Sequence[Path], models: Mapping[str, LinearModel], suggested: Mapping[str, object],
    promise: Mapping[str, Any] | None, config: Config,
) -> tuple[dict[str, Any], list[str]]:  # fmt: skip
    """What the suggested threshold and the one that promises map of each corpus, and the sweep."""
    found: dict[str, Any] = {}
    lines = ["corpus,scorer,weight_1,weight_2,weight_3,threshold,mapped,questions"]
    at = thresholds_to_show(suggested, promise)
    for path in scores:
        columns = columns_of(files.read_table(path, Score))
        within = (columns.passage >= 0) & (columns.rank <= config.match.depth)
        columns = columns.take(within)
        questions = len(columns.question_ids)
        learned_by = learned_similarity(models["model.json"], columns.features)
        if suggested["scorer"] == "learned":
            similarity = learned_by
        else:
            similarity = columns.active(config.match.model_copy(update=dict(suggested)))
        everything = np.arange(len(columns))
        highest = highest_by_question(columns, similarity, everything)
        counts = mapped_counts(highest, at.values())
        found[path.stem] = {"questions": questions, **dict(zip(at, counts, strict=True))}
        lines.extend(coverage_of_cosines(path.stem, columns, config))
        by_model = highest_by_question(columns, learned_by, everything)
        mapped = mapped_counts(by_model, thresholds().tolist())
        lines.extend(
            f"{path.stem},learned,,,,{edge:g},{count},{questions}"
            for edge, count in zip(thresholds(), mapped, strict=True)
        )
    return found, lines
