"""Windows of adjacent sentences, and titles that name one article."""

import dataclasses

import pytest

from pipeline.matching.titles import title_key
from pipeline.matching.windows import Window, windows
from tests.fakes import passage


def test_windows_are_all_runs_of_sentences_up_to_the_longest() -> None:
    found = windows(passage("1-0", "One.", "Two.", "Three."), 2)
    assert [(window.first, window.count, window.text) for window in found] == [
        (0, 1, "One."),
        (0, 2, "One. Two."),
        (1, 1, "Two."),
        (1, 2, "Two. Three."),
        (2, 1, "Three."),
    ]


def test_a_passage_whose_sentences_nobody_marked_is_one_window() -> None:
    whole = dataclasses.replace(passage("1-0", "A. B."), sentence_starts=(), sentence_ends=())
    assert list(windows(whole, 3)) == [Window(0, 1, "A. B.")]


def test_an_empty_passage_has_no_window() -> None:
    assert list(windows(passage("1-0"), 3)) == []


@pytest.mark.parametrize("title", ["IPhone 6", "iPhone 6", "iPhone_6", " iPhone  6 ", "IPhone 6"])
def test_one_article_has_one_key_however_its_title_is_written(title: str) -> None:
    assert title_key(title) == "IPhone 6"


def test_composed_and_decomposed_titles_are_equal_and_case_inside_counts() -> None:
    assert title_key("Zu\u0308rich") == title_key("Z\u00fcrich")
    assert title_key("Iphone") != title_key("IPhone")
    assert title_key("") == ""
