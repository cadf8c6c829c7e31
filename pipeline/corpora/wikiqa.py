"""WikiQA: tab-separated lines, one a candidate sentence, in seven columns under a header.

QuestionID, Question, DocumentID, DocumentTitle, SentenceID, Sentence, Label. Lines end in CRLF,
quotes are plain characters, and much of the punctuation has a space before it, which is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.corpora.reading import read_cells
from pipeline.corpora.rows import (
    EMPTY_SENTENCE,
    BadRowError,
    Rejected,
    excerpt,
    make_id,
    make_question,
)
from pipeline.records import Question

COLUMNS = (
    "QuestionID", "Question", "DocumentID", "DocumentTitle", "SentenceID", "Sentence", "Label",
)  # fmt: skip


@dataclass(slots=True)
class _Asked:
    """The lines of one question, gathered wherever they stand in the file."""

    line: int
    question: str
    document_id: str
    title: str
    sentences: list[str] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)
    sentence_ids: set[str] = field(default_factory=set)


def read(path: Path, corpus: str, split: str) -> Iterator[Question | Rejected]:
    """The questions in the order of their first lines; a line that fits none is dropped alone."""
    asked: dict[str, _Asked] = {}
    for line, cells in read_cells(path, COLUMNS):
        if line.number == 1 and cells[0].casefold() == COLUMNS[0].casefold():
            continue
        reason = _fault_of_line(cells) or _add_line(asked, cells, line.number)
        if reason:
            where = f"{path.name}, line {line.number}"
            yield Rejected(reason=reason, where=where, what=excerpt(line.text), unit="part")
    for own_id, lines in asked.items():
        try:
            yield _question_of(own_id, lines, corpus, split)
        except BadRowError as problem:
            where = f"{path.name}, line {lines.line}"
            yield Rejected(reason=str(problem), where=where, what=excerpt(lines.question))


def _fault_of_line(cells: Sequence[str]) -> str | None:
    if len(cells) != len(COLUMNS):
        return "line without seven columns"
    if not cells[0]:
        return "no question id"
    if cells[6] not in ("0", "1"):
        return "label is neither 0 nor 1"
    if cells[6] == "1" and not cells[5]:
        return EMPTY_SENTENCE
    return None


def _add_line(asked: dict[str, _Asked], cells: Sequence[str], number: int) -> str | None:
    """Add a line to its question; what is wrong with it when it contradicts what is there."""
    own_id, question, document_id, title, sentence_id, sentence, label = cells
    lines = asked.setdefault(own_id, _Asked(number, question, document_id, title))
    if question != lines.question:
        return "duplicate question id"
    if sentence_id and sentence_id in lines.sentence_ids:
        return "duplicate sentence id"
    lines.sentence_ids.add(sentence_id)
    lines.sentences.append(sentence)
    lines.labels.append(int(label))
    return None


def _question_of(own_id: str, lines: _Asked, corpus: str, split: str) -> Question:
    return make_question(
        question_id=make_id(corpus, own_id),
        corpus=corpus,
        split=split,
        question=lines.question,
        title=lines.title,
        candidates=lines.sentences,
        labels=lines.labels,
        answer_sentences=[
            text for text, label in zip(lines.sentences, lines.labels, strict=True) if label
        ],
        attributes={"document_id": lines.document_id},
    )
