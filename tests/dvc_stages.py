"""What the tests of the two DVC files share: stages, commands, paths and the code they watch."""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import yaml

from tests.fakes import ROOT
from tests.imports import reached_from

# What stages import and need not depend on.
HOW_NOT_WHAT = ("errors.py", "cluster.py", "config/", "files/", "lucene/jvm.py")
_WITH_SIDECARS = (".parquet", ".trec", ".jsonl")


def stages_of(path: Path) -> dict[str, dict]:
    """The stages of a file, by name and in its order."""
    found: dict[str, dict] = yaml.safe_load(path.read_text(encoding="utf-8"))["stages"]
    return found


def body(stage: dict) -> dict:
    """What a stage does, or does for each item."""
    return stage.get("do", stage)


def path_of(entry: str | dict) -> str:
    return entry if isinstance(entry, str) else next(iter(entry))


def paths(stage: dict, *kinds: str) -> list[str]:
    """The paths of these kinds (deps, outs, metrics) as they are written."""
    return [path_of(entry) for kind in kinds for entry in body(stage).get(kind, ())]


def commands(stage: dict, fill: Callable[[str], str] = str) -> Iterator[list[str]]:
    """The commands of a stage in words, their templates filled in by ``fill``."""
    listed = body(stage)["cmd"]
    for command in listed if isinstance(listed, list) else [listed]:
        yield shlex.split(fill(command))


def filled_in(text: str, tree: dict, values: Mapping[str, str]) -> str:
    """A template with these values, and for every other name that of the parameters."""

    def value(found: re.Match[str]) -> str:
        name = found.group(1)
        if name in values:
            return values[name]
        node: object = tree
        for part in re.findall(r"[^.\[\]]+", name):
            node = node[int(part)] if isinstance(node, list) else node[part]  # type: ignore[index]
        return str(node)

    return re.sub(r"\$\{([^}]+)\}", value, text)


def stage_files(stage: dict) -> set[Path]:
    """The stage modules that the commands of a stage run."""
    found = set()
    for _, first, second, *_ in commands(stage):
        names = (f"{first}_{second}", first)  # evaluate blocks is a module, baseline triggering not
        files = [ROOT / "pipeline" / "stages" / f"{name.replace('-', '_')}.py" for name in names]
        found.add(next(path for path in files if path.exists()))
    return found


def unwatched(stage: dict, exceptions: Iterable[str] = ()) -> list[str]:
    """The modules that make a stage's result and would not rerun it."""
    deps = [path for path in paths(stage, "deps") if path.startswith("pipeline/")]
    needless = (*HOW_NOT_WHAT, *exceptions)
    modules = {
        path.relative_to(ROOT).as_posix()
        for file in stage_files(stage)
        for path in {file, *reached_from(file)}
    }
    return sorted(
        module
        for module in modules
        if not module.removeprefix("pipeline/").startswith(needless)
        and not any(module == dep or module.startswith(f"{dep}/") for dep in deps)
    )


def outlived(stage: dict, exceptions: Iterable[str]) -> list[str]:
    """The exceptions that no module is left for."""
    modules = {
        path.relative_to(ROOT / "pipeline").as_posix()
        for file in stage_files(stage)
        for path in reached_from(file)
    }
    return [name for name in exceptions if not any(found.startswith(name) for found in modules)]


def sidecars_left_out(stage: dict) -> list[str]:
    """The sidecars of a stage's files that are no outputs."""
    outs = paths(stage, "outs")
    beside = [
        f"{out.rpartition('.')[0]}.stats.json" for out in outs if out.endswith(_WITH_SIDECARS)
    ]
    return [path for path in beside if path not in outs]
