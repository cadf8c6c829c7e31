"""One function over many tasks: in this process, or on local processes that may die."""

import contextlib
import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import cluster
from pipeline.errors import InputError, SilverError
from tests import fakes
from tests.fakes import compute


def test_one_worker_or_one_task_runs_in_this_process() -> None:
    here = os.getpid()
    assert cluster.run_tasks(lambda _: os.getpid(), [1, 2], compute(workers=1), "x") == [here, here]
    assert cluster.run_tasks(lambda _: os.getpid(), [1], compute(workers=4), "x") == [here]
    assert cluster.run_tasks(fakes.refused_at_3, [], compute(workers=4), "x") == []


def test_an_error_in_this_process_is_the_one_that_was_raised() -> None:
    with pytest.raises(InputError, match="found a hole"):
        cluster.run_tasks(fakes.refused_at_3, range(5), compute(), "x")


@given(st.integers(0, 200), st.integers(1, 50))
def test_ranges_cover_every_number_once_in_order(count: int, size: int) -> None:
    ranges = cluster.chunk_ranges(count, size)
    assert [n for start, stop in ranges for n in range(start, stop)] == list(range(count))
    assert all(0 < stop - start <= size for start, stop in ranges)


def test_without_a_terminal_progress_is_a_line_a_minute_and_quiet_is_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_LINE_SECONDS", 0.0)
    assert list(cluster.show_progress("abc", 3, quiet=True, label="extract")) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""
    assert list(cluster.show_progress("ab", 2, quiet=False, label="extract")) == ["a", "b"]
    shown = capsys.readouterr()
    assert shown.err == "extract: 0 of 2\nextract: 1 of 2\n"
    assert shown.out == ""


def test_a_task_whose_worker_died_runs_again_and_results_keep_the_order_of_the_tasks(
    tmp_path: Path,
) -> None:
    """Dask's usual port is taken, as by another run: a warning of it would be an error here."""
    tasks = [tmp_path / name for name in "badc"]
    for task in tasks[1:]:
        task.touch()
    with socket.socket() as taken:
        with contextlib.suppress(OSError):  # by another run indeed
            taken.bind(("127.0.0.1", 8787))
            taken.listen()
        assert cluster.run_tasks(fakes.died_once, tasks, compute(workers=2), "x") == list("badc")


def test_a_scheduler_that_nobody_runs_is_one_plain_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 0.3)
    address = "tcp://127.0.0.1:9"
    with pytest.raises(InputError, match=f"scheduler {address}: no Dask scheduler answers"):
        cluster.run_tasks(fakes.refused_at_3, [1], compute(scheduler=address), "x")


@pytest.mark.parametrize("address", ["nowhere", "", "http://x", "tcp://", "::", "a b", "x:port"])
def test_what_is_no_address_is_not_waited_for(address: str) -> None:
    with pytest.raises(InputError, match="expected an address"):
        cluster.run_tasks(fakes.refused_at_3, [1], compute(scheduler=address), "x")


def test_workers_that_do_not_start_are_no_fault_of_a_scheduler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError("Cluster failed to start: no free port")

    monkeypatch.setattr("distributed.LocalCluster", fail)
    with pytest.raises(SilverError, match=r"extract: worker processes .* no free port.*--workers"):
        cluster.run_tasks(fakes.refused_at_3, [1, 2], compute(workers=2), "extract")


def test_a_task_that_kills_worker_after_worker_is_named_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "_ALLOWED_FAILURES", 1)
    named = r"extract: the worker of task 2 of 2 \(1\) died 2 times"
    with pytest.raises(SilverError, match=named) as caught:
        cluster.run_tasks(fakes.deadly, [0, 1], compute(workers=2), "extract")
    assert caught.value.exit_code == 1
