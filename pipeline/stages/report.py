"""Stage report: the figures of all corpora as metrics.json, table.md, plots and report.html."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline import files
from pipeline.config import Compute, Config, check_corpus_name
from pipeline.datasets.trec import parse_run
from pipeline.errors import InputError
from pipeline.evaluation.gold import GoldAnswer, answer_outcomes, best_f1, gold_figures
from pipeline.evaluation.judgments import parse_judgments
from pipeline.evaluation.paired import PairedSuccess, baseline_figures, paired_success
from pipeline.evaluation.questions import QuestionFigures, question_figures
from pipeline.evaluation.robustness import JudgedPair, PairKey, draw_sample, robustness
from pipeline.evaluation.summary import coverage_curve, summarize, threshold_key
from pipeline.matching.best import ScoreColumns, columns_of, reference_rows
from pipeline.matching.scoring import REFERENCE_DEPTH
from pipeline.matching.thresholds import question_loss
from pipeline.records import Passage, Question, Score, Silver
from pipeline.reporting import plots, tables
from pipeline.reporting.page import Plot, render_page


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportInputs:
    """The folders of the other stages' outputs."""

    articles: Path
    passages: Path
    index: Path
    questions: Path
    candidates: Path
    scores: Path
    silver: Path
    runs: Path
    datasets: Path


@dataclass(slots=True)
class _CorpusReport:
    """What is gathered of one corpus before anything is written."""

    metrics: dict[str, Any] = field(default_factory=dict)
    losses: dict[str, int] = field(default_factory=dict)
    coverage: list[tuple[float, float, float, float]] = field(default_factory=list)
    top_k: list[tuple[float, float]] = field(default_factory=list)
    against_bm25: list[PairedSuccess] = field(default_factory=list)
    named: bool = False


def run_report(
    inputs: ReportInputs,
    judgments: Path | None,
    gold: Path | None,
    out: Path,
    config: Config,
    compute: Compute,
) -> dict[str, object]:
    """Write the report's files: first all figures are computed, then each file appears whole."""
    names = _corpora(inputs, config)
    judged = _read_judgments(judgments) if judgments else {}
    gold_answers = _read_gold(gold) if gold else {}
    reports = {
        name: _corpus_report(name, inputs, judged, gold_answers.get(name, []), config)
        for name in names
    }
    metrics = {name: report.metrics for name, report in reports.items()}
    collection = {
        "articles": _total(inputs.articles, "articles"),
        "passages": files.count_rows(inputs.passages, Passage),
    }
    content = _content(reports, metrics, config)
    written = [item.markdown() for item in content if isinstance(item, tables.Table)]
    page = render_page(config, content, names, collection, synthetic=bool(gold_answers))
    _write_curves(out / "plots", reports)
    for name, item in zip(("coverage", "top_k"), _plots(content), strict=True):
        files.write_text(out / "plots" / f"{name}.svg", item.svg)
    files.write_text(out / "table.md", "# Silver passages\n\n" + "\n".join(written))
    files.write_text(out / "report.html", page)
    files.write_json(out / "metrics.json", metrics)
    return {name: report.metrics["all"]["mapped"] for name, report in reports.items()}


def _corpus_report(
    name: str,
    inputs: ReportInputs,
    judged: dict[PairKey, JudgedPair],
    gold: list[tuple[str, int, str | None]],
    config: Config,
) -> _CorpusReport:
    questions = list(files.read_records(inputs.questions / f"{name}.parquet", Question))
    splits = {question.question_id: question.split for question in questions}
    columns = columns_of(files.read_table(inputs.scores / f"{name}.parquet", Score))
    unknown = [question for question in columns.question_ids if question not in splits]
    if unknown:
        raise InputError(f"{inputs.scores / name}.parquet: unknown question '{unknown[0]}'")
    match, settings = config.match, config.report
    run = _read_run(inputs.runs / f"{name}.trec")
    baseline_path = inputs.runs / f"{name}.bm25.trec"
    baseline = _read_run(baseline_path) if baseline_path.exists() else None
    figures = question_figures(columns, splits, run, baseline or {}, match)
    report = _CorpusReport()
    counted = {split: list(splits.values()).count(split) for split in sorted(set(splits.values()))}
    for split, count in {**counted, "all": len(questions)}.items():
        chosen = figures if split == "all" else figures.of_split(split)
        report.metrics[split] = summarize(chosen, count, match, settings.thresholds, settings.ks)
    if baseline is not None:
        mapped = figures.active >= match.threshold
        report.against_bm25 = paired_success(
            figures.active_rank[mapped], figures.baseline_rank[mapped], settings.ks
        )
        report.metrics["all"]["baseline"] = baseline_figures(report.against_bm25)
    hashes = _text_hashes(inputs.passages, columns.passage_ids)
    if judged:
        report.metrics["all"]["robustness"] = _robustness(
            columns, questions, hashes, judged, config
        )
    if gold:
        report.metrics["all"]["active"] |= _gold(columns, gold, hashes, config)
    report.losses = _losses(inputs.silver / f"{name}.parquet")
    report.coverage = _coverage_rows(figures)
    report.named = bool(figures.named.any())
    report.top_k = [(k, report.metrics["all"]["active"][f"top_{k}"]) for k in settings.ks]
    return report


