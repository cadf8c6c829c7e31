"""The slices that a report of selection or triggering is broken down by.

``topic``, ``question_type`` (a question of two types counts in both) and ``paraphrase`` are the
corpus's own. ``section_length`` counts the sentences that the answer is chosen from, empty ones
left out. ``overlap`` is that of words between question and answer sentence: the harmonic mean of
the share of the question's words that the sentence has and of the sentence's that the question has,
of the answer sentence where it is highest; in quartiles of the questions given.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.matching.tokens import tokenize
from pipeline.records import Question

SECTION_LENGTHS = ((1, 5), (6, 10), (11, 20))
NO_ANSWER = "no answer sentence"


def slices_of(
    questions: Sequence[Question], lengths: Sequence[int] | None = None
) -> dict[str, list[tuple[str, ...]]]:
    """By breakdown, the values that each question counts in; a breakdown nobody tells is left out.

    ``lengths`` are those of the sections where the questions' candidates are more than one.
    """
    if lengths is None:
        lengths = [sum(map(bool, question.candidates)) for question in questions]
    found: dict[str, list[tuple[str, ...]]] = {
        "topic": [_told(question, "topic") for question in questions],
        "question_type": [_told(question, "q_types") for question in questions],
        "paraphrase": [_told(question, "is_paraphrase") for question in questions],
        "section_length": [(length_bin(length),) for length in lengths],
        "overlap": [(quartile,) for quartile in overlap_quartiles(questions)],
    }
    return {name: values for name, values in found.items() if any(values)}


def _told(question: Question, key: str) -> tuple[str, ...]:
    return tuple(filter(None, question.attributes.get(key, "").split(";")))


def length_bin(sentences: int) -> str:
    """The bin of a number of sentences, such that bins sort by length."""
    for low, high in SECTION_LENGTHS:
        if sentences <= high:
            return f"{low:02d}-{high:02d} sentences"
    return f"{SECTION_LENGTHS[-1][1] + 1} sentences or more"


def overlap(question: Question) -> float | None:
    """Words that question and answer sentence share, from 0 to 1; None without answer sentence."""
    asked = set(tokenize(question.question))
    found = [
        2 * len(asked & words) / (len(asked) + len(words)) if asked | words else 0.0
        for words in (set(tokenize(sentence)) for sentence in question.answer_sentences)
    ]
    return max(found, default=None)


def overlap_quartiles(questions: Sequence[Question]) -> list[str]:
    """The quartile of each question's overlap, with its bounds, among the questions that have one.

    A value at a bound belongs to the lower quartile, so that equal overlaps stay together.
    """
    values = [overlap(question) for question in questions]
    known = [value for value in values if value is not None]
    if not known:
        return [NO_ANSWER] * len(values)
    edges = np.quantile(np.array(known), [0.0, 0.25, 0.5, 0.75, 1.0])
    names = [f"Q{n + 1} [{edges[n]:.3f}, {edges[n + 1]:.3f}]" for n in range(4)]
    return [
        NO_ANSWER if value is None else names[int(np.searchsorted(edges[1:4], value, side="left"))]
        for value in values
    ]
