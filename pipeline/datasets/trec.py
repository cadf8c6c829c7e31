"""TREC's formats: run, qrels and topics, as trec_eval, ir_measures and Pyserini read them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pipeline.errors import InputError

TAG = "silver"
Run = dict[str, list[tuple[str, float]]]
Qrels = dict[str, dict[str, int]]


def run_lines(question_id: str, hits: Sequence[tuple[str, float]]) -> Iterator[str]:
    """The run lines of one question: ``qid Q0 passage_id rank score silver``.

    ``hits`` are (passage id, score) in the order (-score, passage id). Scores have 9 significant
    digits and fall strictly, so that tools which sort by score alone keep the order of ties: an
    equal score is lowered to the next smaller 32-bit number, which is what such tools compare.
    """
    import numpy as np

    previous = np.float32(math.inf)
    for rank, (passage_id, score) in enumerate(hits, start=1):
        written = np.float32(score)
        if written >= previous:
            written = np.nextafter(previous, np.float32(-math.inf))
        previous = written
        yield f"{question_id} Q0 {passage_id} {rank} {float(written):.9g} {TAG}"


def qrels_lines(qrels: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """``qid 0 passage_id relevance`` lines, sorted by question and passage."""
    for question_id in sorted(qrels):
        for passage_id, relevance in sorted(qrels[question_id].items()):
            yield f"{question_id} 0 {passage_id} {relevance}"


def topics_lines(topics: Iterable[tuple[str, str]]) -> Iterator[str]:
    """``qid<TAB>text`` lines, as Pyserini reads topics: white space in a text becomes one space."""
    for question_id, text in topics:
        yield f"{question_id}\t{' '.join(text.split())}"


def parse_run(lines: Iterable[str], source: str) -> Run:
    """Read a TREC run: per question (passage id, score), ordered by (-score, passage id).

    The rank column is not trusted: the order follows from the scores, as trec_eval has it, with
    ties by passage id.
    """
    run: Run = {}
    for number, line in enumerate(lines, start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 6:
            raise InputError(
                f"{source}, line {number}: {len(fields)} fields; "
                "expected 'qid Q0 passage_id rank score tag'"
            )
        try:
            score = float(fields[4])
        except ValueError:
            score = math.nan
        if not math.isfinite(score):
            raise InputError(f"{source}, line {number}: score '{fields[4]}' is no finite number")
        run.setdefault(fields[0], []).append((fields[2], score))
    for question_id, hits in run.items():
        hits.sort(key=lambda hit: (-hit[1], hit[0]))
        if len({passage_id for passage_id, _ in hits}) < len(hits):
            raise InputError(f"{source}: question '{question_id}' has a passage twice")
    return run


def parse_qrels(lines: Iterable[str], source: str) -> Qrels:
    """Read TREC qrels: per question the relevance of each judged passage."""
    qrels: Qrels = {}
    for number, line in enumerate(lines, start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 4 or not fields[3].lstrip("-").isdigit():
            raise InputError(
                f"{source}, line {number}: found '{line.strip()}'; "
                "expected 'qid 0 passage_id relevance'"
            )
        qrels.setdefault(fields[0], {})[fields[2]] = int(fields[3])
    return qrels
