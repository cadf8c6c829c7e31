"""Commands of tables and passages: evidence blocks, retrieval over them, what a reader is given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.commands.options import PATH, required, stage

if TYPE_CHECKING:
    from pipeline.config import Compute, Config


@click.command()
@click.option("--tables", type=PATH, help="Folder of tables, one JSON file each.")
@click.option("--passages", type=PATH, help="Folder of the passages that they link to, one JSON "
              "file a table; blocks of their own under --links none.")  # fmt: skip
@click.option("--links", type=click.Choice(["oracle", "predicted", "none"]), required=True,
              help="Which passages join a row: those its cells link to, those whose titles its "
              "cells say, or none.")  # fmt: skip
@click.option("--index", "index_path", type=PATH, help="Index of passages, for predicted links.")
@click.option("--passage-words", type=click.IntRange(min=1), metavar="N",
              help="Words kept of each joined passage; default: all.")  # fmt: skip
@click.option("--link-threshold", type=click.FloatRange(0, 1), default=0.6, show_default=True,
              help="Least score of a predicted link.")  # fmt: skip
@required("--out", help="Folder of blocks, as passages.")
@stage
def blocks(
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
