"""Which words of a question are searched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.lucene.wording import without_words

WORDS = frozenset({"what", "is", "who", "did"})


@pytest.mark.parametrize(
    ("question", "searched"),
    [
        ("What is the capital of Chad?", "the capital of Chad?"),
        ("“Who” did (what) there?", "there?"),
        ("The Who is what?", "The"),
        ("Whatever happened?", "Whatever happened?"),
        ("Who is who?", "Who is who?"),
        ("what is ... ?", "what is ... ?"),
        ("", ""),
    ],
)
def test_words_of_asking_go_and_all_others_stay(question: str, searched: str) -> None:
    assert without_words(question, WORDS) == searched


@given(st.text())
def test_without_words_to_leave_out_a_text_is_itself(text: str) -> None:
    assert without_words(text, frozenset()) == text


@given(st.lists(st.sampled_from(["What", "is", "salt", "Did?", "tin,"])))
def test_what_stays_is_in_order_and_never_nothing(words: list[str]) -> None:
    text = " ".join(words)
    kept = without_words(text, WORDS).split()
    assert kept == [word for word in words if word in ("salt", "tin,")] or kept == words
    assert bool(kept) == bool(words)
