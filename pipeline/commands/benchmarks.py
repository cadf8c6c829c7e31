"""``silver triggering-set`` and ``silver benchmarks``: the rest of the benchmark pipeline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.commands.options import PATH, required, stage

if TYPE_CHECKING:
    from pipeline.config import Compute, Config


@click.command("triggering-set")
@required("--questions", "questions_path", help="Parquet file of questions.")
@required("--silver", "silver_path", help="Parquet file of the silver standard.")
@required("--run", "run_path", help="TREC run, whose first passages become sections.")
@required("--index", "index_path", help="Folder of the index.")
@click.option("--sections", type=click.IntRange(min=1), default=5, show_default=True,
              help="Sections a question.")  # fmt: skip
@required("--out", help="Folder of selqa-at-SPLIT.json.")
@stage
def triggering_set(
    config: Config, compute: Compute, questions_path: Path, silver_path: Path, run_path: Path,
    index_path: Path, sections: int, out: Path,
) -> dict[str, Any]:  # fmt: skip
    """Make an answer triggering corpus of a silver standard, in SelQA's format."""
    from pipeline.stages.triggering_set import run_triggering_set

    return run_triggering_set(
        questions_path, silver_path, run_path, index_path, sections, out, config, compute
    )


def _named(value: str, option: str) -> tuple[str, Path]:
    from pipeline.errors import InputError

    name, separator, path = value.partition("=")
    if not separator or not name or not path:
        raise InputError(f"{option} {value}: expected NAME=FILE")
    return name, Path(path)


@click.command()
@click.option("--selection", type=PATH, help="Folder of silver baseline selection.")
@click.option("--triggering", type=PATH, help="Folder of silver baseline triggering.")
@click.option("--synthetic-triggering", is_flag=True,
              help="Say that its questions are the embedded sample's.")  # fmt: skip
@click.option("--blocks", multiple=True, metavar="NAME=FILE",
              help="Report of silver evaluate blocks; repeatable.")  # fmt: skip
@click.option("--reader", "readers", multiple=True, metavar="NAME=FILE",
              help="The .stats.json of silver reader-input; repeatable.")  # fmt: skip
@required("--out", help="Folder of the report.")
@stage
def benchmarks(
    config: Config, compute: Compute, selection: Path | None, triggering: Path | None,
    synthetic_triggering: bool, blocks: tuple[str, ...], readers: tuple[str, ...], out: Path,
) -> dict[str, Any]:  # fmt: skip
    """Report the benchmarks: metrics.json, table.md and report.html."""
    from pipeline.stages.benchmarks import BenchmarkInputs, run_benchmarks

    inputs = BenchmarkInputs(
        selection=selection,
        triggering=triggering,
        synthetic_triggering=synthetic_triggering,
        blocks=tuple(_named(value, "--blocks") for value in blocks),
        readers=tuple(_named(value, "--reader") for value in readers),
    )
    return run_benchmarks(inputs, out)
