"""silver evaluate retrieval: a run against qrels, and by answer string in the passages' text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.datasets import beir, trec
from pipeline.datasets.trec import Qrels, parse_run_lines
from pipeline.errors import InputError
from pipeline.evaluation.answer_strings import answer_ranks
from pipeline.evaluation.evaluated import Evaluated
from pipeline.evaluation.figures import Units, adjusted, compared
from pipeline.evaluation.outcome import comparison, outcome
from pipeline.evaluation.prediction_lines import quoted
from pipeline.evaluation.retrieval import (
    answer_measures,
    answer_units,
    retrieval_measures,
    retrieval_units,
)
from pipeline.evaluation.ties import ranked_ids
from pipeline.records import Question
from pipeline.stages.evaluating import check_strict, finished

FORMATS = ("qrels", "beir")
_TOGETHER = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalSettings:
    """``index`` and ``questions`` are for the figures by answer string."""

    format_name: str
    ks: tuple[int, ...]
    ties: str = "order"
    index: Path | None = None
    questions: Path | None = None
    with_title: bool = False


@dataclass(slots=True)
class _Run:
    rankings: dict[str, list[str]]
    duplicates: int


def run_evaluate_retrieval(
    inputs: Evaluated, settings: RetrievalSettings, out: Path | None, config: Config,
    compute: Compute,
) -> tuple[list[str], dict[str, Any]]:  # fmt: skip
    """Lines to show and the report: Success, MRR, nDCG and recall at each k, as fractions.

    With an index and questions also the accuracy by answer string, of all questions that have
    short answers.
    """
    if (settings.index is None) != (settings.questions is None):
        raise InputError("--index and --questions: one without the other; has_answer needs both")
    qrels = _read_qrels(inputs.gold, settings.format_name)
    questions: dict[str, Question] = {}
    if settings.questions is not None:
        rows = files.read_records(settings.questions, Question)
        questions = {row.question_id: row for row in rows}
    articles = {name: row.title for name, row in questions.items() if row.title}
    measures = retrieval_measures(settings.ks)

    run, units, counts = _read(inputs.predictions, qrels, articles, settings, inputs.strict)
    facts = {
        "task": "retrieval",
        "format": settings.format_name,
        "recipe": "official",
        "ties": settings.ties,
        "gold": inputs.gold.name,
        "predictions": inputs.predictions.name,
        "questions": len(qrels),
        "without_relevant": sum(max(judged.values()) <= 0 for judged in qrels.values()),
        **counts,
    }
    report = outcome(facts, units, measures)
    runs, differences = [run], []
    if inputs.compare is not None:
        their_run, theirs, _ = _read(inputs.compare, qrels, articles, settings, inputs.strict)
        runs.append(their_run)
        differences = compared(units, theirs, measures)
    if found := _by_answer(runs, questions, settings, config, compute):
        answers = answer_measures(settings.ks)
        facts = {
            "with_title": settings.with_title,
            "words_a_passage": found.words,
            "missing": sum(name not in run.rankings for name in found.units[0].ids),
        }
        part = outcome(facts, found.units[0], answers)
        report["has_answer"] = {key: part[key] for key in part if key not in ("measures", "slices")}
        report["measures"] |= part["measures"]
        report |= {measure.name: part[measure.name] for measure in answers}
        if len(runs) > 1:
            differences += compared(found.units[0], found.units[1], answers)
    if inputs.compare is not None:
        report["comparison"] = comparison(inputs.compare.name, adjusted(differences))
    return finished(report, out)


def _read(
    path: Path, qrels: Qrels, articles: Mapping[str, str], settings: RetrievalSettings, strict: bool
) -> tuple[_Run, Units, dict[str, int]]:
    run = _read_run(path, settings.ties)
    counts = {
        "missing": sum(name not in run.rankings for name in qrels),
        "unknown": sum(name not in qrels for name in run.rankings),
        "duplicates": run.duplicates,
    }
    check_strict(strict, path, counts)
    if counts["missing"] == len(qrels):
        raise InputError(
            f"{path}: no question id is in the gold file; "
            f"found '{quoted(min(run.rankings))}', for one"
        )
    return run, retrieval_units(qrels, run.rankings, settings.ks, articles), counts


def _read_run(path: Path, ties: str) -> _Run:
    """A run's rankings by score; of a passage that a question has twice the last line counts."""
    scores: dict[str, dict[str, float]] = {}
    duplicates = 0
    with files.open_text(path) as lines:
        for question_id, passage_id, score in parse_run_lines(lines, str(path)):
            mine = scores.setdefault(question_id, {})
            duplicates += passage_id in mine
            mine[passage_id] = score
    if not scores:
        raise InputError(f"{path}: empty; expected a TREC run")
    rankings = {name: ranked_ids(mine, trec=ties == "trec") for name, mine in scores.items()}
    return _Run(rankings, duplicates)


def _read_qrels(path: Path, format_name: str) -> Qrels:
    with files.open_text(path) as lines:
        parse = beir.parse_qrels if format_name == "beir" else trec.parse_qrels
        qrels = parse(lines, str(path))
    if not qrels:
        raise InputError(f"{path}: empty; expected qrels")
    return qrels


# ---------------------------------------------------------------- by answer string


@dataclass(frozen=True, slots=True)
class _ByAnswer:
    """Units of each run over the questions with short answers, and the mean words a passage."""

    units: list[Units]
    words: float


def _by_answer(
    runs: Sequence[_Run], questions: Mapping[str, Question], settings: RetrievalSettings,
    config: Config, compute: Compute,
) -> _ByAnswer | None:  # fmt: skip
    from pipeline.lucene.manifest import open_searcher

    asked = [row for row in questions.values() if row.answers]
    if not asked or settings.index is None:
        return None
    ranks: list[dict[str, float]] = [{} for _ in runs]
    words = passages = 0
    deepest = max(settings.ks)
    with open_searcher(settings.index, config.index, compute.java_heap) as searcher:
        for start in range(0, len(asked), _TOGETHER):
            answers = {row.question_id: row.answers for row in asked[start : start + _TOGETHER]}
            cut = [{name: run.rankings.get(name, [])[:deepest] for name in answers} for run in runs]
            wanted = {p for rankings in cut for ranking in rankings.values() for p in ranking}
            found = searcher.passages_by_id(sorted(wanted))
            texts = {
                name: f"{row.title} {row.text}" if settings.with_title else row.text
                for name, row in found.items()
            }
            words += sum(len(row.text.split()) for row in found.values())
            passages += len(found)
            for mine, rankings in zip(ranks, cut, strict=True):
                mine |= answer_ranks(answers, rankings, texts)
    articles = {row.question_id: row.title for row in asked if row.title}
    units = [answer_units(mine, settings.ks, articles) for mine in ranks]
    return _ByAnswer(units, words / passages if passages else 0.0)
