"""Small questions with candidates and labels, for the tests of evaluators."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pipeline.records import Question


def asked(
    name: str,
    labels: Sequence[int],
    *,
    title: str | None = None,
    question: str | None = None,
    candidates: Sequence[str] | None = None,
    sections: Sequence[int] | None = None,
    **attributes: str,
) -> Question:
    """A question of corpus ``own`` with one candidate a label, ``text 0`` and so on."""
    if candidates is None:
        candidates = [f"text {n}" for n in range(len(labels))]
    if sections is not None:
        listed = [{"article": "", "section": "", "candidates": size} for size in sections]
        attributes["sections"] = json.dumps(listed)
    return Question(
        question_id=f"own-{name}",
        corpus="own",
        split="dev",
        question=question or f"What is {name}?",
        title=title,
        candidates=tuple(candidates),
        labels=tuple(labels),
        answer_sentences=tuple(c for c, label in zip(candidates, labels, strict=True) if label),
        attributes=attributes,
    )


def scores(*values: float) -> dict[int, float]:
    """Scores of all candidates in order."""
    return dict(enumerate(values))
