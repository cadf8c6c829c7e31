"""What a reader is given: the best blocks of a question, cut to a budget of subword tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.evaluation.answer_strings import has_answer
from pipeline.records import Passage, Question
from pipeline.tables.subwords import Subwords, cut


@dataclass(frozen=True, slots=True)
class Given:
    """A block as a reader is given it; ``whole`` is False for the last one where it was cut."""

    block: Passage
    text: str
    tokens: int
    whole: bool


def within_budget(ranked: Iterable[Passage], subwords: Subwords, budget: int) -> list[Given]:
    """The blocks in their order until the budget is used up; the one it ends in is cut there."""
    given: list[Given] = []
    left = budget
    for block in ranked:
        text, tokens = cut(subwords, block.text, left)
        whole = len(text.rstrip()) == len(block.text.rstrip())
        if text:
            given.append(Given(block, text, tokens, whole))
            left -= tokens
        if not whole:
            break
    return given


def reader_line(question: Question, given: Sequence[Given]) -> dict[str, Any]:
    """One line of the reader's input; ``answer_in_input``: None where no answer is known."""
    return {
        "question_id": question.question_id,
        "question": question.question,
        "answers": list(question.answers),
        "answer_in_input": (
            any(has_answer(question.answers, item.text) for item in given)
            if question.answers
            else None
        ),
        "tokens": sum(item.tokens for item in given),
        "blocks": [
            {
                "id": item.block.passage_id,
                "title": item.block.title,
                "section": item.block.section,
                "text": item.text,
                "whole": item.whole,
            }
            for item in given
        ],
    }
