"""configs/benchmarks/dvc.yaml against the command line and its parameters."""

import re
from collections.abc import Iterator

import click
import pytest
import yaml

from pipeline.cli import silver
from tests import dvc_stages
from tests.dvc_stages import body, outlived, path_of, sidecars_left_out, stages_of, unwatched
from tests.fakes import ROOT

FOLDER = ROOT / "configs" / "benchmarks"
STAGES = stages_of(FOLDER / "dvc.yaml")
TREE: dict = yaml.safe_load((FOLDER / "params.yaml").read_text(encoding="utf-8"))
MAIN: dict = yaml.safe_load((ROOT / "configs" / "params.yaml").read_text(encoding="utf-8"))
ITEMS = TREE["ottqa"]["collections"]
# Modules that stand in the way of an import, with the reason why the stage's result is not theirs.
NOT_ITS_RESULT = {
    "ottqa-segments": ["lucene/"],  # only predicted links are searched for
    "ottqa-oracle": ["lucene/"],
    "ottqa-figures": ["lucene/"],  # it reads blocks as they were written
}


def filled_in(text: str, item: str) -> str:
    return dvc_stages.filled_in(text, TREE, {"item": item})


def commands(stage: dict, item: str) -> Iterator[list[str]]:
    return dvc_stages.commands(stage, lambda text: filled_in(text, item))


def paths(stage: dict, kind: str, item: str) -> list[str]:
    return [filled_in(path, item) for path in dvc_stages.paths(stage, kind)]


@pytest.mark.parametrize("name", STAGES)
@pytest.mark.parametrize("item", ITEMS)
def test_every_stage_is_a_command_with_its_options_and_all_required_ones(
    name: str, item: str
) -> None:
    for program, *arguments in commands(STAGES[name], item):
        assert program == "scripts/silver"
        command: click.Command = silver
        while isinstance(command, click.Group):
            command = command.commands[arguments.pop(0)]
        command.make_context(str(command.name), arguments)


@pytest.mark.parametrize("name", STAGES)
def test_what_a_stage_reads_is_tracked_or_made_by_itself(name: str) -> None:
    for item in ITEMS:
        tracked = paths(STAGES[name], "deps", item) + paths(STAGES[name], "outs", item)
        for arguments in commands(STAGES[name], item):
            for argument in arguments:
                path = argument.rpartition("=")[2]
                if path.startswith((TREE["root"], TREE["main"] + "/", TREE["reports"])):
                    assert any(path == known or path.startswith(f"{known}/") or
                               known.startswith(f"{path}/") for known in tracked), path  # fmt: skip


def test_what_a_stage_needs_of_another_is_an_output_of_that() -> None:
    made = {path for stage in STAGES.values() for item in ITEMS
            for path in paths(stage, "outs", item)}  # fmt: skip
    for name, stage in STAGES.items():
        for item in ITEMS:
            for path in paths(stage, "deps", item):
                if path.startswith(TREE["root"]):
                    assert any(path == known or known.startswith(f"{path}/") for known in made), (
                        f"{name}: {path}"
                    )


@pytest.mark.parametrize("name", STAGES)
def test_the_code_and_the_parameters_that_a_stage_names_exist(name: str) -> None:
    stage = body(STAGES[name])
    assert stage["wdir"] == "../.."
    code = [path for path in paths(stage, "deps", "oracle") if path.startswith("pipeline/")]
    assert any(path.startswith("pipeline/stages/") for path in code)
    assert all((ROOT / path).exists() for path in code)
    for entry in stage.get("params", ()):
        for file, keys in entry.items():
            tree = {"configs/params.yaml": MAIN, "configs/benchmarks/params.yaml": TREE}[file]
            for key in keys:
                node = tree
                for part in key.split("."):
                    assert part in node, f"{name} lists {key}"
                    node = node[part]


def test_every_parameter_that_a_command_uses_reruns_its_stage() -> None:
    for name, stage in STAGES.items():
        told = {
            key
            for entry in body(stage).get("params", ())
            for key in entry.get("configs/benchmarks/params.yaml", ())
        }
        listed = body(stage)["cmd"]
        text = " ".join(listed) if isinstance(listed, list) else listed
        deps = [path_of(entry) for entry in body(stage)["deps"]]
        for used in set(re.findall(r"\$\{([a-z_]+\.[a-z_]+)\}", text)):
            is_path = any(f"${{{used}}}" in dep for dep in deps)
            assert is_path or used in told or used.partition(".")[0] in told, f"{name}: {used}"


@pytest.mark.parametrize("name", STAGES)
def test_a_change_of_any_module_that_makes_a_stages_result_reruns_it(name: str) -> None:
    assert not unwatched(STAGES[name], NOT_ITS_RESULT.get(name, ()))


@pytest.mark.parametrize("name", NOT_ITS_RESULT)
def test_no_exception_outlives_its_import(name: str) -> None:
    assert not outlived(STAGES[name], NOT_ITS_RESULT[name])


def test_files_that_stand_beside_an_output_are_outputs_too() -> None:
    for name, stage in STAGES.items():
        assert not sidecars_left_out(stage), name