def _read_run(path: Path) -> dict[str, list[str]]:
    with files.open_text(path) as lines:
        run = parse_run(lines, str(path))
    return {question: [passage for passage, _ in hits] for question, hits in run.items()}


def _coverage_rows(figures: QuestionFigures) -> list[tuple[float, float, float, float]]:
    """(threshold, active, reference, decoy) in percent of the questions each divides by."""
    active = coverage_curve(figures.active)
    reference = coverage_curve(figures.reference)
    decoy = coverage_curve(figures.decoy[figures.named])
    return [
        (theta, percent, plain, wrong)
        for (theta, percent), (_, plain), (_, wrong) in zip(active, reference, decoy, strict=True)
    ]


def _robustness(
    columns: ScoreColumns,
    questions: Iterable[Question],
    hashes: dict[str, str],
    judged: dict[PairKey, JudgedPair],
    config: Config,
) -> dict[str, Any]:
    """Robustness of the reference's silver standard at each threshold of the report."""
    answers = {question.question_id: question.answer_sentences for question in questions}
    similarity = columns.reference()
    best: dict[int, tuple[float, int, int]] = {}
    for row in reference_rows(columns).tolist():
        question = int(columns.question[row])
        order = (-float(similarity[row]), int(columns.rank[row]), row)
        if question not in best or order < best[question]:
            best[question] = order
    found: dict[str, Any] = {}
    for theta in config.report.thresholds:
        pairs = []
        for question, (negative, _, row) in best.items():
            if -negative >= theta:
                answer = answers[columns.question_ids[question]][int(columns.answer[row])]
                passage_id = columns.passage_ids[columns.passage[row]]
                pairs.append((files.text_sha1(answer), hashes[passage_id]))
        sample = draw_sample(pairs, config.robustness.sample_size, config.robustness.seed)
        for key, value in robustness(sample, judged).items():
            found[f"{threshold_key(theta)}_{key}"] = value
    return found


def _gold(
    columns: ScoreColumns,
    gold: list[tuple[str, int, str | None]],
    hashes: dict[str, str],
    config: Config,
) -> dict[str, Any]:
    answers = [GoldAnswer(question, number, sha1) for question, number, sha1 in gold]
    active = answer_outcomes(
        columns, columns.active(config.match), config.match.depth, answers, hashes
    )
    plain = answer_outcomes(columns, columns.reference(), REFERENCE_DEPTH, answers, hashes)
    f1, theta = best_f1(plain)
    return {
        **gold_figures(active, config.match.threshold),
        "cosine_best_f1": round(f1, 6),
        "cosine_best_threshold": round(theta, 6),
    }


def _corpora(inputs: ReportInputs, config: Config) -> list[str]:
    """The corpora to report: those of the configuration, in its order, then others by name.

    One that the configuration does not name counts when it was scored on this index: what an
    earlier configuration left in the folders is no part of this report.
    """
    found = [path.stem for path in sorted(inputs.questions.glob("*.parquet"))]
    if not found:
        raise InputError(f"{inputs.questions}: holds no <corpus>.parquet")
    for name in found:
        try:
            check_corpus_name(name)
        except ValueError as error:
            raise InputError(f"{inputs.questions}/{name}.parquet: {error}") from None
    index = files.read_stats(inputs.index).get("fingerprint")
    named = [name for name in config.corpora if name in found]
    others = [
        name
        for name in found
        if name not in named and _index_of_scores(inputs.scores / f"{name}.parquet") == index
    ]
    if not named and not others:
        raise InputError(f"{inputs.questions}: holds no corpus that was scored on {inputs.index}")
    return named + others


def _index_of_scores(scores: Path) -> object:
    stats = files.sidecar(scores, "stats.json")
    return files.read_json(stats).get("index") if stats.exists() else None


