"""The command line ``silver``: reads options and configuration, calls one stage, prints counts.

Stages are imported only when they run, so that ``silver --help`` is quick and starts no Java.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.commands.benchmarks import benchmarks, triggering_set
from pipeline.commands.blocks import fuse, make_blocks, reader_input, retrieve_twice
from pipeline.commands.evaluate import baseline, evaluate
from pipeline.commands.options import PATH, Commands, required, shown, stage

if TYPE_CHECKING:
    from pipeline.config import Compute, Config

_TEMPLATES_SHOWN = 10


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="silver-passages")
def silver() -> None:
    """Map answer sentences of QA corpora onto one Wikipedia, and make retrieval datasets of it."""


@silver.command()
@required("--out", help="Folder of the sample.")
@click.option("--articles", type=int, help="How many articles; default: sample.articles.")
@click.option("--seed", type=int, help="Default: sample.seed.")
@stage
def sample(
    config: Config, compute: Compute, out: Path, articles: int | None, seed: int | None
) -> dict[str, Any]:
    """Make the embedded default: a synthetic encyclopedia and three corpora that quote it."""
    from pipeline.config import with_values
    from pipeline.stages.sample import run_sample

    config = with_values(config, "sample", articles=articles, seed=seed)
    return run_sample(out, config.sample.articles, config.sample.seed)


@silver.command()
@click.option("--dump", "dumps", type=PATH, multiple=True,
              help="Dump file or folder; repeatable; default: extract.dump.")  # fmt: skip
@click.argument("more_dumps", nargs=-1, type=PATH, metavar="[PATH]...")
@click.option("--dump-index", type=PATH, help="Index of a multistream dump.")
@click.option("--keep-partial", is_flag=True, help="Keep whole pages before a cut in the dump.")
@required("--out", help="Folder of articles.")
@stage
def extract(
    config: Config,
    compute: Compute,
    dumps: tuple[Path, ...],
    more_dumps: tuple[Path, ...],
    dump_index: Path | None,
    keep_partial: bool,
    out: Path,
) -> dict[str, Any]:
    """Read a MediaWiki dump: every block of every article with its kind, and the redirects."""
    from pipeline.stages.extract import run_extract

    named = [*dumps, *more_dumps] or [Path(name) for name in config.extract.dump]
    counts = run_extract(
        named, out, config, compute, dump_index=dump_index, keep_partial=keep_partial
    )
    templates = counts.get("unknown_templates")
    if isinstance(templates, dict):  # the manifest has them all
        counts["unknown_templates"] = dict(list(templates.items())[:_TEMPLATES_SHOWN])
    return counts


@silver.command()
@required("--articles", help="Folder of articles.")
@required("--out", help="Folder of passages.")
@stage
def segment(config: Config, compute: Compute, articles: Path, out: Path) -> dict[str, Any]:
    """Cut articles into passages with sentence spans."""
    from pipeline.stages.segment import run_segment

    return run_segment(articles, out, config, compute)


@silver.command()
@required("--passages", help="Folder of passages.")
@required("--out", help="Folder of the index.")
@stage
def index(config: Config, compute: Compute, passages: Path, out: Path) -> dict[str, Any]:
    """Index passages as n-grams with Lucene, and count our tokens' document frequencies."""
    from pipeline.stages.index import run_index

    return run_index(passages, out, config, compute)


@silver.command()
@click.option("--corpus", required=True, metavar="NAME", help="Name of the corpus.")
@click.option("--format", "format_name", metavar="FORMAT", help="Default: corpora.NAME.format.")
@click.option("--input", "inputs", multiple=True, metavar="[SPLIT=]PATH",
              help="File or folder; repeatable; default: corpora.NAME.input.")  # fmt: skip
@click.argument("more_inputs", nargs=-1, metavar="[[SPLIT=]PATH]...")
@required("--out", help="Parquet file of questions.")
@stage
def questions(
    config: Config,
    compute: Compute,
    corpus: str,
    format_name: str | None,
    inputs: tuple[str, ...],
    more_inputs: tuple[str, ...],
    out: Path,
) -> dict[str, Any]:
    """Read a corpus in its published format."""
    from pipeline.config import corpus_inputs
    from pipeline.stages.questions import run_questions

    format_name, paths = corpus_inputs(config, corpus, format_name, [*inputs, *more_inputs])
    return run_questions(corpus, format_name, paths, out, config, compute)


