"""Commands of tables and passages: evidence blocks, retrieval over them, what a reader is given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.commands.options import PATH, required, stage
from pipeline.evaluation.fusion import RRF_K
from pipeline.tables.linking import LINK_THRESHOLD
from pipeline.tables.subwords import READER_TOKENS

if TYPE_CHECKING:
    from pipeline.config import Compute, Config


@click.command("blocks")
@click.option("--tables", type=PATH, help="Folder of tables, one JSON file each.")
@click.option("--passages", type=PATH, help="Folder of the passages that they link to, one JSON "
              "file a table; blocks of their own under --links none.")  # fmt: skip
@click.option("--links", type=click.Choice(["oracle", "predicted", "none"]), required=True,
              help="Which passages join a row: those its cells link to, those whose titles its "
              "cells say, or none.")  # fmt: skip
@click.option("--index", "index_path", type=PATH, help="Index of passages, for predicted links.")
@click.option("--passage-words", type=click.IntRange(min=1), metavar="N",
              help="Words kept of each joined passage; default: all.")  # fmt: skip
@click.option("--link-threshold", type=click.FloatRange(0, 1), default=LINK_THRESHOLD,
              show_default=True, help="Least score of a predicted link.")  # fmt: skip
@required("--out", help="Folder of blocks, as passages.")
@stage
def make_blocks(
    config: Config,
    compute: Compute,
    tables: Path | None,
    passages: Path | None,
    links: str,
    index_path: Path | None,
    passage_words: int | None,
    link_threshold: float,
    out: Path,
) -> dict[str, Any]:
    """Make evidence blocks of tables and the passages that they link to."""
    from pipeline.stages.blocks import BlocksInputs, run_blocks

    inputs = BlocksInputs(tables=tables, passages=passages, index=index_path)
    return run_blocks(
        inputs, links, out, config, compute,
        passage_words=passage_words, link_threshold=link_threshold,
    )  # fmt: skip


@click.command("retrieve-twice")
@required("--questions", "questions_path", help="Parquet file of questions.")
@required("--index", "index_path", help="Folder of the index.")
@click.option("--second-index", type=PATH, help="Index of the second step; default: the same.")
@click.option("--first", type=click.IntRange(1, 100), default=5, show_default=True,
              help="Hits of the first step that expand the question.")  # fmt: skip
@click.option("--words", type=click.IntRange(min=1), default=40, show_default=True,
              help="Words of each that do.")  # fmt: skip
@required("--out", help="TREC run.")
@stage
def retrieve_twice(
    config: Config,
    compute: Compute,
    questions_path: Path,
    index_path: Path,
    second_index: Path | None,
    first: int,
    words: int,
    out: Path,
) -> dict[str, Any]:
    """Search each question, and once more with the words of each of its best hits."""
    from pipeline.stages.retrieve_twice import TwoSteps, run_retrieve_twice

    steps = TwoSteps(first=first, words=words)
    return run_retrieve_twice(questions_path, index_path, second_index, steps, out, config, compute)


@click.command()
@click.option("--run", "runs", type=PATH, multiple=True, required=True,
              help="TREC run; twice or more.")  # fmt: skip
@click.option("--depth", type=click.IntRange(min=1),
              help="Passages kept a question; default: retrieve.depth.")  # fmt: skip
@click.option("--rrf-k", type=click.IntRange(min=0), default=RRF_K, show_default=True,
              help="The constant of reciprocal rank fusion.")  # fmt: skip
@required("--out", help="TREC run.")
@stage
def fuse(
    config: Config, compute: Compute, runs: tuple[Path, ...], depth: int | None, rrf_k: int,
    out: Path,
) -> dict[str, Any]:  # fmt: skip
    """Make one run of several by reciprocal rank fusion."""
    from pipeline.stages.fuse import run_fuse

    return run_fuse(runs, out, depth or config.retrieve.depth, rrf_k)


@click.command("reader-input")
@required("--questions", "questions_path", help="Parquet file of questions.")
@required("--run", "run_path", help="TREC run over the blocks.")
@click.option("--blocks", "blocks", type=PATH, multiple=True, required=True,
              help="Folder of blocks; repeatable.")  # fmt: skip
@click.option("--tokenizer", type=PATH,
              help="tokenizer.json, or BERT's vocab.txt; default: an estimate.")  # fmt: skip
@click.option("--budget", type=click.IntRange(min=1), default=READER_TOKENS, show_default=True,
              help="Subword tokens of a question's blocks.")  # fmt: skip
@required("--out", help="JSON lines.")
@stage
def reader_input(
    config: Config,
    compute: Compute,
    questions_path: Path,
    run_path: Path,
    blocks: tuple[Path, ...],
    tokenizer: Path | None,
    budget: int,
    out: Path,
) -> dict[str, Any]:
    """Write the best blocks of each question within a reader's budget of tokens."""
    from pipeline.stages.reader_input import ReaderSettings, run_reader_input

    settings = ReaderSettings(run=run_path, blocks=blocks, tokenizer=tokenizer, budget=budget)
    return run_reader_input(questions_path, settings, out, config, compute)
