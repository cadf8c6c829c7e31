"""Fixtures that every test may use."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes depends on what else the machine does, and is no property of the code.
settings.register_profile("silver", deadline=None)
settings.load_profile("silver")


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