@silver.command()
@required("--questions", "questions_path", help="Parquet file of questions.")
@required("--index", "index_path", help="Folder of the index.")
@required("--out", help="Parquet file of candidates.")
@stage
def candidates(
    config: Config, compute: Compute, questions_path: Path, index_path: Path, out: Path
) -> dict[str, Any]:
    """Search each answer sentence in the index."""
    from pipeline.stages.candidates import run_candidates

    return run_candidates(questions_path, index_path, out, config, compute)


@silver.command()
@required("--questions", "questions_path", help="Parquet file of questions.")
@required("--candidates", "candidates_path", help="Parquet file of candidates.")
@required("--index", "index_path", help="Folder of the index.")
@click.option("--redirects", type=PATH, help="Folder of redirects, for renamed articles.")
@required("--out", help="Parquet file of scores.")
@stage
def score(
    config: Config,
    compute: Compute,
    questions_path: Path,
    candidates_path: Path,
    index_path: Path,
    redirects: Path | None,
    out: Path,
) -> dict[str, Any]:
    """Compare every sentence of the candidates with the answer sentence."""
    from pipeline.stages.score import run_score

    return run_score(questions_path, candidates_path, index_path, redirects, out, config, compute)


@silver.command()
@required("--questions", "questions_path", help="Parquet file of questions.")
@required("--scores", "scores_path", help="Parquet file of scores.")
@required("--out", help="Parquet file of the silver standard.")
@stage
def match(
    config: Config, compute: Compute, questions_path: Path, scores_path: Path, out: Path
) -> dict[str, Any]:
    """Decide which passages match: the silver standard."""
    from pipeline.stages.match import run_match

    return run_match(questions_path, scores_path, out, config, compute)


@silver.command()
@required("--questions", "questions_path", help="Parquet file of questions.")
@required("--index", "index_path", help="Folder of the index.")
@required("--out", help="TREC run.")
@click.option("--field", type=click.Choice(["question", "answer_sentences"]), default="question",
              show_default=True, help="What is searched.")  # fmt: skip
@stage
def retrieve(
    config: Config, compute: Compute, questions_path: Path, index_path: Path, out: Path, field: str
) -> dict[str, Any]:
    """Search each question and write a TREC run."""
    from pipeline.stages.retrieve import run_retrieve

    return run_retrieve(questions_path, index_path, out, config, compute, field=field)


@silver.command()
@required("--questions", "questions_path", help="Parquet file of questions.")
@required("--silver", "silver_path", help="Parquet file of the silver standard.")
@required("--run", "run_path", help="TREC run.")
@required("--index", "index_path", help="Folder of the index.")
@required("--out", help="Folder of the dataset.")
@stage
def datasets(
    config: Config,
    compute: Compute,
    questions_path: Path,
    silver_path: Path,
    run_path: Path,
    index_path: Path,
    out: Path,
) -> dict[str, Any]:
    """Write the retrieval dataset of a corpus: BEIR and TREC files."""
    from pipeline.stages.datasets import run_datasets

    return run_datasets(questions_path, silver_path, run_path, index_path, out, config, compute)


_REPORT_FOLDERS = (
    "articles", "passages", "index", "questions", "candidates", "scores", "silver", "runs",
    "datasets",
)  # fmt: skip


def _report_folders(command: Any) -> Any:
    for name in reversed(_REPORT_FOLDERS):
        command = required(f"--{name}", name, help=f"Folder of {name}.")(command)
    return command


@silver.command()
@_report_folders
@click.option("--judgments", type=PATH, help="Folder of judgments.")
@click.option("--gold", type=PATH, help="Right passages of a synthetic corpus.")
@required("--out", help="Folder of the report.")
@stage
def report(
    config: Config,
    compute: Compute,
    judgments: Path | None,
    gold: Path | None,
    out: Path,
    **folders: Path,
) -> dict[str, Any]:
    """Coverage, robustness and top-k accuracy: metrics.json, table.md, plots and report.html."""
    from pipeline.stages.report import ReportInputs, run_report

    if gold is None and config.report.gold is not None:
        gold = Path(config.report.gold)
        if not gold.exists():
            click.echo(f"report.gold: {gold} is not there; no precision and recall", err=True)
            gold = None
    return run_report(ReportInputs(**folders), judgments, gold, out, config, compute)


