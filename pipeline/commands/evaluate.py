"""``silver evaluate`` and ``silver baseline``: predictions against gold, and simple systems."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.commands.options import PATH, Commands, required, shown, stage
from pipeline.tables.subwords import READER_TOKENS

if TYPE_CHECKING:
    from pipeline.config import Compute, Config
    from pipeline.evaluation.ties import Ties

_TIES = click.option("--ties", type=click.Choice(["expected", "order", "trec"]),
                     default="expected", show_default=True,
                     help="Equal scores: the expectation over their orders, candidate order, or "
                     "as trec_eval.")  # fmt: skip
_RECIPE = click.option("--recipe", type=click.Choice(["official", "simple"]), default="official",
                       show_default=True, help="The field's scorer, or the simple recipe in "
                       "circulation.")  # fmt: skip
_CORPUS = click.option("--corpus", metavar="NAME", help="Name of the corpus in question ids; "
                       "default: selqa or wikiqa, by the format.")  # fmt: skip


def _files(command: Any) -> Any:
    """The options of every evaluation, from the last to the first."""
    command = click.option("--out", type=PATH, help="JSON file of the report.")(command)
    command = click.option("--strict", is_flag=True, help="Missing, unknown and duplicate ids are "
                           "errors.")(command)  # fmt: skip
    command = click.option("--compare", type=PATH, help="Other predictions: differences with "
                           "paired tests.")(command)  # fmt: skip
    command = required("--predictions", help="Predictions.")(command)
    return required("--gold", help="Gold file.")(command)


@click.group(cls=Commands)
def evaluate() -> None:
    """Score predictions as the field's official scorers do."""


@evaluate.command("selection")
@_files
@click.option("--format", "format_name", required=True, metavar="FORMAT", help="Of the gold.")
@_RECIPE
@_TIES
@click.option("--keep-unanswerable", is_flag=True,
              help="Questions without a relevant candidate count 0, instead of not.")  # fmt: skip
@click.option("--drop-all-positive", is_flag=True,
              help="Leave out questions whose candidates are all relevant.")  # fmt: skip
@_CORPUS
@stage
def evaluate_selection(
    config: Config,
    compute: Compute,
    gold: Path,
    predictions: Path,
    compare: Path | None,
    strict: bool,
    out: Path | None,
    format_name: str,
    recipe: str,
    ties: Ties,
    keep_unanswerable: bool,
    drop_all_positive: bool,
    corpus: str | None,
) -> dict[str, Any]:
    """Answer sentence selection: MAP and MRR."""
    from pipeline.evaluation.evaluated import Evaluated
    from pipeline.stages.evaluate_selection import SelectionSettings, run_evaluate_selection

    inputs = Evaluated(gold=gold, predictions=predictions, compare=compare, strict=strict)
    settings = SelectionSettings(
        format_name=format_name,
        corpus=corpus,
        recipe=recipe,
        ties=ties,
        keep_unanswerable=keep_unanswerable,
        drop_all_positive=drop_all_positive,
    )
    return shown(run_evaluate_selection(inputs, settings, out))


@evaluate.command("triggering")
@_files
@click.option("--format", "format_name", required=True, metavar="FORMAT", help="Of the gold.")
@_RECIPE
@click.option("--level", type=click.Choice(["question", "section"]),
              help="Default: question, and section under --recipe simple.")  # fmt: skip
@click.option("--threshold", metavar="X|tune", help="Scores from here on count as an answer; "
              "default 0.5; tune: for F1 on the dev files.")  # fmt: skip
@click.option("--compare-threshold", type=float, metavar="X",
              help="Of the other predictions; default: the same.")  # fmt: skip
