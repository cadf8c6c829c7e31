"""Which modules of the package a module imports, read off its source and not by running it."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.fakes import ROOT

PACKAGE = ROOT / "pipeline"


def file_of(module: str) -> Path | None:
    """The file of a module or package; None for a name that is something inside a module."""
    path = ROOT.joinpath(*module.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.exists():
            return candidate
    return None


def imported_by(path: Path) -> Iterator[Path]:
    """The files of the package that a file imports anywhere in it, for types alone too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if file_of(name) else node.module for name in names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            found = file_of(name) if name.split(".")[0] == PACKAGE.name else None
            if found:
                yield found


def reached_from(path: Path) -> set[Path]:
    """Every file of the package that a file imports, directly or through others."""
    reached: set[Path] = set()
    ahead = [path]
    while ahead:
        for found in imported_by(ahead.pop()):
            if found not in reached:
                reached.add(found)
                ahead.append(found)
    return reached - {path}
