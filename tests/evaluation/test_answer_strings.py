"""Answer strings in passages, as DPR finds them."""

import math
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.answer_strings import answer_ranks, answer_tokens, has_answer


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("Nile", "The NILE, a river."),
        ("the nile", "Along the Nile."),
        ("1,000", "some 1,000 people"),
        ("1, 000", "some 1,000 people"),
        ("caf\u00e9", "the cafe\u0301 there"),
        ("cafe\u0301", "the caf\u00e9 there"),
        ("U.S.", "the U . S . Army"),
        ("C++", "in C++."),
        ("...", "and so on ..."),
        ("\u6771\u4eac", "\u6771\u4eac is a city"),
    ],
)
def test_the_answers_tokens_are_a_run_of_the_texts(answer: str, text: str) -> None:
    assert has_answer([answer], text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("US", "the U.S. Army"),
        ("U.S.", "the US Army"),
        ("1,000", "some 1000 people"),
        ("1000", "some 1,000 people"),
        ("Beyonce", "Beyonc\u00e9 sang"),
        ("Beyonc\u00e9", "Beyonce sang"),
        ("Nil", "the Nile"),
        ("the Nile", "the blue Nile"),
        ("3\u20134", "3-4"),
        ("\u6771", "\u6771\u4eac"),
    ],
)
def test_other_tokens_are_no_answer(answer: str, text: str) -> None:
    assert not has_answer([answer], text)


@pytest.mark.parametrize("answer", ["", " ", "\t\n", "\u200b", "\u00a0", "\0"])
def test_an_answer_without_tokens_matches_nothing(answer: str) -> None:
    assert answer_tokens(answer) == []
    assert not has_answer([answer], "some text")
    assert not has_answer([answer], "")
    assert has_answer([answer, "text"], "some text")


def test_tokens_are_runs_of_letters_digits_and_marks_or_one_other_character() -> None:
    assert answer_tokens("Don't pay $1.50 (now)!") == [
        "don", "'", "t", "pay", "$", "1", ".", "50", "(", "now", ")", "!",
    ]  # fmt: skip
    assert answer_tokens("x_1") == ["x", "_", "1"]


@given(st.text())
def test_a_text_holds_itself_however_it_is_composed(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    assert has_answer([composed], text) == bool(answer_tokens(text))


def test_the_rank_is_that_of_the_first_passage_that_holds_an_answer() -> None:
    texts = {"1-0": "the Rhine", "1-1": "the Nile", "2-0": "the Nile again"}
    run = {"q1": ["1-0", "1-1", "2-0"], "q2": ["1-0", "9-9"]}
    answers = {"q1": ["Ob", "Nile"], "q2": ["Nile"], "q3": ["Nile"]}
    assert answer_ranks(answers, run, texts) == {"q1": 2, "q2": math.inf, "q3": math.inf}
