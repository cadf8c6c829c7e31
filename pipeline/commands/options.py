"""Options that every command takes, and what the commands share."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

PATH = click.Path(path_type=Path)


class Commands(click.Group):
    """Lists the commands in the order of the pipeline instead of the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return list(self.commands)


def stage(command: Callable[..., dict[str, Any]]) -> Callable[..., None]:
    """Add the options that every command takes; the command gets ``config`` and ``compute``."""

    @click.option("--config", "config_path", type=PATH, default=Path("configs/params.yaml"),
                  show_default=True, help="The configuration.")  # fmt: skip
    @click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE",
                  help="Override one key, such as match.threshold=0.5; repeatable.")  # fmt: skip
    @click.option("--workers", type=int, help="Worker processes; default: configs/compute.yaml.")
    @click.option("--scheduler", metavar="ADDRESS", help="A running Dask scheduler to use.")
    @click.option("--quiet", is_flag=True, help="No progress.")
    @functools.wraps(command)
    def run(
        config_path: Path,
        overrides: tuple[str, ...],
        workers: int | None,
        scheduler: str | None,
        quiet: bool,
        **options: Any,
    ) -> None:
        from pipeline.config import load_compute, load_config

        _check_out(options)
        config = load_config(config_path, overrides)
        beside = config_path.parent / "compute.yaml"
        compute = load_compute(
            beside if beside.exists() else Path("configs/compute.yaml"),
            workers=workers,
            scheduler=scheduler,
            quiet=quiet or None,
        )
        counts = command(config=config, compute=compute, **options)
        click.echo(json.dumps(counts, ensure_ascii=False, sort_keys=True))

    return run


# Folders that a command may read and write to at the same time.
_SHARED = frozenset({"judgments", "data", "out", "dumps", "more_dumps"})


def _check_out(options: dict[str, Any]) -> None:
    """An output that is an input, or lies in one or around one, would destroy it."""
    from pipeline.errors import InputError

    out = options.get("out")
    if not isinstance(out, Path):
        return
    target = out.resolve()
    for name, value in options.items():
        if name in _SHARED:
            continue
        for given in value if isinstance(value, tuple) else (value,):
            if not isinstance(given, Path):
                continue
            source = given.resolve()
            if target == source or source in target.parents or target in source.parents:
                raise InputError(f"--out {out}: overlaps the input {given}; nothing was touched")


def required(*names: str, **options: Any) -> Callable[[Any], Any]:
    """A required option whose value is a path."""
    return click.option(*names, required=True, type=PATH, **options)


def shown(result: tuple[list[str], dict[str, Any]]) -> dict[str, Any]:
    """Print the lines of a command that people read; its counts come last."""
    lines, counts = result
    for line in lines:
        click.echo(line)
    return counts
