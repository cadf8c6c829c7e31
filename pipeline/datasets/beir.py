"""BEIR's files: corpus.jsonl, queries.jsonl and qrels/<split>.tsv, as its loader reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pipeline.records import Passage, Question


def corpus_line(passage: Passage) -> dict[str, str]:
    """One passage of the collection."""
    return {"_id": passage.passage_id, "title": passage.title, "text": passage.text}


def query_line(question: Question) -> dict[str, str]:
    """One question."""
    return {"_id": question.question_id, "text": question.question}


def qrels_lines(qrels: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Header and tab-separated lines, sorted by question and passage; every relevance is 1."""
    yield "query-id\tcorpus-id\tscore"
    for question_id in sorted(qrels):
        for passage_id in sorted(qrels[question_id]):
            yield f"{question_id}\t{passage_id}\t1"
