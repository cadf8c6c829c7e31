"""SQuAD v1.1 and v2.0: questions over paragraphs, answered by a span of the paragraph.

The answer sentence of a question is what the paragraph's sentences that the span covers read,
from the first to the last. Where a question has several spans, the first that can be placed
counts. Questions marked impossible have no answer sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.corpora.characters import repair_text
from pipeline.corpora.reading import read_json
from pipeline.corpora.rows import (
    BadRowError,
    Rejected,
    excerpt,
    make_id,
    make_question,
    optional_text,
    text_of,
)
from pipeline.errors import InputError
from pipeline.records import Question

OFFSET = "answer offset"

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Paragraph:
    """A paragraph with its article's title, and where it stands in the file.

    ``fault`` says why none of its questions can be used.
    """

    title: str | None
    context: str
    rows: Sequence[Any]
    where: str
    repairs: Sequence[str] = ()
    fault: str | None = None


def read(
    path: Path, corpus: str, split: str, splitter: Callable[[str], list[Span]]
) -> Iterator[Question | Rejected]:
    """Every question of a SQuAD file in its order."""
    for paragraph in _paragraphs(path):
        if isinstance(paragraph, Rejected):
            yield paragraph
            continue
        sentences = [] if paragraph.fault else splitter(paragraph.context)
        for number, row in enumerate(paragraph.rows, start=1):
            try:
                yield _question_of(row, paragraph, sentences, corpus, split)
            except BadRowError as problem:
                where = f"{paragraph.where}, question {number}"
                yield Rejected(reason=str(problem), where=where, what=excerpt(row))


def read_contexts(path: Path) -> Iterator[str]:
    """The paragraphs' texts: what a sentence splitter may be trained on."""
    for paragraph in _paragraphs(path):
        if isinstance(paragraph, _Paragraph):
            yield paragraph.context


def _paragraphs(path: Path) -> Iterator[_Paragraph | Rejected]:
    tree = read_json(path)
    articles = tree.get("data") if isinstance(tree, Mapping) else None
    if not isinstance(articles, list):
        raise InputError(f"{path}: no list named 'data'; expected SQuAD's JSON")
    for number, article in enumerate(articles, start=1):
        where = f"{path.name}, article {number}"
        paragraphs = article.get("paragraphs") if isinstance(article, Mapping) else None
        if not isinstance(paragraphs, list):
            reason = "article without paragraphs"
            yield Rejected(reason=reason, where=where, what=excerpt(article), unit="part")
            continue
        for position, paragraph in enumerate(paragraphs, start=1):
            yield _paragraph_of(paragraph, article, f"{where}, paragraph {position}")


def _paragraph_of(paragraph: Any, article: Mapping[str, Any], where: str) -> _Paragraph | Rejected:
    rows = paragraph.get("qas") if isinstance(paragraph, Mapping) else None
    if not isinstance(rows, list):
        reason = "paragraph without questions"
        return Rejected(reason=reason, where=where, what=excerpt(paragraph), unit="part")
    try:
        title = optional_text(article, "title")
        context, repairs = repair_text(text_of(paragraph, "context"))
    except BadRowError as problem:
        return _Paragraph(title=None, context="", rows=rows, where=where, fault=str(problem))
    title = None if title is None else title.replace("_", " ")
    return _Paragraph(title=title, context=context, rows=rows, where=where, repairs=repairs)


def _question_of(
    row: Any, paragraph: _Paragraph, sentences: Sequence[Span], corpus: str, split: str
) -> Question:
    if paragraph.fault:
        raise BadRowError(paragraph.fault)
    if not isinstance(row, Mapping):
        raise BadRowError("not an object")
    impossible = row.get("is_impossible", False)
    if not isinstance(impossible, bool):
        raise BadRowError("'is_impossible' is neither true nor false")
    answers = [] if impossible else _answers_of(row)
    sentence, repairs = _answer_sentence(paragraph.context, sentences, answers)
    return make_question(
        question_id=make_id(corpus, row.get("id")),
        corpus=corpus,
        split=split,
        question=text_of(row, "question"),
        title=paragraph.title,
        answer_sentences=[sentence] if sentence else [],
        answers=[text for text, _ in answers],
        attributes={"is_impossible": str(impossible).lower()} if "is_impossible" in row else {},
        repairs=[*paragraph.repairs, *repairs],
    )


def _answers_of(row: Mapping[str, Any]) -> list[tuple[str, int | None]]:
    """Answer texts and where they start; None where the file says nothing usable."""
    answers = row.get("answers", [])
    if not isinstance(answers, list) or not all(isinstance(item, Mapping) for item in answers):
        raise BadRowError("'answers' is no list of spans")
    placed = []
    for answer in answers:
        text, _ = repair_text(text_of(answer, "text"))
        start = answer.get("answer_start")
        if text.strip():
            placed.append((text, start if type(start) is int else None))
    return placed


def _answer_sentence(
    context: str, sentences: Sequence[Span], answers: Sequence[tuple[str, int | None]]
) -> tuple[str | None, list[str]]:
    """The text of the covered sentences of the first answer that can be placed."""
    reason = None
    for text, start in answers:
        try:
            spans, repairs = _places(context, text, start)
            covered = {_covered(sentences, span) for span in spans}
            if len(covered) > 1:
                raise BadRowError("answer offset is wrong and its text stands in several places")
            begin, end = covered.pop()
            return context[begin:end], repairs
        except BadRowError as problem:
            reason = reason or problem
    if reason:
        raise reason
    return None, []


def _places(context: str, text: str, start: int | None) -> tuple[list[Span], list[str]]:
    """Where an answer stands: one span, or several equally likely ones.

    A wrong offset is read as one in bytes of UTF-8 and in units of UTF-16; where these do not
    agree on one place, the occurrences nearest to it are taken, before it and after.
    """
    if start is not None and start >= 0 and context.startswith(text, start):
        return [(start, start + len(text))], []
    first, last = context.find(text), context.rfind(text)
    if first < 0:
        raise BadRowError("answer text is not in its paragraph")
    found = {first, last}
    if start is not None and first != last:
        told = {place for place in _recounted(context, start) if context.startswith(text, place)}
        found = told if len(told) == 1 else _nearest(context, text, start)
    return [(place, place + len(text)) for place in sorted(found)], [OFFSET]


def _recounted(context: str, start: int) -> set[int]:
    """The offset read as one in bytes of UTF-8, and as one in units of UTF-16."""
    if start < 0:
        return set()
    as_bytes = context.encode("utf-8")[:start]
    as_units = context.encode("utf-16-le")[: 2 * start]
    return {len(as_bytes.decode("utf-8", "ignore")), len(as_units.decode("utf-16-le", "ignore"))}


def _nearest(context: str, text: str, start: int) -> set[int]:
    """The nearest occurrence of a text that occurs; two when they are equally near."""
    before = context.rfind(text, 0, max(start, 0) + len(text))
    after = context.find(text, max(start, 0))
    places = {place for place in (before, after) if place >= 0}
    distance = min(abs(place - start) for place in places)
    return {place for place in places if abs(place - start) == distance}


def _covered(sentences: Sequence[Span], span: Span) -> Span:
    """From the first to the last sentence that shares a character with the span."""
    start, end = span
    touched = [sentence for sentence in sentences if sentence[0] < end and sentence[1] > start]
    if not touched:
        raise BadRowError("answer span is in no sentence")
    return touched[0][0], touched[-1][1]
