"""What the benchmarks share: measured commands, the peers' environment, tables."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeline import files
from pipeline.records import Question

ROOT = Path(__file__).resolve().parents[2]
SILVER = ROOT / ".venv" / "bin" / "silver"
PEERS = ROOT / ".uv" / "peers"


@dataclass(frozen=True, slots=True)
class Measured:
    """One command's run: seconds by the clock, CPU seconds with its children, peak memory.

    ``peak_megabytes`` is the largest single process of the command.
    """

    seconds: float
    cpu_seconds: float
    peak_megabytes: float
    output: str

    def counts(self) -> dict[str, Any]:
        """The JSON object on the last line of the output."""
        found: dict[str, Any] = json.loads(self.output.splitlines()[-1])
        return found


def run(command: Sequence[object], log: Path) -> Measured:
    """Run one command and measure it; its own message is shown when it fails."""
    words = [str(word) for word in command]
    out = log / "output.txt"
    started = time.perf_counter()
    opened = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    child = os.posix_spawn(
        words[0], words, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, opened, 1)]
    )
    os.close(opened)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(words)} failed; its message stands above")
    cpu = usage.ru_utime + usage.ru_stime
    return Measured(seconds, cpu, usage.ru_maxrss / 1024, out.read_text(encoding="utf-8"))


def silver(stage: str, arguments: Iterable[object], log: Path, workers: int = 1) -> Measured:
    """Run and measure one command of this project."""
    return run([SILVER, stage, *arguments, "--workers", workers, "--quiet"], log)


def peers_python() -> Path:
    """The Python of the peers' environment, which is made when it is not there yet."""
    python = PEERS / "bin" / "python"
    if not python.exists():
        private = ROOT / ".uv" / "uv" / "bin" / "uv"
        uv = shutil.which("uv") or str(private)
        command = [uv, "sync", "--quiet", "--frozen"]
        environment = {**os.environ, "UV_PROJECT_ENVIRONMENT": str(PEERS)}
        folder = ROOT / "scripts" / "benchmarks" / "peers"
        if subprocess.run(command, cwd=folder, env=environment).returncode != 0:
            sys.exit("the peers' environment could not be made; the lines above say why")
    return python


def repeat_questions(asked: Sequence[Question], times: int, path: Path) -> int:
    """Write the questions so many times over, with new ids; returns how many that are."""
    repeated = [
        replace(question, question_id=f"{question.question_id}-{number}")
        for number in range(times)
        for question in asked
    ]
    repeated.sort(key=lambda question: question.question_id)
    files.write_records(path, Question, repeated)
    return len(repeated)


def rate_of_workers(sizes: Sequence[tuple[int, Sequence[float]]]) -> tuple[float, float]:
    """Questions a second with one worker and with two, start-up taken off.

    ``sizes`` are a small and a large number of questions, each with the seconds of one worker and
    of two.
    """
    (few, short), (many, long) = sizes
    one, two = ((many - few) / (long[n] - short[n]) for n in (0, 1))
    return one, two


def folder_bytes(path: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def print_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print columns of equal width: the first to the left, the others to the right."""
    lines = [list(map(str, head)), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[n]) for line in lines) for n in range(len(head))]
    for line in lines:
        first = line[0].ljust(widths[0])
        rest = (cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))
        print("  ".join([first, *rest]))
