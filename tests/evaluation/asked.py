"""Small questions with candidates and labels, for the tests of evaluators."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pipeline.records import Question


def asked(
    name: str, labels: Sequence[int], *, title: str | None = None, **more: object
) -> Question:
    """A question of corpus ``own`` with one candidate a label, ``text 0`` and so on."""
    candidates = tuple(more.pop("candidates", [f"text {n}" for n in range(len(labels))]))  # type: ignore[call-overload]
    sections = more.pop("sections", None)
    attributes = {key: str(value) for key, value in more.items() if key != "question"}
    if sections is not None:
        listed = [{"article": "", "section": "", "candidates": size} for size in sections]  # type: ignore[attr-defined]
        attributes["sections"] = json.dumps(listed)
    return Question(
        question_id=f"own-{name}",
        corpus="own",
        split="dev",
        question=str(more.get("question", f"What is {name}?")),
        title=title,
        candidates=candidates,
        labels=tuple(labels),
        answer_sentences=tuple(c for c, label in zip(candidates, labels, strict=True) if label),
        attributes=attributes,
    )


def scores(*values: float) -> dict[int, float]:
    """Scores of all candidates in order."""
    return dict(enumerate(values))
