"""A small task with something to learn: the answer shares a rare word, and is never the first."""

from __future__ import annotations

import random
from collections.abc import Sequence

from pipeline.baselines.features import Terms, candidates_of, collection_of
from pipeline.baselines.tasks import GoldFile
from pipeline.evaluation.selection import question_groups
from pipeline.matching.tokens import tokenize
from pipeline.records import Question
from tests.evaluation.asked import asked


def made_questions(count: int, seed: int = 1, *, empty: float = 0.0) -> list[Question]:
    """Questions of four candidates, two an article; a share ``empty`` has no answer."""
    random_ = random.Random(seed)
    found = []
    for number in range(count):
        word = f"thing{seed}x{number}"
        right = random_.randrange(1, 4)
        texts = [f"The town has {random_.randrange(90)} mills and a fair ." for _ in range(4)]
        labels = [0, 0, 0, 0]
        if random_.random() >= empty:
            texts[right] = f"In 19{number:02d} Orvik had a {word} at last ."
            labels[right] = 1
        found.append(
            asked(f"{seed}-{number}", labels, title=f"A{seed}-{number // 2}", sections=[2, 2],
                  question=f"When did the town get a {word} ?", candidates=texts)
        )  # fmt: skip
    return found


def gold_file(questions: Sequence[Question]) -> GoldFile:
    """The questions with their features; tokens stand in for Lucene's terms."""
    texts = [text for row in questions for text in (row.question, *row.candidates)]
    terms = Terms({text: tokenize(text) for text in texts})
    collection = collection_of(questions, terms, 0.9, 0.4)
    return GoldFile(
        questions, candidates_of(questions, terms, collection), question_groups(questions)
    )
