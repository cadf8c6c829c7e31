"""Rows of a corpus as values: making a question of one, or saying why it is dropped."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

from pipeline.corpora.characters import repair_text
from pipeline.records import Question, is_split_name

# ``repairs`` among a question's attributes names what was put right in it, joined by ";".
REPAIRS = "repairs"
EMPTY_SENTENCE = "empty answer sentence"

_WHITE_SPACE = re.compile(r"\s")
_ESCAPE_LIKE = re.compile(r"%(?=[0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """One row that a reader drops: why, where it stands, and how it begins.

    ``unit`` is "question" for a whole question, "part" for what is no question by itself: a line
    of one that lives on without it, or a paragraph whose questions cannot even be counted.
    """

    reason: str
    where: str
    what: str
    unit: Literal["question", "part"] = "question"


class BadRowError(ValueError):
    """Raised inside a reader when a row cannot be used; the message is the reason."""


def make_id(corpus: str, own_id: object) -> str:
    """``<corpus>-<id>`` without white space, different for different ids.

    White space around an id is no part of it; inside it is percent-encoded, and so is a percent
    sign that would read as an encoding.
    """
    if isinstance(own_id, bool) or not isinstance(own_id, str | int):
        raise BadRowError("no question id")
    text = repair_text(str(own_id))[0].strip()
    if not text:
        raise BadRowError("no question id")
    text = _ESCAPE_LIKE.sub("%25", text)
    return f"{corpus}-{_WHITE_SPACE.sub(lambda match: quote(match.group()), text)}"


def make_question(
    *,
    question_id: str,
    corpus: str,
    split: str,
    question: str,
    title: str | None = None,
    answer_sentences: Sequence[str] = (),
    answers: Sequence[str] = (),
    candidates: Sequence[str] = (),
    labels: Sequence[int] = (),
    attributes: Mapping[str, str] | None = None,
    repairs: Sequence[str] = (),
) -> Question:
    """A checked question whose texts are stripped and have their characters repaired."""
    repaired = list(repairs)

    def clean(text: str) -> str:
        text, kinds = repair_text(text)
        repaired.extend(kinds)
        return text.strip()

    text = clean(question)
    if not text:
        raise BadRowError("no question text")
    if not is_split_name(split):
        raise BadRowError("split is no plain name")
    named = clean(title) if title is not None else ""
    sentences = tuple(filter(None, map(clean, answer_sentences)))
    if len(sentences) < len(answer_sentences):
        repaired.append(EMPTY_SENTENCE)
    short = tuple(dict.fromkeys(filter(None, map(clean, answers))))
    offered = tuple(map(clean, candidates))
    described = {clean(key): clean(value) for key, value in (attributes or {}).items() if value}
    if repaired:
        described[REPAIRS] = ";".join(sorted(set(repaired)))
    return Question(
        question_id=question_id,
        corpus=corpus,
        split=split,
        question=text,
        title=named or None,
        answer_sentences=sentences,
        answers=short,
        candidates=offered,
        labels=tuple(labels),
        attributes=dict(sorted(described.items())),
    )


def excerpt(value: object, length: int = 120) -> str:
    """How a dropped row begins, for a person to find it; always valid Unicode."""
    if isinstance(value, str):
        text = value
    else:
        try:
            text = json.dumps(value, ensure_ascii=False)
        except RecursionError:
            text = "nested too deeply"
    return repair_text(text[:length])[0]


# ---------------------------------------------------------------- values of JSON rows


def text_of(row: Mapping[str, Any], key: str) -> str:
    """A text that must be there."""
    value = row.get(key)
    if not isinstance(value, str):
        raise BadRowError(f"'{key}' is no text")
    return value


def optional_text(row: Mapping[str, Any], key: str) -> str | None:
    """A text, or None where the key is missing or null."""
    return None if row.get(key) is None else text_of(row, key)


def texts_of(row: Mapping[str, Any], key: str, *, optional: bool = False) -> list[str]:
    """A list of texts; an empty one where the key is missing and may be."""
    value = row.get(key)
    if value is None and optional:
        return []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadRowError(f"'{key}' is no list of texts")
    return value
