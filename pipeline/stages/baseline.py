"""silver baseline: simple systems for answer sentence selection and triggering."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import files
from pipeline.baselines.features import Terms, candidates_of, collection_of
from pipeline.baselines.figures import file_figures, section_labels, shifted, tables
from pipeline.baselines.learned import FOLDS
from pipeline.baselines.systems import cross_validated, fitted_on_dev, trained
from pipeline.baselines.tasks import GoldFile, Scored
from pipeline.config import Compute, Config
from pipeline.errors import InputError
from pipeline.evaluation.selection import question_groups
from pipeline.lucene import jvm
from pipeline.lucene.analysis import analyze
from pipeline.stages.evaluating import gold_questions

_FEWEST_GROUPS = 2
_FIELD = "contents"
_TAG = "silver-baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineInputs:
    """Gold files: what learns, what tunes, what reports; all of one format."""

    train: Path | None
    dev: Path
    test: Path | None
    format_name: str
    corpus: str | None = None


def run_baseline(
    task: str, inputs: BaselineInputs, out: Path, config: Config, compute: Compute
) -> tuple[list[str], dict[str, Any]]:
    """Write predictions, ``metrics.json`` and ``table.md``; the tables' lines and the headlines.

    With train: learnt on train, tuned on dev, reported on test. Without it: cross-validated on dev
    in folds of whole articles; test, if given, by what was learnt and tuned on dev.
    """
    gold = _read(inputs, config, compute)
    dev, test = gold["dev"], gold.get("test")
    if len(set(dev.groups.tolist())) < _FEWEST_GROUPS:
        raise InputError(f"{inputs.dev}: all questions are of one article; at least two are needed")
    if "train" in gold:
        found = trained(task, gold["train"], dev, test)
    elif test is not None:
        found = fitted_on_dev(task, dev, test)
    else:
        found = {"dev": cross_validated(task, dev)}
    notes = _notes(inputs)
    reports = {split: file_figures(task, gold[split], scored) for split, scored in found.items()}
    made = [
        t for split, report in reports.items() for t in tables(task, split, report, notes[split])
    ]
    metrics: dict[str, Any] = {
        "task": task,
        "format": inputs.format_name,
        "bm25": config.index.bm25.model_dump(mode="json"),
        "files": {name: path.name for name, path in _paths(inputs).items()},
        "result": "test" if test is not None else "none: dev only",
        "shared_questions": _shared(gold),
        "splits": {split: {"how": notes[split], **report} for split, report in reports.items()},
    }
    for split, scored in found.items():
        for name, mine in scored.items():
            _write_predictions(out, f"{name}.{split}", gold[split], mine)
    setting = f"BM25: k1 {config.index.bm25.k1:g}, b {config.index.bm25.b:g} (index.bm25)"
    files.write_text(
        out / "table.md", "\n".join([f"{setting}\n", *(table.markdown() for table in made)])
    )
    files.write_json(out / "metrics.json", metrics)
    lines = [setting, ""]
    lines += [line for table in made for line in [*table.markdown().splitlines(), ""]]
    lines += [f"warning: {split}: {notes[split]}" for split in found if split != "test"]
    lines += [
        f"warning: {count} questions stand word for word in both {pair.replace('_', ' and ')}"
        for pair, count in metrics["shared_questions"].items()
        if count
    ]
    return lines, _headlines(task, reports)


def _paths(inputs: BaselineInputs) -> dict[str, Path]:
    named = {"train": inputs.train, "dev": inputs.dev, "test": inputs.test}
    return {name: path for name, path in named.items() if path is not None}


def _read(inputs: BaselineInputs, config: Config, compute: Compute) -> dict[str, GoldFile]:
    """The files with the features of their candidates."""
    paths = _paths(inputs)
    seen: dict[Path, str] = {}
    for name, path in paths.items():
        other = seen.setdefault(path.resolve(), name)
        if other != name:
            raise InputError(f"--{name} {path}: the same file as --{other}; they must differ")
    asked = {
        name: gold_questions(path, inputs.format_name, inputs.corpus)
        for name, path in paths.items()
    }
    if _FIELD not in config.index.fields:
        raise InputError(f"index.fields: no field '{_FIELD}', whose analysis BM25 takes")
    texts = {
        text: None for rows in asked.values() for row in rows
        for text in (row.question, *row.candidates)
    }  # fmt: skip
    jvm.start(compute.java_heap)
    analysed = analyze(list(texts), config.index.fields[_FIELD])
    terms = Terms(dict(zip(texts, analysed, strict=True)))
    bm25 = config.index.bm25
    of = asked.get("train", asked["dev"])
    collection = collection_of(of, terms, bm25.k1, bm25.b)
    return {
        name: GoldFile(rows, candidates_of(rows, terms, collection), question_groups(rows))
        for name, rows in asked.items()
    }


def _notes(inputs: BaselineInputs) -> dict[str, str]:
    """How each file's figures came about."""
    if inputs.train is not None:
        return {
            "dev": "thresholds and penalty were tuned on this file: no result",
            "test": f"learnt on {inputs.train.name}, tuned on {inputs.dev.name}",
        }
    return {
        "dev": f"cross-validated on dev, {FOLDS} folds of whole articles: each question by what "
        "was learnt and tuned on the other folds; a result is a test file's",
        "test": f"learnt and tuned on {inputs.dev.name}, by cross-validation",
    }


def _shared(gold: Mapping[str, GoldFile]) -> dict[str, int]:
    """Questions that two files have word for word."""
    texts = {name: {row.question for row in file.questions} for name, file in gold.items()}
    names = list(texts)
    return {
        f"{one}_{other}": len(texts[one] & texts[other])
        for position, one in enumerate(names)
        for other in names[position + 1 :]
    }


def _headlines(task: str, reports: Mapping[str, Any]) -> dict[str, Any]:
    """The headline measures of every system, by file, for the command's last line."""
    return {
        split: {
            level: {
                name: {measure: entry[measure] for measure in entry["measures"]}
                for name, entry in part["systems"].items()
            }
            for level, part in report.items()
        }
        for split, report in reports.items()
    } | {"task": task}


# ---------------------------------------------------------------- predictions


def _write_predictions(out: Path, name: str, gold: GoldFile, scored: Scored) -> None:
    said = shifted(gold, scored)
    files.write_lines(out / f"{name}.trec", _run_lines(gold.questions, said))
    files.write_json_lines(
        out / f"{name}.jsonl",
        (
            {"question_id": row.question_id, "scores": list(said[row.question_id].values())}
            for row in gold.questions
            if row.question_id in said
        ),
    )
    if "section" in scored.thresholds:
        files.write_json_lines(
            out / f"{name}.sections.jsonl",
            (
                {"question_id": key[0], "section_index": key[1], "label": label}
                for key, label in section_labels(gold, scored).items()
            ),
        )


def _run_lines(questions: Any, said: Mapping[str, Mapping[int, float]]) -> Iterator[str]:
    """A TREC run at full precision, equal scores left equal: who reads it decides about ties."""
    for row in questions:
        mine = said.get(row.question_id, {})
        ranked = sorted(mine, key=lambda index: (-mine[index], index))
        for rank, index in enumerate(ranked, start=1):
            document = f"{row.question_id}-c{index}"
            yield f"{row.question_id} Q0 {document} {rank} {json.dumps(mine[index])} {_TAG}"
