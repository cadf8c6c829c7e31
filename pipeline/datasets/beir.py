"""BEIR's files: corpus.jsonl, queries.jsonl and qrels/<split>.tsv, as its loader reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pipeline.datasets.trec import Qrels, add_qrel
from pipeline.errors import InputError
from pipeline.records import Passage, Question

_HEADER = ["query-id", "corpus-id", "score"]


def corpus_line(passage: Passage) -> dict[str, str]:
    """One passage of the collection."""
    return {"_id": passage.passage_id, "title": passage.title, "text": passage.text}


def query_line(question: Question) -> dict[str, str]:
    """One question."""
    return {"_id": question.question_id, "text": question.question}


def qrels_lines(qrels: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Header and tab-separated lines, sorted by question and passage; every relevance is 1."""
    yield "\t".join(_HEADER)
    for question_id in sorted(qrels):
        for passage_id in sorted(qrels[question_id]):
            yield f"{question_id}\t{passage_id}\t1"


def parse_qrels(lines: Iterable[str], source: str) -> Qrels:
    """Read such a file, with its header or without."""
    qrels: Qrels = {}
    for number, line in enumerate(lines, start=1):
        cells = line.split("\t")
        if number == 1 and cells == _HEADER:
            continue
        where = f"{source}, line {number}"
        if len(cells) != len(_HEADER):
            raise InputError(f"{where}: {len(cells)} columns; expected {', '.join(_HEADER)}")
        add_qrel(qrels, cells[0], cells[1], cells[2], where)
    return qrels