@silver.group()
def judge() -> None:
    """Have a seeded sample of the silver standard judged: draw it, judge it, read it back."""


def _judge_inputs(needed: bool) -> Callable[[Any], Any]:
    options = (
        ("--silver", "silver_path", "Parquet file of the silver standard."),
        ("--questions", "questions_path", "Parquet file of questions."),
        ("--index", "index_path", "Folder of the index."),
    )

    def add(command: Any) -> Any:
        scores = click.option("--scores", "scores_path", type=PATH,
                              help="Default: ../scores beside the silver standard.")  # fmt: skip
        command = scores(command)
        role = click.option("--role", type=click.Choice(["report", "tune"]), default="report",
                            show_default=True,
                            help="Whose articles: those that report, or that tune.")  # fmt: skip
        command = role(command)
        for flag, name, text in reversed(options):
            command = click.option(flag, name, required=needed, type=PATH, help=text)(command)
        return command

    return add


@judge.command("sample")
@_judge_inputs(needed=True)
@click.option("--judgments", type=PATH, help="Folder of judgments: what is judged is left out.")
@required("--out", help="JSON lines of the pairs to judge.")
@stage
def judge_sample(
    config: Config,
    compute: Compute,
    silver_path: Path,
    questions_path: Path,
    index_path: Path,
    scores_path: Path | None,
    role: str,
    judgments: Path | None,
    out: Path,
) -> dict[str, Any]:
    """Draw the pairs to judge, for each threshold of the report and the active settings."""
    from pipeline.stages.judge import JudgeInputs, run_judge_sample

    inputs = JudgeInputs(
        silver=silver_path, questions=questions_path, index=index_path, scores=scores_path,
        role=role,
    )  # fmt: skip
    return shown(run_judge_sample(inputs, judgments, out, config, compute))


@judge.command("page")
@_judge_inputs(needed=True)
@click.option("--judgments", type=PATH, help="Folder of judgments: what is judged is left out.")
@required("--out", help="HTML page.")
@stage
def judge_page(
    config: Config,
    compute: Compute,
    silver_path: Path,
    questions_path: Path,
    index_path: Path,
    scores_path: Path | None,
    role: str,
    judgments: Path | None,
    out: Path,
) -> dict[str, Any]:
    """Write one page to judge the same pairs in a browser, without a network."""
    from pipeline.stages.judge import JudgeInputs, run_judge_page

    inputs = JudgeInputs(
        silver=silver_path, questions=questions_path, index=index_path, scores=scores_path,
        role=role,
    )  # fmt: skip
    return shown(run_judge_page(inputs, judgments, out, config, compute))


@judge.command("import")
@click.argument("downloads", nargs=-1, type=PATH, metavar="FILE...")
@_judge_inputs(needed=False)
@click.option("--judgments", type=PATH, help="A folder whose files are imported too.")
@click.option("--judge", "judge_name", metavar="NAME", help="Who judged, where a row is silent.")
@click.option("--judge-kind", type=click.Choice(["person", "program"]),
              help="What judged, where a row is silent.")  # fmt: skip
@click.option("--hash-texts", is_flag=True, help="Write texts as hashes: restricted licences.")
@required("--out", help="CSV of judgments, such as configs/judgments/NAME.csv.")
@stage
def judge_import(
    config: Config,
    compute: Compute,
    downloads: tuple[Path, ...],
    silver_path: Path | None,
    questions_path: Path | None,
    index_path: Path | None,
    scores_path: Path | None,
    role: str,
    judgments: Path | None,
    judge_name: str | None,
    judge_kind: str | None,
    hash_texts: bool,
    out: Path,
) -> dict[str, Any]:
    """Check downloaded judgments and merge them into one file; with --silver, what is to go."""
    from pipeline.stages.judge import (
        JudgeInputs,
        check_together,
        judging_progress,
        run_judge_import,
    )

    check_together(silver_path, questions_path, index_path, scores_path)
    sources = [*downloads, *([judgments] if judgments else [])]
    counts = shown(
        run_judge_import(
            sources, out, hash_texts=hash_texts, judge=judge_name, judge_kind=judge_kind
        )
    )
    if silver_path and questions_path and index_path:
        inputs = JudgeInputs(
            silver=silver_path, questions=questions_path, index=index_path, scores=scores_path,
            role=role,
        )  # fmt: skip
        for line in judging_progress(inputs, out.parent, config, compute):
            click.echo(line)
    return counts


