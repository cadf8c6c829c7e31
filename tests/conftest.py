"""Fixtures that every test may use."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real excerpts; tests that need it are marked ``real``."""
    named = os.environ.get("SILVER_REAL_DATA")
    if not named:
        pytest.skip("SILVER_REAL_DATA names no folder of real excerpts")
    folder = Path(named)
    if not folder.is_dir():
        pytest.fail(f"SILVER_REAL_DATA is {folder}, which is no folder")
    return folder
