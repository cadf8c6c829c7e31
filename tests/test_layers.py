"""The rooms of the package: who may import whom."""

from pathlib import Path

import pytest

from tests.imports import PACKAGE, imported_by

# From the bottom to the top: a module imports from its own level and from lower ones.
LEVELS = (
    {"errors"},
    {"records"},
    {"files"},
    {"config"},
    {"cluster"},
    {
        "baselines", "corpora", "datasets", "evaluation", "fetching", "lucene", "matching",
        "reporting", "sample", "tables", "wikipedia",
    },
    {"stages", "doctor"},
    {"commands"},
    {"cli"},
)  # fmt: skip
MODULES = sorted(PACKAGE.rglob("*.py"))
IN_STAGES = {path for path in MODULES if path.parent.name == "stages"}
# What the command line calls is a stage; the rest of the folder is what stages share.
COMMANDS = [PACKAGE / "cli.py", *sorted((PACKAGE / "commands").glob("*.py"))]
STAGES = sorted(IN_STAGES & {found for path in COMMANDS for found in imported_by(path)})


def room(path: Path) -> str:
    """The module or folder right below the package in which a file lies."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def level(path: Path) -> int:
    (found,) = (number for number, rooms in enumerate(LEVELS) if room(path) in rooms)
    return found


@pytest.mark.parametrize("path", STAGES, ids=lambda path: path.stem)
def test_no_stage_imports_another(path: Path) -> None:
    assert not [found.stem for found in imported_by(path) if found in STAGES]


def test_what_stages_share_imports_no_stage() -> None:
    assert len(STAGES) >= 11
    for path in IN_STAGES - set(STAGES):
        assert not set(imported_by(path)) & set(STAGES), path.name


def test_imports_run_from_the_command_line_down_to_records_files_and_errors() -> None:
    upward = [
        f"{path.relative_to(PACKAGE)} imports {found.relative_to(PACKAGE)}"
        for path in MODULES
        if path != PACKAGE / "__init__.py"
        for found in imported_by(path)
        if level(found) > level(path)
    ]
    assert not upward


def test_only_stages_and_the_command_line_start_processes() -> None:
    users = {room(path) for path in MODULES if PACKAGE / "cluster.py" in imported_by(path)}
    assert users <= {"stages", "commands", "cli"}


def test_only_the_room_of_lucene_knows_java() -> None:
    for path in MODULES:
        knows = "jnius" in path.read_text(encoding="utf-8")
        assert not knows or room(path) == "lucene", path