@silver.command()
@click.argument("question_id")
@required("--data", help="Folder of a run's outputs: its paths.root.")
@stage
def explain(config: Config, compute: Compute, question_id: str, data: Path) -> dict[str, Any]:
    """Say where a question was lost, or what it was mapped to and why."""
    from pipeline.stages.explain import run_explain

    return shown(run_explain(question_id, data, config))


@silver.command()
@click.argument("old", type=PATH)
@click.argument("new", type=PATH)
@click.option("--show", "most", type=click.IntRange(min=0), default=20, show_default=True,
              help="Questions listed a corpus and kind; 0 lists all.")  # fmt: skip
@click.option("--questions", "questions_path", type=PATH,
              help="Of a file without ../questions/<its name>; default: the other's.")  # fmt: skip
@click.option("--passages", "passages_path", type=PATH,
              help="Of a file without ../passages; default: the other's.")  # fmt: skip
@stage
def diff(
    config: Config,
    compute: Compute,
    old: Path,
    new: Path,
    most: int,
    questions_path: Path | None,
    passages_path: Path | None,
) -> dict[str, Any]:
    """Compare two silver runs by text: kept, moved, edited, lost, gained.

    OLD and NEW are folders of outputs (paths.root) or Parquet files of the silver standard.
    """
    from pipeline.stages.diff import run_diff

    return shown(run_diff(old, new, most, questions_path, passages_path))


@silver.command("score-pairs")
@required("--pairs", "pairs_path", help="JSON lines of pairs of texts.")
@required("--index", "index_path", help="Folder of the index, for its document frequencies.")
@click.option("--redirects", type=PATH, help="Folder of redirects, for renamed articles.")
@required("--out", help="JSON lines: the pairs with similarity and features.")
@stage
def score_pairs(
    config: Config,
    compute: Compute,
    pairs_path: Path,
    index_path: Path,
    redirects: Path | None,
    out: Path,
) -> dict[str, Any]:
    """Score pairs of an answer sentence and a passage by the configured scorer."""
    from pipeline.stages.score_pairs import run_score_pairs

    return run_score_pairs(pairs_path, index_path, redirects, out, config, compute)


silver.add_command(evaluate)
silver.add_command(baseline)
for command in (
    make_blocks, retrieve_twice, fuse, reader_input, triggering_set, benchmarks
):  # fmt: skip
    silver.add_command(command)


@silver.group(cls=Commands)
def tune() -> None:
    """Choose parameters on judged pairs."""


@tune.command("match")
@click.option("--judgments", type=PATH, multiple=True, required=True,
              help="Judged pairs: CSV, JSON lines or a folder of them; repeatable.")  # fmt: skip
@click.argument("more_judgments", nargs=-1, type=PATH, metavar="[PATH]...")
@required("--index", "index_path", help="Folder of the index, for its document frequencies.")
@click.option("--redirects", type=PATH, help="Folder of redirects, for renamed articles.")
@click.option("--scores", type=PATH, multiple=True,
              help="Scores of a corpus, to sweep coverage over; repeatable.")  # fmt: skip
@click.option("--target-precision", type=float, metavar="P",
              help="Find the threshold whose lower bound keeps this precision.")  # fmt: skip
@click.option("--all-roles", is_flag=True,
              help="Learn from the pairs that are kept for reports, too.")  # fmt: skip
