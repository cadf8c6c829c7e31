"""A small sample, made once for all tests of this folder."""

from pathlib import Path

import pytest

from pipeline.stages.sample import run_sample

ARTICLES = 40
SEED = 7


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sample of forty articles."""
    folder = tmp_path_factory.mktemp("sample") / "sample"
    run_sample(folder, ARTICLES, SEED)
    return folder


@pytest.fixture(scope="session")
def larger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sample large enough to count in."""
    folder = tmp_path_factory.mktemp("larger") / "sample"
    run_sample(folder, 140, 11)
    return folder
