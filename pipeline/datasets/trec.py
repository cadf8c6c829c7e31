"""TREC's formats: run, qrels and topics, as trec_eval, ir_measures and Pyserini read them."""

from __future__ import annotations

import itertools
import math
import operator
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pipeline.errors import InputError

TAG = "silver"
_RELEVANCE = re.compile(r"-?[0-9]{1,9}")
_QUOTED = 80  # characters of a wrong line in a message
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

    The rank column is not trusted: the order follows from the scores. Ties go by ascending passage
    id, as Lucene's hits do here; trec_eval breaks them by descending id, which is why
    ``run_lines`` writes none.
    """
    run: Run = {}
    for question_id, passage_id, score in parse_run_lines(lines, source):
        run.setdefault(question_id, []).append((passage_id, score))
    for question_id, hits in run.items():
        hits.sort(key=lambda hit: (-hit[1], hit[0]))
        _check_once([passage_id for passage_id, _ in hits], question_id, source)
    return run


def rankings(lines: Iterable[str], source: str) -> Iterator[tuple[str, list[str]]]:
    """A run question by question: its passage ids in the order of ``parse_run``, memory flat.

    The lines of a question must stand together, as in every run that this project writes.
    """
    seen: set[str] = set()
    rows = parse_run_lines(lines, source)
    for question_id, together in itertools.groupby(rows, key=operator.itemgetter(0)):
        if question_id in seen:
            raise InputError(
                f"{source}: lines of question '{question_id}' in several places; "
                "expected a run sorted by question"
            )
        seen.add(question_id)
        hits = sorted((-score, passage_id) for _, passage_id, score in together)
        passage_ids = [passage_id for _, passage_id in hits]
        _check_once(passage_ids, question_id, source)
        yield question_id, passage_ids


def _check_once(passage_ids: Sequence[str], question_id: str, source: str) -> None:
    if len(set(passage_ids)) < len(passage_ids):
        raise InputError(f"{source}: question '{question_id}' has a passage twice")


def parse_run_lines(lines: Iterable[str], source: str) -> Iterator[tuple[str, str, float]]:
    """Question id, passage id and score of each line of a TREC run, in the order of the lines."""
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
            found = fields[4][:_QUOTED]
            raise InputError(f"{source}, line {number}: score '{found}' is no finite number")
        yield fields[0], fields[2], score


def parse_qrels(lines: Iterable[str], source: str) -> Qrels:
    """Read TREC qrels: per question the relevance of each judged passage."""
    qrels: Qrels = {}
    for number, line in enumerate(lines, start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 4:
            raise InputError(
                f"{source}, line {number}: found '{line.strip()[:_QUOTED]}'; "
                "expected 'qid 0 passage_id relevance'"
            )
        add_qrel(qrels, fields[0], fields[2], fields[3], f"{source}, line {number}")
    return qrels


def add_qrel(qrels: Qrels, question_id: str, passage_id: str, relevance: str, where: str) -> None:
    """Take up one judgment as it stands in a file; two that contradict each other are refused."""
    if not _RELEVANCE.fullmatch(relevance):
        found = relevance[:_QUOTED]
        raise InputError(f"{where}: relevance '{found}'; expected a whole number of few digits")
    judged = qrels.setdefault(question_id, {})
    level = int(relevance)
    if judged.setdefault(passage_id, level) != level:
        raise InputError(
            f"{where}: passage '{passage_id}' of question '{question_id}' is judged twice, "
            f"{judged[passage_id]} and {level}"
        )
