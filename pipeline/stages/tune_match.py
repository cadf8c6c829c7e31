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
from pipeline.evaluation.judgments import LABELS, ROLES, article_role, judgment_files, judgment_rows
from pipeline.evaluation.precision import average_precision, threshold_for_precision
from pipeline.evaluation.tuning import (
    RECALL_AT,
    Promise,
    lowest_that_keeps,
    nearest,
    promises,
    scorer_figures,
)
from pipeline.lucene.manifest import check_index
from pipeline.matching.best import ScoreColumns, columns_of, highest_by_question
from pipeline.matching.features import FEATURES
from pipeline.matching.model import INPUTS, INPUTS_WITH_ANSWERS, SHORT_ANSWER, LinearModel
from pipeline.matching.scoring import Floats, Ints, learned_similarity
from pipeline.matching.sweeps import counts_at, highest_by_weights, thresholds, weight_triples
from pipeline.matching.thresholds import mapped_counts
from pipeline.matching.titles import title_key
from pipeline.matching.tuning import (
    CrossValidated,
    JudgedColumns,
    connected_groups,
    cross_validate,
    fit_model,
    learned,
    learned_with_answers,
)
from pipeline.records import Score
from pipeline.reporting.plots import precision_plot
from pipeline.reporting.tuning import thresholds_to_show, tuning_lines
from pipeline.stages.text_pairs import check_texts, score_rows

_SEED = 1801
_FEWEST = 10  # right pairs, wrong pairs and groups: less teaches nothing
_IDF = [list(FEATURES).index(f"idf_cosine_{order}") for order in (1, 2, 3)]
_COSINES = ("cosine", "idf")
_WITH_ANSWERS = "learned_with_answers"


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
    judged = _judged(read.rows, index, redirects, config)
    _check_enough(judged, judgments)
    choose = _chooser(target)
    found = _scorers(judged, config, choose)
    figures = {
        name: {
            kind: scorer_figures(
                judged.labels, validated, found["idf"], judged.groups, weights, _SEED
            ).as_json()
            for kind, weights in _weightings(judged).items()
        }
        for name, validated in found.items()
    }
    # What sees short answers must be chosen, not suggested: it makes a silver standard that is no
    # fair judge of systems that look for them.
    best = max(
        (name for name in figures if name != _WITH_ANSWERS),
        key=lambda name: figures[name]["weighted"]["average_precision"]["value"],
    )
    suggested = _suggestion(best, found, judged, config, out, target)
    models = _models(found, judged, target, judgments)
    promise = _promise(found[best], judged, target) if target_precision is not None else None
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
        "by_file": _by_file(read.rows, judged, found),
        **({"promise": promise} if promise is not None else {}),
        **({"coverage": coverage} if scores else {}),
    }
    files.write_json(out / "tuning.json", report)
    for name, model in models.items():
        files.write_json(out / name, model.as_json())
    files.write_text(out / "suggested.yaml", yaml.safe_dump({"match": suggested}, sort_keys=False))
    files.write_lines(out / "sweep.csv", _sweep_lines(judged, config))
    files.write_lines(out / "curves.csv", _curve_lines(found, judged))
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
    label = str(row.get("label", "")).strip()
    if label not in LABELS:
        raise InputError(f"{where}: label '{label}'; expected 1, 0 or ?")
    role = str(row.get("role") or article_role(str(row["passage_title"])))
    if role not in ROLES:
        raise InputError(f"{where}: role '{role}'; expected tune or report")
    try:
        weight = float(str(row.get("weight") or 1.0))
    except ValueError:
        weight = math.nan
    if not (weight > 0 and math.isfinite(weight)):
        raise InputError(f"{where}: weight '{row['weight']}'; expected a number above 0")
    if label == "?":
        read.leave_out("undecided")
    elif role != "tune" and not all_roles:
        read.leave_out("role report")
    elif any(str(row[name]).startswith("sha1:") for name in ("answer_sentence", "passage")):
        read.leave_out("text withheld")
    else:
        file = where.rpartition(", line ")[0]
        read.rows.append({**row, "label": int(label), "weight": weight, "file": file})


def _judged(
    rows: list[dict[str, Any]], index: Path, redirects: Path | None, config: Config
) -> JudgedColumns:
    if not rows:
        raise InputError("--judgments: no judged pair of role tune with its texts")
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


def _check_enough(judged: JudgedColumns, paths: Sequence[Path]) -> None:
    right = int(judged.labels.sum())
    groups = len(set(judged.groups.tolist()))
    for name, count in (("right", right), ("wrong", len(judged) - right)):
        if count < _FEWEST:
            raise InputError(
                f"{paths[0]}: {count} {name} pairs to learn from; at least {_FEWEST} are needed"
            )
    if groups < 2:
        raise InputError(f"{paths[0]}: all pairs belong together; at least 2 groups are needed")


