"""SelQA's answer triggering form of a silver standard: the sections that a search found.

As SelQA made its own (Jurczyk, Zhai and Choi, ICTAI 2016): the best five sections that Lucene finds
for a question, whether or not one of them answers it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pipeline.records import Passage, Question

Answers = Mapping[str, Collection[int]]


def triggering_row(
    question: Question, passages: Sequence[Passage], answers: Answers
) -> dict[str, Any]:
    """One question in SelQA's form; ``answers``: by passage, the sentences that answer it."""
    return {
        "question": question.question,
        "article": question.title or "",
        "section": question.attributes.get("section", ""),
        "topic": question.attributes.get("topic", ""),
        "q_types": [kind for kind in question.attributes.get("q_types", "").split(";") if kind],
        "is_paraphrase": question.attributes.get("is_paraphrase") == "true",
        "candidate_list": [
            {
                "article": passage.title,
                "section": passage.section,
                "candidates": passage.sentences(),
                "answers": sorted(answers.get(passage.passage_id, ())),
            }
            for passage in passages
        ],
    }
