"""Builds of the index that are killed: what stays is refused or whole, and the next succeeds."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline.config import load_config
from pipeline.errors import InputError
from pipeline.lucene.manifest import check_index, open_searcher
from tests.fakes import PARAMS, ROOT, passage, write_passages

SILVER = [sys.executable, "-c", "from pipeline.cli import main; main()"]
KILLS = int(os.environ.get("SILVER_KILLS", "2"))
PASSAGES = [
    passage(f"{n}-0", " ".join(f"word{(n * 7919 + k * k * 104729) % 9973}" for k in range(120)))
    for n in range(1, 1201)
]


def _run(command: list[object]) -> None:
    subprocess.run([str(word) for word in command], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_build_that_is_killed_anywhere_is_refused_or_whole_and_the_next_succeeds(
    tmp_path: Path, workers: int
) -> None:
    parts = [PASSAGES[at : at + 300] for at in range(0, len(PASSAGES), 300)]
    passages, out = write_passages(tmp_path / "passages", *parts), tmp_path / "index"
    index = load_config(PARAMS).index
    command = [*SILVER, "index", "--passages", passages, "--out", out, "--config", PARAMS,
               "--workers", workers, "--quiet"]  # fmt: skip
    older = [*command, "--set", "index.fields.title.stemmer=none"]
    started = time.monotonic()
    _run(older)
    whole = time.monotonic() - started
    chosen = random.Random(f"kills of {workers}")
    for _ in range(KILLS):
        with subprocess.Popen(
            [str(word) for word in command], cwd=ROOT, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ) as build:  # fmt: skip
            time.sleep(chosen.uniform(0.05, 0.95) * whole)
            os.killpg(build.pid, signal.SIGKILL)
        try:
            check_index(out, index)
        except InputError as refusal:
            assert re.search("other settings|no such folder", str(refusal))
        else:
            with open_searcher(out, index, "256m") as searcher:
                assert searcher.passage_count == len(PASSAGES)
            _run(older)  # else the next build would find nothing to do
    _run(command)
    with open_searcher(out, index, "256m") as searcher:
        assert list(searcher.passages()) == PASSAGES
        hits = searcher.search(PASSAGES[41].text, {"contents": 1.0}, 1)
        assert hits[0].passage_id == "42-0"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "passages"]