def _weightings(judged: JudgedColumns) -> dict[str, Floats]:
    return {"weighted": judged.weights, "unweighted": np.ones(len(judged))}


def _chooser(target: float) -> Any:
    def choose(labels: Ints, similarity: Floats, weights: Floats) -> float:
        return threshold_for_precision(labels, similarity, weights, target)

    return choose


def _scorers(judged: JudgedColumns, config: Config, choose: Any) -> dict[str, CrossValidated]:
    """Similarities and thresholds of every scorer on pairs that it was not fitted on."""
    found = {}
    for name in _COSINES:
        match = config.match.model_copy(update={"scorer": name})
        similarity = judged.highest(judged.columns.active(match))

        def fixed(judged: JudgedColumns, chosen: Ints, same: Floats = similarity) -> Floats:
            return same

        found[name] = cross_validate(judged, fixed, choose, _SEED)
    for name in _COSINES:
        by_weights = _by_weights(judged, name, config)

        def tuned(judged: JudgedColumns, chosen: Ints, every: Floats = by_weights) -> Floats:
            best: Floats = every[_best_triple(every, judged, chosen)]
            return best

        found[f"{name}_tuned"] = cross_validate(judged, tuned, choose, _SEED)
    found["learned"] = cross_validate(judged, learned, choose, _SEED)
    if judged.columns.features[:, list(FEATURES).index(SHORT_ANSWER)].any():
        found[_WITH_ANSWERS] = cross_validate(judged, learned_with_answers, choose, _SEED)
    return found


def _models(
    found: Mapping[str, CrossValidated], judged: JudgedColumns, target: float,
    judgments: Sequence[Path],
) -> dict[str, LinearModel]:  # fmt: skip
    """The learned scorer fitted on all pairs, and one that sees short answers where some are known.

    By the name of the file each goes to.
    """
    sources = ", ".join(path.name for path in judgments)
    kinds = {"model.json": ("learned", INPUTS)}
    if _WITH_ANSWERS in found:
        kinds["model-answers.json"] = (_WITH_ANSWERS, INPUTS_WITH_ANSWERS)
    return {
        file: fit_model(
            judged,
            np.arange(len(judged)),
            threshold=_threshold(found[scorer], judged, target),
            trained_on=f"{len(judged)} judged pairs of {sources}",
            names=names,
        )
        for file, (scorer, names) in kinds.items()
    }


def _by_weights(judged: JudgedColumns, name: str, config: Config) -> Floats:
    """Each pair's similarity under each triple of weights; shape (triples, pairs)."""
    columns = judged.columns
    cosines = columns.cosines if name == "cosine" else columns.features[:, _IDF].astype(np.float64)
    return highest_by_weights(
        cosines, columns.question, len(judged), weight_triples(), config.match.short_sentences,
        columns.answer_tokens, columns.sentence_tokens,
    )  # fmt: skip


def _best_triple(by_weights: Floats, judged: JudgedColumns, chosen: Ints) -> int:
    """The triple of highest average precision on the chosen pairs, the first of equals."""
    labels, weights = judged.labels[chosen], judged.weights[chosen]
    return int(np.argmax([average_precision(labels, row[chosen], weights) for row in by_weights]))


def _threshold(found: CrossValidated, judged: JudgedColumns, target: float) -> float:
    value = threshold_for_precision(judged.labels, found.similarity, judged.weights, target)
    return math.ceil(value * 1000) / 1000


def _by_file(
    rows: Sequence[Mapping[str, Any]], judged: JudgedColumns, found: Mapping[str, CrossValidated]
) -> dict[str, dict[str, Any]]:
    """The weighted figures on the pairs of each file, of the same fits: does one setting hold?"""
    files_of = np.array([Path(row["file"]).name for row in rows])
    figures: dict[str, dict[str, Any]] = {}
    for name in sorted(set(files_of.tolist())):
        here = np.flatnonzero(files_of == name)
        if not 0 < judged.labels[here].sum() < len(here):
            continue
        parts = {
            scorer: CrossValidated(validated.similarity[here], validated.thresholds[here])
            for scorer, validated in found.items()
        }
        figures[name] = {
            scorer: scorer_figures(
                judged.labels[here], part, parts["idf"], judged.groups[here], judged.weights[here],
                _SEED,
            ).as_json()
            for scorer, part in parts.items()
        }  # fmt: skip
    return figures


