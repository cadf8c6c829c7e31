"""Running one ordinary function over many partitions: here, on local processes, or on a cluster.

With one worker or one partition the function runs in this process. Otherwise Dask runs it on
spawned processes, each with one thread and at most one Java virtual machine. Results come back in
the order of the tasks, so the number of workers never shows in the output.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing import resource_tracker
from typing import Any

from pipeline.config import Compute
from pipeline.errors import InputError, SilverError

_ALLOWED_FAILURES = 3
_ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?([\w.-]+|\[[0-9a-fA-F:]+\]):\d{1,5}")
_LINE_SECONDS = 60.0
_CONNECT_SECONDS = 30.0


def run_tasks[Task, Result](
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    compute: Compute,
    label: str,
) -> list[Result]:
    """``[function(task) for task in tasks]``, on as many processes as ``compute`` allows.

    An error of one task cancels the rest and is raised here. A task whose worker dies runs again
    on another; after three deaths the error names the task.
    """
    if compute.scheduler is None and (compute.processes() == 1 or len(tasks) <= 1):
        return [function(task) for task in show_progress(tasks, len(tasks), compute.quiet, label)]
    return _run_on_cluster(function, tasks, compute, label)


def _run_on_cluster[Task, Result](
    function: Callable[[Task], Result], tasks: Sequence[Task], compute: Compute, label: str
) -> list[Result]:
    with tempfile.TemporaryDirectory(prefix="silver-dask-") as scratch:
        # Without this Dask writes its default settings below the home folder when imported.
        os.environ.setdefault("DASK_CONFIG", scratch)
        import dask
        from distributed import Client, KilledWorker, as_completed

        for name in ("distributed", "bokeh", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        dask.config.set(
            {
                "distributed.scheduler.allowed-failures": _ALLOWED_FAILURES,
                "distributed.worker.multiprocessing-method": "spawn",
                "distributed.comm.timeouts.connect": "60s",
                # Samples every worker's stack a hundred times a second, for a dashboard.
                "distributed.worker.profile.enabled": False,
            }
        )
        cluster = None
        if compute.scheduler is not None and not _ADDRESS.fullmatch(compute.scheduler):
            raise InputError(
                f"scheduler '{compute.scheduler}': expected an address such as tcp://127.0.0.1:8786"
            )
        if compute.scheduler is None:
            workers = min(compute.processes(), len(tasks))
            with _interrupts_held():
                cluster = _local_cluster(workers, compute.memory, scratch, label)
        try:
            try:
                client = Client(
                    cluster or compute.scheduler, set_as_default=False, timeout=_CONNECT_SECONDS
                )
            except (OSError, ValueError) as error:
                if cluster is not None:
                    raise _not_started(label, error) from None
                raise InputError(
                    f"scheduler {compute.scheduler}: no Dask scheduler answers there ({error})"
                ) from None
            with client:
                futures = client.map(function, tasks, pure=False, retries=0)
                order = {future.key: number for number, future in enumerate(futures)}
                results: dict[int, Result] = {}
                finished = as_completed(futures, loop=client.loop)
                for future in show_progress(finished, len(tasks), compute.quiet, label):
                    number = order[future.key]
                    try:
                        results[number] = future.result()
                    except KilledWorker:
                        client.cancel(futures)
                        raise SilverError(
                            f"{label}: the worker of task {number + 1} of {len(tasks)} "
                            f"({tasks[number]}) died {_ALLOWED_FAILURES + 1} times, most likely "
                            "for want of memory; give it more, or make partitions smaller"
                        ) from None
                    except Exception:
                        client.cancel(futures)
                        raise
        finally:
            if cluster is not None:
                cluster.close()
    return [results[number] for number in range(len(tasks))]


def _local_cluster(workers: int, memory: str | None, scratch: str, label: str) -> Any:
    from distributed import LocalCluster

    try:
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            # Dask serves its state over HTTP all the same, and warns where its usual port is
            # taken by another run.
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            memory_limit=memory or "auto",
            local_directory=scratch,
            silence_logs=logging.CRITICAL,
        )
    except (OSError, RuntimeError) as error:
        raise _not_started(label, error) from None


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits until the block ends, and never reaches the threads and processes it starts.

    They inherit the mask: this process alone is interrupted, and ends its workers.
    """
    resource_tracker.ensure_running()  # its start lifts the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _not_started(label: str, error: Exception) -> SilverError:
    return SilverError(
        f"{label}: worker processes on this machine do not start ({error}); --workers 1 needs none"
    )


def show_progress[Item](
    items: Iterable[Item], total: int | None, quiet: bool, label: str
) -> Iterator[Item]:
    """Pass items through: a bar on a terminal, else a line a minute on standard error."""
    if quiet:
        yield from items
        return
    if sys.stderr.isatty():
        from tqdm import tqdm

        yield from tqdm(items, total=total, desc=label, unit="part")
        return
    last = time.monotonic()
    for done, item in enumerate(items):
        now = time.monotonic()
        if now - last >= _LINE_SECONDS:
            last = now
            print(f"{label}: {done} of {total or '?'}", file=sys.stderr, flush=True)
        yield item


def chunk_ranges(count: int, size: int) -> list[tuple[int, int]]:
    """Half-open ranges of at most ``size`` that cover ``range(count)``: one partition each."""
    return [(start, min(start + size, count)) for start in range(0, count, size)]
