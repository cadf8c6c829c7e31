"""dvc.yaml against the command line, the configuration and the files of the package."""

import re

import click
import pytest
import yaml

from pipeline.cli import silver
from pipeline.config import Config
from tests import dvc_stages
from tests.dvc_stages import (
    body,
    commands,
    outlived,
    paths,
    sidecars_left_out,
    stages_of,
    unwatched,
)
from tests.fakes import PARAMS, ROOT

STAGES = stages_of(ROOT / "dvc.yaml")
TREE: dict = yaml.safe_load(PARAMS.read_text(encoding="utf-8"))
# The report takes this folder by its contract and does not read it (tests/stages).
UNREAD = {"report": ["data/candidates"]}
# Modules that stand in the way of an import, with the reason why the stage's result is not theirs.
NOT_ITS_RESULT = {
    "index": ["lucene/searching.py"],  # the manifest's module opens indexes, too
    "candidates": ["matching/titles.py"],  # only score asks a searcher for an article
    "retrieve": ["matching/titles.py"],
    "score": ["lucene/"],  # it reads passages as they were stored; an index has a fingerprint
    "datasets": ["lucene/", "matching/titles.py"],
}
SECTIONS = set(Config.model_fields) - {"paths", "corpora"}


def params(stage: dict) -> set[str]:
    return {key for entry in body(stage)["params"] for key in entry.get("configs/params.yaml", ())}


def filled_in(text: str) -> str:
    """A template of dvc.yaml with the values of the sample, for one corpus."""
    item = TREE["corpora"]["selqa"]["input"]
    return dvc_stages.filled_in(text, TREE, {"key": "selqa", "item": "sample", "item.input": item})


@pytest.mark.parametrize("name", STAGES)
def test_every_stages_command_exists_with_its_options_and_all_required_ones(name: str) -> None:
    for program, command, *arguments in commands(STAGES[name]):
        assert program == "scripts/silver"
        assert command == name
        declared = silver.commands[command]
        options = {
            spelling: option
            for option in declared.params
            if isinstance(option, click.Option)
            for spelling in option.opts
        }
        given = [argument for argument in arguments if argument.startswith("--")]
        assert set(given) <= set(options)
        needed = {spelling for spelling, option in options.items() if option.required}
        assert needed <= set(given)
        declared.make_context(command, [filled_in(argument) for argument in arguments])


def test_the_stages_are_those_of_the_design_in_their_order() -> None:
    assert list(STAGES) == [
        "sample", "extract", "segment", "index", "questions", "candidates", "score", "match",
        "retrieve", "datasets", "report",
    ]  # fmt: skip


def test_every_section_of_the_configuration_is_listed_by_its_stage() -> None:
    listed = {name: {key.partition(".")[0] for key in params(stage)}
              for name, stage in STAGES.items()}  # fmt: skip
    for section in SECTIONS - {"robustness"}:
        assert section in listed[section], f"a changed '{section}' would rerun nothing"
    assert "robustness" in listed["report"]
    assert "corpora" in listed["questions"]
    assert "segment" in listed["questions"]
    assert "match" in listed["report"]


def test_the_documented_parameters_of_each_stage_are_those_that_rerun_it() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+)(?:@corpus)? \|[^|]*\|[^|]*\| ([^|]*) \|$", text, re.MULTILINE)
    documented = {
        stage: set(re.findall(r"`([^`]+)`", cell.replace("<corpus>", "${key}")))
        for stage, cell in rows
        if stage in STAGES
    }
    assert documented == {name: params(stage) for name, stage in STAGES.items()}


def test_every_listed_parameter_exists() -> None:
    for name, stage in STAGES.items():
        for key in map(filled_in, params(stage)):
            node = TREE
            for part in key.split("."):
                assert part in node, f"{name} lists {key}"
                node = node[part]


def test_parameters_of_bm25_rerun_the_searches_but_do_not_build_the_index_again() -> None:
    assert "index.bm25" in params(STAGES["candidates"]) & params(STAGES["retrieve"])
    assert not {"index", "index.bm25"} & params(STAGES["index"])
    whole = {f"index.{key}" for key in TREE["index"]} - {"index.bm25"}
    assert params(STAGES["index"]) == whole


def test_a_threshold_reruns_neither_search_nor_score() -> None:
    for name in ("extract", "segment", "index", "questions", "candidates", "score", "retrieve"):
        assert not any(key.startswith("match") for key in params(STAGES[name])), name


@pytest.mark.parametrize("name", STAGES)
def test_every_path_of_a_command_is_tracked(name: str) -> None:
    """What a command reads is a dependency and what it writes an output, or lies in one."""
    tracked = [filled_in(path) for path in paths(STAGES[name], "deps", "outs", "metrics")]
    tracked += UNREAD.get(name, [])
    data = (TREE["paths"]["root"] + "/", "configs/")
    for arguments in commands(STAGES[name]):
        for argument in map(filled_in, arguments):
            if argument.startswith(data):
                assert any(
                    argument == path or path.startswith(f"{argument}/") for path in tracked
                ), f"{name} does not track {argument}"


@pytest.mark.parametrize("name", STAGES)
def test_the_code_that_a_stage_depends_on_exists_and_holds_the_stage_itself(name: str) -> None:
    code = [dep for dep in body(STAGES[name])["deps"] if dep.startswith("pipeline/")]
    assert f"pipeline/stages/{name}.py" in code
    for path in code:
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("name", STAGES)
def test_a_change_of_any_module_that_makes_a_stages_result_reruns_it(name: str) -> None:
    """Everything that a stage imports, directly or not, is a dependency or lies in one."""
    assert not unwatched(STAGES[name], NOT_ITS_RESULT.get(name, ()))


@pytest.mark.parametrize("name", NOT_ITS_RESULT)
def test_no_exception_outlives_its_import(name: str) -> None:
    assert not outlived(STAGES[name], NOT_ITS_RESULT[name])


@pytest.mark.parametrize("name", ["extract", "segment", "index"])
def test_folders_that_a_killed_run_goes_on_with_are_kept(name: str) -> None:
    assert all(options["persist"] for out in body(STAGES[name])["outs"] for options in out.values())


def test_files_that_stand_beside_an_output_are_outputs_too() -> None:
    for name in ("questions", "candidates", "score", "match", "retrieve"):
        assert not sidecars_left_out(STAGES[name]), name