@click.option("--dev-gold", type=PATH, help="Gold file to tune the threshold on.")
@click.option("--dev-predictions", type=PATH, help="Predictions to tune the threshold on.")
@_TIES
@_CORPUS
@stage
def evaluate_triggering(
    config: Config,
    compute: Compute,
    gold: Path,
    predictions: Path,
    compare: Path | None,
    strict: bool,
    out: Path | None,
    format_name: str,
    recipe: str,
    level: str | None,
    threshold: str | None,
    compare_threshold: float | None,
    dev_gold: Path | None,
    dev_predictions: Path | None,
    ties: Ties,
    corpus: str | None,
) -> dict[str, Any]:
    """Answer triggering: precision, recall and F1, by question or by section."""
    from pipeline.errors import InputError
    from pipeline.evaluation.evaluated import Evaluated
    from pipeline.stages.evaluate_triggering import TriggeringSettings, run_evaluate_triggering

    if recipe == "simple" and level == "question":
        raise InputError("--recipe simple: counts sections; expected --level section or none")
    inputs = Evaluated(gold=gold, predictions=predictions, compare=compare, strict=strict)
    settings = TriggeringSettings(
        format_name=format_name,
        level=level or ("section" if recipe == "simple" else "question"),
        corpus=corpus,
        ties=ties,
        threshold=threshold,
        compare_threshold=compare_threshold,
        dev_gold=dev_gold,
        dev_predictions=dev_predictions,
    )
    return shown(run_evaluate_triggering(inputs, settings, out))


@evaluate.command("reading")
@_files
@click.option("--format", "format_name", required=True, metavar="FORMAT",
              help="Of the gold: ottqa, hybridqa, squad1 or squad2.")  # fmt: skip
@_RECIPE
@stage
def evaluate_reading(
    config: Config,
    compute: Compute,
    gold: Path,
    predictions: Path,
    compare: Path | None,
    strict: bool,
    out: Path | None,
    format_name: str,
    recipe: str,
) -> dict[str, Any]:
    """Answers to questions: exact match and token F1."""
    from pipeline.evaluation.evaluated import Evaluated
    from pipeline.stages.evaluate_reading import run_evaluate_reading

    inputs = Evaluated(gold=gold, predictions=predictions, compare=compare, strict=strict)
    return shown(run_evaluate_reading(inputs, format_name, recipe, out))


@evaluate.command("retrieval")
@_files
@click.option("--format", "format_name", type=click.Choice(["qrels", "beir"]), default="qrels",
              show_default=True, help="Of the gold: TREC's qrels, or BEIR's.")  # fmt: skip
@click.option("--recipe", type=click.Choice(["official"]), default="official",
              show_default=True, help="There is no other of retrieval.")  # fmt: skip
@click.option("--k", "ks", type=click.IntRange(min=1), multiple=True,
              help="Repeatable; default: report.ks.")  # fmt: skip
@click.option("--ties", type=click.Choice(["order", "trec"]), default="order", show_default=True,
              help="Equal scores: by ascending passage id, or as trec_eval.")  # fmt: skip
@click.option("--index", "index_path", type=PATH, help="Index of the passages, for has_answer.")
@click.option("--questions", "questions_path", type=PATH,
              help="Parquet file of questions with short answers, for has_answer.")  # fmt: skip
@click.option("--with-title", is_flag=True, help="has_answer looks at the title, too.")
@stage
def evaluate_retrieval(
    config: Config,
    compute: Compute,
    gold: Path,
    predictions: Path,
    compare: Path | None,
    strict: bool,
    out: Path | None,
    format_name: str,
    recipe: str,
    ks: tuple[int, ...],
    ties: str,
    index_path: Path | None,
    questions_path: Path | None,
    with_title: bool,
) -> dict[str, Any]:
    """A TREC run: Success, MRR, nDCG and recall at k, and has_answer."""
    from pipeline.evaluation.evaluated import Evaluated
    from pipeline.stages.evaluate_retrieval import RetrievalSettings, run_evaluate_retrieval

    inputs = Evaluated(gold=gold, predictions=predictions, compare=compare, strict=strict)
    settings = RetrievalSettings(
        format_name=format_name,
        ks=tuple(sorted(set(ks or config.report.ks))),
        ties=ties,
        index=index_path,
        questions=questions_path,
        with_title=with_title,
    )
    return shown(run_evaluate_retrieval(inputs, settings, out, config, compute))


