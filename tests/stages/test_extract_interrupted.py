"""Runs that do not end well: dumps cut off anywhere, runs that are killed, settings that change."""

import gzip
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline import files
from pipeline.config import Compute, load_config
from pipeline.errors import InputError
from pipeline.records import Article
from pipeline.stages.extract import run_extract
from tests.wikipedia.dump_files import compressed, dump_xml, many_pages, whole_pages

ROOT = Path(__file__).parents[2]
PARAMS = ROOT / "configs" / "profiles" / "sample.yaml"
CUTS = 20
SILVER = [sys.executable, "-c", "from pipeline.cli import main; main()"]


def extract(dump: Path, out: Path, *settings: str, keep_partial: bool = False) -> None:
    config = load_config(PARAMS, ["extract.partition_megabytes=0.02", *settings])
    compute = Compute(workers=1, memory=None, scheduler=None, java_heap="1g", quiet=True)
    run_extract([dump], out, config, compute, keep_partial=keep_partial)


def page_ids(out: Path) -> list[int]:
    return [a.page_id for p in sorted(out.glob("part-*.parquet"))
            for a in files.read_records(p, Article)]  # fmt: skip


def snapshot(folder: Path) -> dict[str, bytes]:
    """What is in the folder, but for what a killed process was writing and nobody reads."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".aside-")
    }


@pytest.fixture
def not_forever() -> Iterator[None]:
    """Two minutes for what takes seconds: a run that hangs is an error, not a wait."""

    def stop(_number: int, _frame: object) -> None:
        raise TimeoutError("the run hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("not_forever")
@pytest.mark.parametrize("form", ["bz2", "multistream"])
def test_a_dump_cut_at_any_byte_is_an_error_and_keeps_its_whole_pages_on_request(
    form: str, tmp_path: Path
) -> None:
    data = compressed(form, many_pages(120))
    chosen = random.Random(f"cuts of {form}")
    for number, cut in enumerate(sorted(chosen.sample(range(1, len(data)), CUTS))):
        dump = tmp_path / f"cut-{number}.xml.bz2"
        dump.write_bytes(data[:cut])
        refused, kept = tmp_path / f"refused-{number}", tmp_path / f"kept-{number}"
        with pytest.raises(InputError, match=dump.name) as refusal:
            extract(dump, refused)
        assert refusal.value.exit_code == 2
        assert not (refused / files.STATS).exists()
        assert not refused.exists() or list(refused.glob("part-*")) == []
        with pytest.raises(InputError, match=dump.name):
            extract(dump, kept, keep_partial=True)
        before = whole_pages(data[:cut])
        ids = page_ids(kept) if kept.exists() else []
        assert ids == list(range(1, len(ids) + 1))
        assert len(ids) == before
        if kept.exists():
            assert files.read_stats(kept)["partial"]
            assert files.read_stats(kept)["counts"]["articles"] == before


def test_changed_settings_never_mix_with_the_parts_of_a_killed_run(tmp_path: Path) -> None:
    dump = tmp_path / "dump.xml"
    dump.write_bytes(dump_xml(many_pages(60)))
    out, fresh = tmp_path / "out", tmp_path / "fresh"
    extract(dump, out)
    # As a killed run leaves it: some parts, no manifest, the mark of unfinished work.
    (out / files.STATS).unlink()
    (out / files.UNFINISHED).touch()
    files.list_parts(out, whole=False)[-1].unlink()
    changed = "extract.page_megabytes=0.001"
    extract(dump, out, changed)
    extract(dump, fresh, changed)
    assert snapshot(out) == snapshot(fresh)
    assert files.read_stats(out)["counts"]["fallbacks"] == {"too long": 60}


@pytest.mark.usefixtures("not_forever")
def test_a_run_that_was_killed_goes_on_with_its_parts(tmp_path: Path) -> None:
    dump = tmp_path / "dump.xml"
    dump.write_bytes(dump_xml(many_pages(1200)))
    out, fresh = tmp_path / "out", tmp_path / "fresh"
    arguments = ["extract", "--dump", dump, "--out", out, "--workers", "2", "--quiet"]
    settings = ["--config", PARAMS, "--set", "extract.partition_megabytes=0.02"]
    command = [*SILVER, *map(str, [*arguments, *settings])]
    with subprocess.Popen(command, cwd=ROOT, start_new_session=True) as run:
        while run.poll() is None and len(list(out.glob("part-*.parquet"))) < 5:
            time.sleep(0.002)
        os.killpg(run.pid, signal.SIGKILL)
    assert run.returncode == -signal.SIGKILL
    assert not (out / files.STATS).exists()
    with pytest.raises(InputError, match="unfinished"):
        files.list_parts(out)
    made = {path: path.stat().st_mtime_ns for path in files.list_parts(out, whole=False)}
    extract(dump, out)
    assert len(made) >= 5
    assert {path: path.stat().st_mtime_ns for path in made} == made
    extract(dump, fresh)
    assert snapshot(out) == snapshot(fresh)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Programs begun here can be interrupted, even where the tests run in the background.

    A shell lets what it starts there ignore the signal, and children inherit that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("not_forever", "interruptible")
@pytest.mark.parametrize(
    ("number", "workers", "code", "said"),
    [(signal.SIGINT, 2, 130, "silver: interrupted"), (signal.SIGTERM, 1, 143, "")],
)
def test_a_run_that_is_asked_to_end_says_so_and_leaves_no_copies(
    number: int, workers: int, code: int, said: str, tmp_path: Path
) -> None:
    dump = tmp_path / "dump.xml.gz"
    dump.write_bytes(gzip.compress(dump_xml(many_pages(1200)), 1))
    out = tmp_path / "out"
    arguments = ["extract", "--dump", dump, "--out", out, "--workers", workers, "--quiet"]
    settings = ["--config", PARAMS, "--set", "extract.partition_megabytes=0.005"]
    command = [*SILVER, *map(str, [*arguments, *settings])]
    with subprocess.Popen(
        command, cwd=ROOT, start_new_session=True, stderr=subprocess.PIPE, text=True
    ) as run:
        while run.poll() is None and not list(out.glob("part-*.parquet")):
            time.sleep(0.002)
        # A terminal sends Ctrl-C to the workers too.
        (os.killpg if number == signal.SIGINT else os.kill)(run.pid, number)
        _, error = run.communicate()
    assert (run.returncode, error.strip()) == (code, said)
    assert {path.name for path in tmp_path.iterdir()} == {dump.name, out.name}


# ---------------------------------------------------------------- the real excerpt


@pytest.mark.real
@pytest.mark.usefixtures("not_forever")
def test_the_real_excerpt_cut_at_random_bytes_gives_exit_code_two(
    real_data: Path, tmp_path: Path
) -> None:
    data = (real_data / "dumps" / "enwiki-2016-excerpt.xml.bz2").read_bytes()
    chosen = random.Random("cuts of a real dump")
    dump = tmp_path / "cut.xml.bz2"
    kept = []
    for number, cut in enumerate(sorted(chosen.sample(range(1, len(data)), 3))):
        dump.write_bytes(data[:cut])
        out = tmp_path / f"out-{number}"
        options = ["--config", PARAMS, "--keep-partial", "--workers", "1", "--quiet"]
        command = [*SILVER, *map(str, ["extract", "--dump", dump, "--out", out, *options])]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert run.returncode == 2
        assert "cut.xml.bz2" in run.stderr
        assert "Traceback" not in run.stderr
        kept.append(len(page_ids(out)) if out.exists() else 0)
    assert kept == sorted(kept)
    assert kept[-1] > 0
