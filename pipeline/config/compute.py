"""How the work is done: what changes no result, and what the machine has."""

from __future__ import annotations

import os

from pydantic import Field

from pipeline.config.sections import Section


class Compute(Section):
    """How the work is done: it changes no result."""

    workers: int | None = Field(default=None, ge=1)
    memory: str | None = Field(default=None, pattern=r"^[0-9]+(\.[0-9]+)? ?([kKMGT]i?)?B?$")
    scheduler: str | None = None
    java_heap: str = Field(default="2g", pattern=r"^[1-9][0-9]*[kmgKMG]$")
    quiet: bool = False

    def processes(self) -> int:
        """Worker processes to use: the configured number, or one a core of this process."""
        return self.workers or available_cores()


def available_cores() -> int:
    """The cores that this process may use; all of the machine's where the system cannot tell."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
