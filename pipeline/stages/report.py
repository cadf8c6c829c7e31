"""Stage report: the figures of all corpora as metrics.json, table.md, plots and report.html."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import files
from pipeline.config import Compute, Config, check_corpus_name
from pipeline.datasets.trec import rankings
from pipeline.errors import InputError
from pipeline.evaluation.cases import cases, reference_of_scores
from pipeline.evaluation.gold import GoldAnswer, answer_outcomes, best_f1, gold_figures
from pipeline.evaluation.judged import judged_figures, unjudged_by_rule
from pipeline.evaluation.judgments import read_judgments
from pipeline.evaluation.paired import PairedSuccess, baseline_figures, paired_success
from pipeline.evaluation.questions import QuestionFigures, question_figures
from pipeline.evaluation.robustness import JudgedPair
from pipeline.evaluation.short_sentences import answer_figures
from pipeline.evaluation.summary import coverage_curve, summarize
from pipeline.matching.best import ScoreColumns, columns_of
from pipeline.matching.model import sees_short_answers
from pipeline.matching.scoring import REFERENCE_DEPTH
from pipeline.matching.thresholds import question_loss
from pipeline.records import Passage, Question, Score, Silver, arrow_schema
from pipeline.reporting import plots, tables
from pipeline.reporting.judged import robustness_tables
from pipeline.reporting.page import Plot, render_page

if TYPE_CHECKING:
    import pyarrow as pa


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
    cases: dict[str, str] = field(default_factory=dict)
    judged: list[JudgedPair] = field(default_factory=list)


def run_report(
    inputs: ReportInputs,
    judgments: Path | None,
    gold: Path | None,
    out: Path,
    config: Config,
    compute: Compute,
) -> dict[str, object]:
    """Write the report's files: first all figures are computed, then each file appears whole."""
    for of_stage in dataclasses.fields(inputs):
        files.check_folder(getattr(inputs, of_stage.name))
    names = _corpora(inputs, config)
    judged = read_judgments(judgments) if judgments else []
    gold_answers = _read_gold(gold) if gold else {}
    known = _texts_known(inputs, names, config) if judged or gold_answers else {}
    reports = {
        name: _corpus_report(name, inputs, judged, gold_answers.get(name, []), known, config)
        for name in names
    }
    metrics = {name: report.metrics for name, report in reports.items()}
    collection = {
        "articles": _total(inputs.articles, "articles"),
        "passages": files.count_rows(inputs.passages, Passage),
    }
    content = _content(reports, metrics, config)
    written = [item.markdown() for item in content if isinstance(item, tables.Table)]
    golden = [name for name in names if name in gold_answers]
    absent = tables.absent_note(metrics)
    page = render_page(
        config, content, names, collection, golden, synthetic=bool(golden) and _is_sample(gold),
        absent=absent,
    )  # fmt: skip
    _write_curves(out / "plots", reports)
    for name, item in zip(("coverage", "top_k"), _plots(content), strict=True):
        files.write_text(out / "plots" / f"{name}.svg", item.svg)
    files.write_text(
        out / "table.md",
        "\n".join(["# Silver passages\n", *([f"{absent}\n"] if absent else []), *written]),
    )
    files.write_text(out / "report.html", page)
    files.write_json(out / "metrics.json", metrics)
    return {name: report.metrics["all"]["mapped"] for name, report in reports.items()}


def _corpus_report(
    name: str,
    inputs: ReportInputs,
    judged: list[JudgedPair],
    gold: list[tuple[str, int, str | None]],
    known: Mapping[str, tuple[str, str]],
    config: Config,
) -> _CorpusReport:
    questions = list(files.read_records(inputs.questions / f"{name}.parquet", Question))
    splits = {question.question_id: question.split for question in questions}
    columns = columns_of(_scores(inputs.scores / f"{name}.parquet", config))
    unknown = [question for question in columns.question_ids if question not in splits]
    if unknown:
        raise InputError(f"{inputs.scores / name}.parquet: unknown question '{unknown[0]}'")
    match, settings = config.match, config.report
    run = _read_run(inputs.runs / f"{name}.trec", splits, name)
    baseline_path = inputs.runs / f"{name}.bm25.trec"
    baseline = _read_run(baseline_path, splits, name) if baseline_path.exists() else None
    figures = question_figures(columns, splits, run, baseline or (), match)
    by_answer = answer_figures(columns, splits, match)
    report = _CorpusReport()
    counted = {split: list(splits.values()).count(split) for split in sorted(set(splits.values()))}
    for split, count in {**counted, "all": len(questions)}.items():
        chosen = figures if split == "all" else figures.of_split(split)
        report.metrics[split] = {
            **summarize(chosen, count, match, settings.thresholds, settings.ks),
            "answer_sentences": by_answer.summary(
                None if split == "all" else split, match, settings.thresholds
            ),
        }
    if baseline is not None:
        mapped = figures.active >= match.threshold
        report.against_bm25 = paired_success(
            figures.active_rank[mapped], figures.baseline_rank[mapped], settings.ks
        )
        report.metrics["all"]["baseline"] = baseline_figures(report.against_bm25)
    silver = inputs.silver / f"{name}.parquet"
    found = cases(reference_of_scores(columns), _matched(silver), settings.thresholds, match)
    report.cases = {case.name: case.describe() for case in found}
    robust = unjudged_by_rule(columns, match, settings.thresholds)
    if judged:
        answers = {question.question_id: question.answer_sentences for question in questions}
        said, report.judged = judged_figures(found, answers, known, judged, config.robustness)
        robust |= said.pop("robustness")
        report.metrics["all"] |= said
    report.metrics["all"]["robustness"] = robust
    if gold:
        hashes = {passage_id: known[passage_id][0] for passage_id in columns.passage_ids}
        report.metrics["all"]["active"] |= _gold(columns, gold, hashes, config)
    report.losses = _losses(silver)
    report.coverage = _coverage_rows(figures)
    report.named = bool(figures.named.any())
    report.top_k = [(k, report.metrics["all"]["active"][f"top_{k}"]) for k in settings.ks]
    return report


