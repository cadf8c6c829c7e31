"""The three corpora that quote the older edition, each in the format it is published in."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Iterator
from typing import TextIO

from pipeline.sample.articles import Article, Paragraph
from pipeline.sample.prose import Sentence
from pipeline.sample.questions import Asked, fill

WIKIQA_HEADER = "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel\r\n"
_QUESTION_WORDS = ("what", "how", "who", "whom", "when", "where", "why", "which")
_BEFORE_MARK = re.compile(r"(?<=\S)([,.;:?!)])(?=\s|$|[,.;:])")
_AFTER_BRACKET = re.compile(r"\((?=\S)")
_CLITIC = re.compile(r"(?<=\w)('s)\b")


# ---------------------------------------------------------------- SelQA


def selqa_row(asked: Asked) -> dict[str, object]:
    """One SelQA question: the sentences of a section and the indices of those that answer."""
    candidates: list[str] = []
    answers: list[int] = []
    for paragraph in _section(asked.article, asked.paragraph.section):
        for use, sentence in asked.article.old_sentences(paragraph):
            if use is asked.use and any(slot in sentence.slots for slot in asked.slots):
                answers.append(len(candidates))
            candidates.append(as_extracted(sentence))
    question = asked.question
    reworded = _paraphrase(question, asked.article.catalog.questions)
    words = re.findall(r"[a-z]+", question.lower())
    return {
        "section": asked.paragraph.section,
        "question": reworded,
        "article": asked.article.entity.old_title,
        "is_paraphrase": reworded != question,
        "topic": asked.article.entity.kind.topic,
        "answers": answers,
        "candidates": candidates,
        "q_types": [word for word in _QUESTION_WORDS if word in words],
    }


def _paraphrase(question: str, others: dict[str, str]) -> str:
    """The question with its first words put otherwise, if there is another way for them."""
    for words, other in others.items():
        if question.startswith(words):
            return other + question.removeprefix(words)
    return question


def as_extracted(sentence: Sentence) -> str:
    """The sentence as an extractor leaves it that drops every template."""
    return " ".join(sentence.piece.holed.split()).replace(" .", ".").replace(" ,", ",")


def _section(article: Article, section: str) -> Iterator[Paragraph]:
    return (paragraph for paragraph in article.paragraphs if paragraph.section == section)


class ListWriter:
    """A JSON array written item by item, so that it may be of any length."""

    def __init__(self, out: TextIO, before: str = "[", after: str = "]") -> None:
        self._out = out
        self._after = after
        self._count = 0
        out.write(before)

    def write(self, item: object) -> int:
        """Add one item; returns its 0-based position."""
        if self._count:
            self._out.write(", ")
        self._out.write(json.dumps(item))
        self._count += 1
        return self._count - 1

    def close(self) -> None:
        """End the array."""
        self._out.write(self._after)


# ---------------------------------------------------------------- WikiQA


def wikiqa_lines(
    asked: Asked, question_id: str, document_id: str, *, answered: bool = True
) -> Iterator[str]:
    """The lines of one WikiQA question: the sentences of the article's lead with their labels."""
    article = asked.article
    number = 0
    for paragraph in _section(article, ""):
        for use, sentence in article.old_sentences(paragraph):
            right = answered and use is asked.use and asked.ask.slot in sentence.slots
            cells = (
                question_id, asked.question.lower(), document_id, article.entity.old_title,
                f"{document_id}-{number}", spaced(sentence.piece.rendered), str(int(right)),
            )  # fmt: skip
            yield "\t".join(cells) + "\r\n"
            number += 1


def spaced(words: str) -> str:
    """A sentence with a space before much of its punctuation, as WikiQA has it."""
    words = _CLITIC.sub(r" \1", words)
    return _BEFORE_MARK.sub(r" \1", _AFTER_BRACKET.sub("( ", words))


# ---------------------------------------------------------------- SQuAD


def squad_article(
    article: Article, questions: list[Asked], split: str, rng: random.Random
) -> dict[str, object]:
    """One article of SQuAD: v2.0 with impossible questions in train, v1.1 in dev."""
    paragraphs = []
    for paragraph in article.paragraphs:
        here = [asked for asked in questions if asked.paragraph is paragraph]
        if not here:
            continue
        context, starts = "", {}
        for use, sentence in article.old_sentences(paragraph):
            context += " " if context else ""
            for slot in sentence.slots:
                starts[id(use), slot] = len(context)
            context += sentence.piece.rendered
        rows = [_squad_question(asked, context, starts, split) for asked in here]
        if split == "train" and rng.random() < 0.4:
            rows += _impossible(article, paragraph, here[0], context, rng)
        paragraphs.append({"context": context, "qas": rows})
    return {"title": article.entity.old_title.replace(" ", "_"), "paragraphs": paragraphs}


def squad_id(asked: Asked, salt: str = "") -> str:
    """A question's id: 24 hexadecimal digits, as in SQuAD."""
    entity = asked.article.entity
    words = f"{entity.old_title}|{asked.use.old and asked.use.old.fact.key}|{asked.ask.slot}|{salt}"
    return hashlib.sha256(words.encode()).hexdigest()[:24]


def _squad_question(
    asked: Asked, context: str, starts: dict[tuple[int, str], int], split: str
) -> dict[str, object]:
    start = starts[id(asked.use), asked.ask.slot]
    found = re.search(rf"(?<!\w){re.escape(asked.answer)}(?!\w)", context[start:], re.IGNORECASE)
    assert found is not None
    begin, end = start + found.start(), start + found.end()
    answer = {"text": context[begin:end], "answer_start": begin}
    row: dict[str, object] = {"question": asked.question, "id": squad_id(asked)}
    if split == "train":
        return row | {"answers": [answer], "is_impossible": False}
    return row | {"answers": [answer] * 3}


def _impossible(
    article: Article, paragraph: Paragraph, asked: Asked, context: str, rng: random.Random
) -> list[dict[str, object]]:
    """A question that the article answers elsewhere, with a span that might be taken for it."""
    others = [
        use
        for other in article.paragraphs
        if other is not paragraph
        for use in other.uses
        if use.old is not None and use.old.fact.asks
    ]
    if not others:
        return []
    use = rng.choice(others)
    assert use.old is not None
    ask = rng.choice(use.old.fact.asks)
    begin = max(context.find(asked.answer), 0)
    plausible = {"text": context[begin : begin + len(asked.answer)], "answer_start": begin}
    return [
        {
            "question": fill(ask.words, article, use),
            "id": squad_id(asked, f"impossible {use.old.fact.key} {ask.slot}"),
            "plausible_answers": [plausible],
            "answers": [],
            "is_impossible": True,
        }
    ]
