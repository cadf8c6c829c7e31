"""Short answers: which tell something, and which passages hold one."""

import numpy as np
import pytest

from pipeline.matching.features import FEATURES, compare
from pipeline.matching.idf import Idf
from pipeline.matching.pair_texts import Pairs
from pipeline.matching.short_answers import telling_answers
from pipeline.matching.tokens import tokenize

SENTENCE = tokenize("It was founded in 1852 by Queen Victoria, with 4 gates; yes.")


@pytest.mark.parametrize(
    ("answers", "kept"),
    [
        (["1852", "in 1852"], [["1852"], ["in", "1852"]]),
        (["queen victoria", "Queen Victoria."], [["queen", "victoria"]]),
        (["Victoria Queen", "Orvik"], []),  # the answer sentence does not say so itself
        (["yes", "No", "4", "", "..."], []),
    ],
)
def test_answers_that_can_be_looked_for(answers: list[str], kept: list[list[str]]) -> None:
    assert telling_answers(answers, SENTENCE) == kept


def agreements(answers: list[list[str]], passages: list[list[str]], title: str = "") -> list[float]:
    """The feature for one answer sentence and each window of passages, given by sentences."""
    windows = [tokenize(sentence) for passage in passages for sentence in passage]
    owner = np.repeat(np.arange(len(passages)), [len(passage) for passage in passages])
    pairs = Pairs(
        answers=[SENTENCE],
        topics=[[]],
        windows=windows,
        titles=[tokenize(title) for _ in passages],
        answer=np.zeros(len(windows), dtype=np.int64),
        window=np.arange(len(windows)),
        passage=owner,
        single=np.ones(len(windows), dtype=bool),
        previous=np.full(len(windows), -1),
        short_answers=[answers],
    )
    return compare(pairs, Idf(9, {}))[1][:, list(FEATURES).index("short_answer")].tolist()


def test_one_answer_anywhere_in_the_passage_or_its_title_agrees_and_none_does_not() -> None:
    told, silent = ["It is old.", "Queen Victoria came."], ["Victoria was no queen."]
    assert agreements([["orvik"], ["queen", "victoria"]], [told, silent]) == [1, 1, -1]
    assert agreements([["lune"]], [silent], title="Lune") == [1]
    assert agreements([["queen"]], [["The queens came."]]) == [-1]


def test_where_no_answer_is_known_nothing_is_said() -> None:
    assert agreements([], [["Queen Victoria came."], ["It is old."]]) == [0, 0]