@evaluate.command("blocks")
@click.option("--questions", "--gold", "questions_path", required=True, type=PATH,
              help="Parquet file of questions with short answers.")  # fmt: skip
@required("--predictions", "--run", "predictions", help="TREC run over the blocks.")
@click.option("--blocks", "blocks", type=PATH, multiple=True, required=True,
              help="Folder of blocks; repeatable.")  # fmt: skip
@click.option("--compare", type=PATH, help="Another run: differences with paired tests.")
@click.option("--compare-blocks", type=PATH, multiple=True,
              help="Folder of its blocks; repeatable; default: the same.")  # fmt: skip
@click.option("--k", "ks", type=click.IntRange(min=1), multiple=True,
              help="Repeatable; default: report.ks.")  # fmt: skip
@click.option("--tokenizer", type=PATH,
              help="tokenizer.json, or BERT's vocab.txt; default: an estimate.")  # fmt: skip
@click.option("--budget", type=click.IntRange(min=1), default=READER_TOKENS, show_default=True,
              help="Subword tokens of HITS@4K.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Missing and unknown ids are errors.")
@click.option("--out", type=PATH, help="JSON file of the report.")
@stage
def evaluate_blocks(
    config: Config,
    compute: Compute,
    questions_path: Path,
    predictions: Path,
    blocks: tuple[Path, ...],
    compare: Path | None,
    compare_blocks: tuple[Path, ...],
    ks: tuple[int, ...],
    tokenizer: Path | None,
    budget: int,
    strict: bool,
    out: Path | None,
) -> dict[str, Any]:
    """A run over evidence blocks: AnswerRecall@k, HITS@4K, recall of tables and answer nodes."""
    from pipeline.stages.evaluate_blocks import BlocksEvaluated, run_evaluate_blocks

    inputs = BlocksEvaluated(
        questions=questions_path, predictions=predictions, blocks=blocks, compare=compare,
        compare_blocks=compare_blocks, strict=strict,
    )  # fmt: skip
    asked = tuple(sorted(set(ks or config.report.ks)))
    return shown(run_evaluate_blocks(inputs, asked, tokenizer, budget, out))


def _baseline_files(command: Any) -> Any:
    command = required("--out", help="Folder of predictions and figures.")(command)
    command = click.option("--format", "format_name", required=True, metavar="FORMAT",
                           help="Of all three files.")(command)  # fmt: skip
    command = click.option("--test", type=PATH, help="Gold file to report on.")(command)
    command = required("--dev", help="Gold file to tune on; to report on without --train.")(command)
    return click.option("--train", type=PATH, help="Gold file to learn from.")(command)


@click.group(cls=Commands)
def baseline() -> None:
    """Real systems to hold others against: one feature each, and a learned one over all."""


@baseline.command("selection")
@_baseline_files
@_CORPUS
@stage
def baseline_selection(
    config: Config, compute: Compute, train: Path | None, dev: Path, test: Path | None,
    format_name: str, out: Path, corpus: str | None,
) -> dict[str, Any]:  # fmt: skip
    """Answer sentence selection: predictions, MAP and MRR of every system."""
    from pipeline.stages.baseline import BaselineInputs, run_baseline

    inputs = BaselineInputs(train=train, dev=dev, test=test, format_name=format_name, corpus=corpus)
    return shown(run_baseline("selection", inputs, out, config, compute))


@baseline.command("triggering")
@_baseline_files
@_CORPUS
@stage
def baseline_triggering(
    config: Config, compute: Compute, train: Path | None, dev: Path, test: Path | None,
    format_name: str, out: Path, corpus: str | None,
) -> dict[str, Any]:  # fmt: skip
    """Answer triggering: predictions, precision, recall and F1 of every system."""
    from pipeline.stages.baseline import BaselineInputs, run_baseline

    inputs = BaselineInputs(train=train, dev=dev, test=test, format_name=format_name, corpus=corpus)
    return shown(run_baseline("triggering", inputs, out, config, compute))