def _suggestion(
    best: str, found: Mapping[str, CrossValidated], judged: JudgedColumns, config: Config,
    out: Path, target: float,
) -> dict[str, object]:  # fmt: skip
    """The match section's keys that tuning decides."""
    scorer = best.removesuffix("_tuned")
    suggested: dict[str, object] = {"scorer": scorer}
    if scorer == "learned":
        suggested["model"] = str(out / "model.json")
    elif best.endswith("_tuned"):
        every = _by_weights(judged, scorer, config)
        chosen = _best_triple(every, judged, np.arange(len(judged)))
        suggested["weights"] = weight_triples()[chosen].tolist()
    else:
        suggested["weights"] = list(config.match.weights)
    suggested["threshold"] = _threshold(found[best], judged, target)
    return suggested


def _promise(found: CrossValidated, judged: JudgedColumns, target: float) -> dict[str, Any]:
    every = promises(judged.labels, found.similarity, judged.groups, judged.weights, target)
    kept = lowest_that_keeps(every, target)
    near: Promise | None = kept or nearest(every)
    return {
        "target": target,
        "kept": kept is not None,
        "at": near.as_json() if near is not None else None,
    }


def _sweep_lines(judged: JudgedColumns, config: Config) -> Iterator[str]:
    """Precision and recall of the judged pairs for every scorer of weights, triple, threshold."""
    yield "scorer,weight_1,weight_2,weight_3,threshold,precision,recall"
    edges = thresholds()
    right = judged.weights * judged.labels

    def reached(bins: Ints, weights: Floats) -> Floats:
        by_bin = np.bincount(bins, weights=weights, minlength=len(edges) + 1)
        return by_bin[::-1].cumsum()[::-1][1:]

    for name in _COSINES:
        for triple, row in zip(weight_triples(), _by_weights(judged, name, config), strict=True):
            bins = np.searchsorted(edges, row, "right")
            taken, hit = reached(bins, judged.weights), reached(bins, right)
            for edge, all_, ok in zip(edges, taken, hit, strict=True):
                precision = f"{ok / all_:.4f}" if all_ > 0 else ""
                weights = ",".join(f"{weight:g}" for weight in triple)
                yield f"{name},{weights},{edge:g},{precision},{ok / right.sum():.4f}"


def _curves(
    found: Mapping[str, CrossValidated], judged: JudgedColumns
) -> Iterator[tuple[str, float, float, float]]:
    """(scorer, threshold, precision, recall), cross-validated and weighted, for each threshold."""
    right = judged.weights * judged.labels
    for name, validated in found.items():
        for edge in np.unique(validated.similarity)[::-1].tolist():
            taken = validated.similarity >= edge
            hit = float(right[taken].sum())
            yield name, edge, hit / float(judged.weights[taken].sum()), hit / float(right.sum())


def _curve_lines(found: Mapping[str, CrossValidated], judged: JudgedColumns) -> Iterator[str]:
    yield "scorer,threshold,precision,recall"
    for name, edge, precision, recall in _curves(found, judged):
        yield f"{name},{edge:.6f},{precision:.4f},{recall:.4f}"


def _plot(found: Mapping[str, CrossValidated], judged: JudgedColumns, target: float) -> str:
    curves: dict[str, list[tuple[float, float]]] = {}
    for name, _, precision, recall in _curves(found, judged):
        curves.setdefault(name, []).append((100 * recall, 100 * precision))
    return precision_plot(curves, target)


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
        lines.extend(_sweep_of_cosines(path.stem, columns, config))
        by_model = highest_by_question(columns, learned_by, everything)
        mapped = mapped_counts(by_model, thresholds().tolist())
        lines.extend(
            f"{path.stem},learned,,,,{edge:g},{count},{questions}"
            for edge, count in zip(thresholds(), mapped, strict=True)
        )
    return found, lines


def _sweep_of_cosines(corpus: str, columns: ScoreColumns, config: Config) -> Iterator[str]:
    """Questions mapped for every scorer of weights, triple and threshold."""
    questions, edges = len(columns.question_ids), thresholds()
    for name in _COSINES:
        values = columns.cosines if name == "cosine" else columns.features[:, _IDF]
        highest = highest_by_weights(
            values.astype(np.float64), columns.question, questions, weight_triples(),
            config.match.short_sentences, columns.answer_tokens, columns.sentence_tokens,
        )  # fmt: skip
        for triple, row in zip(weight_triples(), counts_at(highest, edges), strict=True):
            weights = ",".join(f"{weight:g}" for weight in triple)
            for edge, mapped in zip(edges, row, strict=True):
                yield f"{corpus},{name},{weights},{edge:g},{mapped},{questions}"
