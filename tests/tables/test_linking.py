"""Which titles a cell means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tables.linking import chosen_titles, is_linkable


def titles(cell: str, *offered: str, context: str = "", threshold: float = 0.6) -> list[str]:
    return [title for title, _ in chosen_titles(cell, context, offered, threshold)]


def test_the_title_that_the_cell_says_is_chosen() -> None:
    assert titles("Lund Harbour", "Lund", "Lund Harbour", "Harbour") == ["Lund Harbour"]


def test_what_the_cell_leaves_out_may_be_said_by_the_table() -> None:
    offered = ("Lund (film)", "Lund national rugby team")
    assert titles("Lund", offered[1]) == []
    assert titles("Lund", offered[1], context="National rugby teams team") == [offered[1]]


def test_brackets_that_the_table_says_tell_articles_of_one_name_apart() -> None:
    offered = ("Storm (film)", "Storm (song)")
    assert titles("Storm", *offered, context="Songs of 1999 song")[0] == "Storm (song)"
    assert titles("Storm", *offered, context="A film list")[0] == "Storm (film)"


def test_a_cell_may_mean_several_articles_of_different_words() -> None:
    found = titles("Ada Berg Stone Bridge", "Ada Berg", "Stone Bridge", "Bridge", threshold=0.5)
    assert found == ["Ada Berg", "Stone Bridge"]


def test_a_title_that_shares_no_word_is_never_chosen() -> None:
    assert titles("Lund", "Vik", context="Vik", threshold=0.0) == []


@pytest.mark.parametrize(
    ("text", "linkable"),
    [("Lund", True), ("1862", False), ("3-0", False), ("", False), ("–", False), ("F 16", True),
     ("word " * 31, False)],
)  # fmt: skip
def test_numbers_marks_and_running_text_name_no_article(text: str, linkable: bool) -> None:
    assert is_linkable(text) is linkable


words = st.sampled_from(["lund", "port", "vik", "the", "1862"])
phrases = st.lists(words, min_size=1, max_size=4).map(" ".join)


@given(phrases, phrases, st.lists(phrases, max_size=4), st.floats(0, 1))
def test_scores_are_shares_and_a_higher_threshold_adds_no_title(
    cell: str, context: str, offered: list[str], threshold: float
) -> None:
    found = chosen_titles(cell, context, offered, threshold)
    assert all(threshold <= score <= 1 for _, score in found)
    assert len(found) <= 4
    stricter = dict(chosen_titles(cell, context, offered, min(1.0, threshold + 0.3)))
    assert set(stricter) <= set(dict(found))
