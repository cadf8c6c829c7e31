"""silver fuse: several TREC runs become one by reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline import files
from pipeline.datasets.trec import parse_run, run_lines
from pipeline.errors import InputError
from pipeline.evaluation.fusion import fused_scores


def run_fuse(runs: Sequence[Path], out: Path, depth: int, k: int) -> dict[str, int]:
    """Write one run of all questions of the runs; returns the counts.

    A question that one of the runs lacks is ranked by the others, and counted.
    """
    if len(runs) < 2:
        raise InputError("--run: fusing takes two runs or more")
    read = []
    for path in runs:
        with files.open_text(path) as lines:
            run = parse_run(lines, str(path))
        if not run:
            raise InputError(f"{path}: empty; expected a TREC run")
        read.append(run)
    names = sorted(set().union(*read))
    counts = {
        "questions": len(names),
        "not_in_all": sum(not all(name in run for run in read) for name in names),
        "lines": 0,
    }

    def fused() -> Iterator[str]:
        for name in names:
            rankings = [[passage for passage, _ in run.get(name, ())] for run in read]
            hits = fused_scores(rankings, depth, k)
            counts["lines"] += len(hits)
            yield from run_lines(name, hits)

    files.write_lines(out, fused())
    fingerprint = files.fingerprint("fuse", depth, k, [files.file_fingerprint(run) for run in runs])
    files.write_json(files.sidecar(out, "stats.json"), files.stats(counts, fingerprint))
    return counts