def _text_hashes(passages: Path, passage_ids: Collection[str]) -> dict[str, str]:
    """The text hash of each passage that is a candidate of something."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(sorted(passage_ids), pa.string())
    found: dict[str, str] = {}
    for part in files.list_parts(passages):
        for batch in files.read_tables(part, Passage, ["passage_id", "text_sha1"]):
            kept = batch.filter(pc.is_in(batch.column("passage_id"), wanted))
            columns = (kept.column(name).to_pylist() for name in ("passage_id", "text_sha1"))
            found.update(zip(*columns, strict=True))
    missing = set(passage_ids) - set(found)
    if missing:
        raise InputError(f"{passages}: holds no passage '{min(missing)}', which the scores name")
    return found


def _losses(silver: Path) -> dict[str, int]:
    reasons: dict[str, set[str]] = {}
    for batch in files.read_tables(silver, Silver, ["question_id", "loss"]):
        for row in batch.to_pylist():
            if row["loss"] is not None:
                reasons.setdefault(row["question_id"], set()).add(row["loss"])
    return files.counted(question_loss(given) for given in reasons.values())


def _read_judgments(folder: Path) -> dict[PairKey, JudgedPair]:
    """All judged pairs of a folder; a pair judged "1" here and "0" there counts as undecided.

    What is to tune in one file is to tune in all, so that it is never reported.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder of judgments")
    judged: dict[PairKey, JudgedPair] = {}
    for path in sorted([*folder.glob("*.csv"), *folder.glob("*.jsonl")]):
        with files.open_text(path) as lines:
            for pair in parse_judgments(lines, str(path), is_csv=path.suffix == ".csv"):
                known = judged.get(pair.key)
                label = pair.label if known is None or known.label == pair.label else "?"
                tuned = "tune" in (pair.role, known.role if known else None)
                role = "tune" if tuned else pair.role
                judged[pair.key] = JudgedPair(key=pair.key, label=label, role=role)
    return judged


def _read_gold(path: Path) -> dict[str, list[tuple[str, int, str | None]]]:
    gold: dict[str, list[tuple[str, int, str | None]]] = {}
    with files.open_text(path) as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                text = row["text"]
                entry = (str(row["question_id"]), int(row["answer_index"]),
                         None if text is None else files.text_sha1(text))  # fmt: skip
                gold.setdefault(str(row["corpus"]), []).append(entry)
            except (ValueError, KeyError, TypeError):
                raise InputError(
                    f"{path}, line {number}: expected an object with corpus, question_id, "
                    "answer_index and text"
                ) from None
    return gold


def _total(folder: Path, name: str) -> int:
    counts = files.read_stats(folder).get("counts", {})
    return int(counts.get(name, 0)) if isinstance(counts, dict) else 0


def _write_curves(folder: Path, reports: dict[str, _CorpusReport]) -> None:
    for kind in ("coverage", "top_k"):
        files.keep_only(folder / kind, (f"{name}.csv" for name in reports), "*.csv")
    for name, report in reports.items():
        files.write_lines(
            folder / "coverage" / f"{name}.csv",
            [
                "threshold,percent,reference_percent,decoy_percent",
                *(",".join(f"{value:g}" for value in row) for row in report.coverage),
            ],
        )
        files.write_lines(
            folder / "top_k" / f"{name}.csv",
            ["k,percent", *(f"{k:g},{percent:g}" for k, percent in report.top_k)],
        )


def _content(
    reports: dict[str, _CorpusReport], metrics: dict[str, Any], config: Config
) -> list[tables.Table | Plot]:
    settings, match = config.report, config.match
    coverage = {name: [row[:2] for row in report.coverage] for name, report in reports.items()}
    decoys = {
        name: [(row[0], row[3]) for row in report.coverage]
        for name, report in reports.items()
        if report.named
    }
    return [
        tables.main_table(metrics, settings.thresholds, settings.ks, reference=settings.reference),
        tables.active_table(metrics, settings.ks, match.scorer, match.threshold),
        Plot(
            "Coverage against threshold",
            f"Scorer {match.scorer}; dotted: the threshold in use, {match.threshold:g}. Dashed: "
            "what would still be mapped without the named article, so wrongly.",
            plots.coverage_plot(coverage, decoys, match.threshold),
        ),
        Plot(
            "Top-k accuracy",
            f"Over the questions mapped at {match.threshold:g}; ranker {config.retrieve.ranker}.",
            plots.top_k_plot({name: report.top_k for name, report in reports.items()}),
        ),
        tables.baseline_table(
            {name: report.against_bm25 for name, report in reports.items() if report.against_bm25}
        ),
        tables.loss_table({name: report.losses for name, report in reports.items()}),
        tables.split_table(metrics),
    ]


def _plots(content: Iterable[object]) -> list[Plot]:
    return [item for item in content if isinstance(item, Plot)]
