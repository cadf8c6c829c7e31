"""Small corpora in the true formats, and what a reader made of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pipeline.corpora.rows import Rejected
from pipeline.records import Question

WIKIQA_HEADER = "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel"


def write(path: Path, content: str | bytes) -> Path:
    """Write a file to the byte."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def write_json(path: Path, value: Any) -> Path:
    return write(path, json.dumps(value, ensure_ascii=False))


def wikiqa(*rows: tuple[str, ...]) -> str:
    """WikiQA's form: a header and CRLF after every line."""
    lines = [WIKIQA_HEADER, *("\t".join(row) for row in rows)]
    return "".join(line + "\r\n" for line in lines)


def selqa_row(question: str, candidates: list[str], answers: list[int], /, **more: Any) -> dict:
    """One question of SelQA's selection task."""
    row = {
        "section": "History",
        "question": question,
        "article": "Harbour of Lund",
        "is_paraphrase": False,
        "topic": "TRAVEL",
        "answers": answers,
        "candidates": candidates,
        "q_types": ["when"],
    }
    return row | more


def squad(*paragraphs: tuple[str, list[dict]], title: str = "Stone_Bridge") -> dict:
    """SQuAD's form, of one article; each paragraph a context and its questions."""
    listed = [{"context": context, "qas": rows} for context, rows in paragraphs]
    return {"version": "1.1", "data": [{"title": title, "paragraphs": listed}]}


def asked(own_id: str, *spans: tuple[str, int], **more: Any) -> dict:
    """One question of SQuAD with its answer spans."""
    answers = [{"text": text, "answer_start": start} for text, start in spans]
    return {"id": own_id, "question": "Which one is it?", "answers": answers} | more


def sentences_at_full_stops(text: str) -> list[tuple[int, int]]:
    """A splitter for tests: a sentence ends at ". " and at the end."""
    spans, start = [], 0
    for end in [*(i + 1 for i in range(len(text)) if text.startswith(". ", i)), len(text)]:
        while start < end and text[start].isspace():
            start += 1
        if start < end:
            spans.append((start, end))
        start = end
    return spans


def sorted_out(
    items: Iterable[Question | Rejected],
) -> tuple[list[Question], list[Rejected]]:
    """Questions and rejected rows apart, each in order."""
    everything = list(items)
    return (
        [item for item in everything if isinstance(item, Question)],
        [item for item in everything if isinstance(item, Rejected)],
    )
