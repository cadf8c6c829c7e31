"""use_profile: what it copies, and that nobody's work is lost."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.fakes import ROOT


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with the script and the configurations alone."""
    shutil.copytree(ROOT / "configs" / "profiles", tmp_path / "configs" / "profiles")
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "use_profile", tmp_path / "scripts")
    return tmp_path


def use(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(clone / "scripts" / "use_profile"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_changed_configuration_is_kept_beside_the_new_one(clone: Path) -> None:
    active, kept = clone / "configs" / "params.yaml", clone / "configs" / "params.yaml.bak"
    assert use(clone, "sample").returncode == 0
    assert active.read_bytes() == (ROOT / "configs" / "profiles" / "sample.yaml").read_bytes()
    assert "kept" not in use(clone, "paper").stdout and not kept.exists()
    active.write_text("mine: 1\n", encoding="utf-8")
    said = use(clone, "enwiki").stdout
    assert said.splitlines() == [
        "configs/params.yaml is now the profile enwiki",
        "the one before is kept as configs/params.yaml.bak",
    ]
    assert kept.read_text(encoding="utf-8") == "mine: 1\n"


def test_an_unknown_profile_is_refused_and_changes_nothing(clone: Path) -> None:
    found = use(clone, "other")
    assert (
        found.returncode == 2 and "no such profile; there are: enwiki paper sample" in found.stderr
    )
    assert not (clone / "configs" / "params.yaml").exists()