@required("--out", help="Folder of figures, sweeps, plot and model.")
@stage
def tune_match(
    config: Config,
    compute: Compute,
    judgments: tuple[Path, ...],
    more_judgments: tuple[Path, ...],
    index_path: Path,
    redirects: Path | None,
    scores: tuple[Path, ...],
    target_precision: float | None,
    all_roles: bool,
    out: Path,
) -> dict[str, Any]:
    """Choose scorer, weights and threshold, and fit the learned scorer."""
    from pipeline.stages.tune_match import run_tune_match

    lines, counts = run_tune_match(
        [*judgments, *more_judgments], index_path, redirects, scores, out, config, compute,
        target_precision=target_precision, all_roles=all_roles,
    )  # fmt: skip
    click.echo("\n".join(lines))
    return counts


@tune.command("retrieval")
@click.option("--judgments", type=PATH, multiple=True, required=True,
              help="Judged pairs: CSV, JSON lines or a folder of them; repeatable.")  # fmt: skip
@click.argument("more_judgments", nargs=-1, type=PATH, metavar="[PATH]...")
@required("--index", "index_path", help="Folder of the index.")
@click.option("--all-roles", is_flag=True,
              help="Learn from the pairs that are kept for reports, too.")  # fmt: skip
@required("--out", help="Folder of the suggestion.")
@stage
def tune_retrieval(
    config: Config,
    compute: Compute,
    judgments: tuple[Path, ...],
    more_judgments: tuple[Path, ...],
    index_path: Path,
    all_roles: bool,
    out: Path,
) -> dict[str, Any]:
    """Search for the boosts that rank the right passages of judged questions first."""
    from pipeline.stages.tune_retrieval import run_tune_retrieval

    return shown(
        run_tune_retrieval(
            [*judgments, *more_judgments], index_path, out, config, compute, all_roles=all_roles
        )
    )


@silver.command()
@click.option("--wikitext", type=PATH, help="A file of wikitext.")
@click.option("--dump", type=PATH, help="A dump, with --title.")
@click.option("--title", help="The page's title.")
@stage
def inspect(
    config: Config, compute: Compute, wikitext: Path | None, dump: Path | None, title: str | None
) -> dict[str, Any]:
    """Show the blocks, passages and sentences of one page."""
    from pipeline.stages.inspect import run_inspect

    lines, counts = run_inspect(wikitext, dump, title, config)
    click.echo("\n".join(lines))
    return counts


@silver.command()
@click.option("--inputs", is_flag=True,
              help="Look only for the dump and corpora of configs/params.yaml.")  # fmt: skip
def doctor(inputs: bool) -> None:
    """Say what was found of Python, Java, pyserini, Lucene and Dask, and what to do if it fails."""
    from pipeline.doctor import examine, missing_inputs

    if inputs:
        from pipeline.config import load_config

        missing = missing_inputs(load_config(Path("configs/params.yaml")))
        click.echo("\n".join(missing) or "all inputs are there")
        sys.exit(2 if missing else 0)

    findings = examine()
    for finding in findings:
        click.echo(finding.line())
    if not all(finding.ok for finding in findings):
        sys.exit(2)


def _end(number: int, frame: object) -> None:
    sys.exit(128 + number)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; exit 2 for wrong input, 1 for other failures, one sentence each."""
    from pipeline.errors import SilverError

    # The end that `kill` and schedulers ask for clears away what is half-written, as Ctrl-C does.
    signal.signal(signal.SIGTERM, _end)
    try:
        silver.main(args=arguments, prog_name="silver", standalone_mode=False)
    except click.exceptions.Exit as exit_:
        sys.exit(exit_.exit_code)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        name = context.command_path if context else "silver"
        click.echo(f"{name}: {error.format_message().rstrip('.')}; see {name} --help", err=True)
        sys.exit(2)
    except click.Abort:
        click.echo("silver: interrupted", err=True)
        sys.exit(130)
    except SilverError as error:
        click.echo(f"silver: {error}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"silver: {place}{error.strerror or error}", err=True)
        sys.exit(1 if error.errno in (errno.ENOSPC, errno.EIO, errno.ENOMEM) else 2)
    except Exception as error:
        # The last net: whoever mends the fault asks for the traceback by name.
        if os.environ.get("SILVER_TRACEBACK"):
            raise
        said = " ".join(str(error).split())[:500]
        click.echo(
            f"silver: {type(error).__name__}: {said}; this is a fault of silver: "
            "run it again with SILVER_TRACEBACK=1 and report what it prints",
            err=True,
        )
        sys.exit(1)