def _read_run(path: Path, known: Collection[str], corpus: str) -> Iterator[tuple[str, list[str]]]:
    """A run that answers none of a corpus's questions is another's: 0 would be no figure of it."""
    answered = False
    with files.open_text(path) as lines:
        for question_id, passage_ids in rankings(lines, str(path)):
            answered = answered or question_id in known
            yield question_id, passage_ids
    if not answered:
        raise InputError(f"{path}: no question of {corpus} in the run")


def _scores(path: Path, config: Config) -> pa.Table:
    """The rows that the figures of this report can use, and the first of each answer sentence.

    The first keeps an answer sentence counted of which no candidate within depth has a row.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    depth = max(config.match.depth, REFERENCE_DEPTH)
    kept = []
    before: tuple[object, object] | None = None
    for batch in files.read_tables(path, Score):
        if not batch.num_rows:
            continue
        ids, answers = batch.column("question_id"), batch.column("answer_index")
        first = np.ones(batch.num_rows, dtype=bool)
        first[1:] = pc.or_(pc.not_equal(ids[1:], ids[:-1]), pc.not_equal(answers[1:], answers[:-1]))
        first[0] = (ids[0], answers[0]) != before
        before = (ids[-1], answers[-1])
        near = pc.fill_null(pc.less_equal(batch.column("rank"), depth), True)
        kept.append(batch.filter(pc.or_(near, pa.array(first))))
    return pa.Table.from_batches(kept, schema=kept[0].schema if kept else arrow_schema(Score))


def _coverage_rows(figures: QuestionFigures) -> list[tuple[float, float, float, float]]:
    """(threshold, active, reference, decoy) in percent of the questions each divides by."""
    active = coverage_curve(figures.active)
    reference = coverage_curve(figures.reference)
    decoy = coverage_curve(figures.decoy[figures.named])
    return [
        (theta, percent, plain, wrong)
        for (theta, percent), (_, plain), (_, wrong) in zip(active, reference, decoy, strict=True)
    ]


def _matched(silver: Path) -> list[Silver]:
    return [row for row in files.read_records(silver, Silver) if row.matched]


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


def _texts_known(
    inputs: ReportInputs, corpora: Collection[str], config: Config
) -> dict[str, tuple[str, str]]:
    """The text hash and the title of each passage that is a candidate in any of the corpora."""
    import pyarrow as pa
    import pyarrow.compute as pc

    passages = inputs.passages
    passage_ids: set[str] = set()
    for corpus in corpora:
        scores = _scores(inputs.scores / f"{corpus}.parquet", config)
        passage_ids.update(pc.unique(scores.column("passage_id").drop_null()).to_pylist())
        for batch in files.read_tables(inputs.silver / f"{corpus}.parquet", Silver, ["passage_id"]):
            passage_ids.update(pc.unique(batch.column("passage_id").drop_null()).to_pylist())
    wanted = pa.array(sorted(passage_ids), pa.string())
    names = ("passage_id", "text_sha1", "title")
    found: dict[str, tuple[str, str]] = {}
    for part in files.list_parts(passages):
        for batch in files.read_tables(part, Passage, names):
            kept = batch.filter(pc.is_in(batch.column("passage_id"), wanted))
            columns = (kept.column(name).to_pylist() for name in names)
            found.update((name, (sha1, title)) for name, sha1, title in zip(*columns, strict=True))
    missing = passage_ids - set(found)
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


def _is_sample(gold: Path | None) -> bool:
    """Whether the gold file lies beside the manifest of the sample stage."""
    return gold is not None and "declared_shares" in files.read_stats(gold.parent)


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
    short = tables.short_table(metrics, settings.thresholds)
    return [
        tables.main_table(metrics, settings.thresholds, settings.ks, reference=settings.reference),
        tables.active_table(
            metrics, settings.ks, match.scorer, match.threshold, circular=sees_short_answers(match)
        ),
        *([short] if short else []),
        Plot(
            "Coverage against threshold",
            f"Scorer {match.scorer}; dotted: the threshold in use, {match.threshold:g}. Dashed: "
            "what would still be mapped without the named article, so wrongly.",
            plots.coverage_plot(coverage, decoys, match.threshold),
        ),
        Plot(
            "Top-k accuracy",
            f"Over the questions mapped at {match.threshold:g}; ranker {config.retrieve.ranker}."
            + (f" {tables.CIRCULAR}" if sees_short_answers(match) else ""),
            plots.top_k_plot({name: report.top_k for name, report in reports.items()}),
        ),
        tables.baseline_table(
            {name: report.against_bm25 for name, report in reports.items() if report.against_bm25}
        ),
        *robustness_tables(
            metrics,
            {key: words for report in reports.values() for key, words in report.cases.items()},
            [pair for report in reports.values() for pair in report.judged],
        ),
        tables.loss_table({name: report.losses for name, report in reports.items()}),
        tables.split_table(metrics),
    ]


def _plots(content: Iterable[object]) -> list[Plot]:
    return [item for item in content if isinstance(item, Plot)]
