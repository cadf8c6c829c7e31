"""The judging page as a file: whole, without a network, and its data is data."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.judgments import COLUMNS
from pipeline.reporting.judging import (
    GUIDELINE,
    JudgeItem,
    common_marks,
    json_element,
    render_judging_page,
)
from tests.reporting.test_page import tags_of
from tests.strategies import sentences, texts

HOSTILE = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">&amp;'
TEXT = "It is long. It flows north to the sea. It is wide."


def item(
    number: int,
    *,
    question: str = "Where?",
    answer: str = "It flows.",
    passage: str = TEXT,
    title: str = "Lune",
) -> JudgeItem:
    span = (12, 38) if passage == TEXT else (0, len(passage))
    return JudgeItem(
        pair_id=f"own-{number}", question_id=f"own-dev-{number}", question=question, title=title,
        answer_sentence=answer, passage_title=title, passage=passage, weight=1.5, threshold=0.4,
        role="report", span=span,
    )  # fmt: skip


def data_of(page: str) -> dict:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found.group(1))


def test_the_page_is_whole_and_loads_nothing_from_elsewhere() -> None:
    page = render_judging_page("own", [item(0)])
    assert {"main", "button", "progress", "script", "style"} <= set(tags_of(page).seen)
    assert not re.search(r"""\s(src|href)\s*=\s*["']|url\(|@import|https?://""", page)
    assert "default-src &#39;none&#39;" in page
    assert "unsafe" not in page


def test_the_guideline_is_printed() -> None:
    page = render_judging_page("own", [item(0)])
    assert all(line in page for line in GUIDELINE)


def test_similarity_and_rank_are_nowhere_in_the_page() -> None:
    (pair,) = data_of(render_judging_page("own", [item(0)]))["pairs"]
    assert set(pair["row"]) == set(COLUMNS)
    assert not {"similarity", "rank", "matched"} & set(pair["row"])


def test_hostile_text_stays_inside_its_element() -> None:
    page = render_judging_page(HOSTILE, [item(0, question=HOSTILE, passage=HOSTILE)])
    tags = tags_of(page)
    assert tags.seen.count("script") == 2 and "img" not in tags.seen
    (pair,) = data_of(page)["pairs"]
    assert pair["row"]["passage"] == HOSTILE


@given(texts)
def test_any_text_comes_back_from_the_element_and_cannot_end_it(text: str) -> None:
    element = json_element({"a": text})
    assert not set("<>&\u2028\u2029") & set(element)
    assert json.loads(element) == {"a": text}


def test_the_same_pairs_give_the_same_page_and_other_pairs_another_store() -> None:
    page = render_judging_page("own", [item(0), item(1)])
    assert page == render_judging_page("own", [item(0), item(1)])
    assert data_of(page)["key"] != data_of(render_judging_page("own", [item(0)]))["key"]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("to the sea", "Off to the sea!", [[0, 10, 3]]),
        ("to the sea", "the sea to", [[0, 2, 1], [3, 10, 2]]),
        ("A, b", "b a", [[0, 2, 1], [3, 4, 1]]),
        ("Israel 's", "Israel's", [[0, 9, 2]]),
        ("a b-c d", "a b c d", [[0, 7, 3]]),
        ("", "a", []),
        ("...", "...", []),
    ],
)
def test_words_in_common_are_marked_by_their_longest_ngram(
    one: str, other: str, expected: list[list[int]]
) -> None:
    assert common_marks(one, other)[0] == expected


@given(sentences, sentences)
def test_marks_are_ordered_disjoint_and_symmetric(one: str, other: str) -> None:
    ours, theirs = common_marks(one, other)
    assert common_marks(other, one) == (theirs, ours)
    ends = [0]
    for start, end, order in ours:
        assert ends[-1] <= start < end <= len(one) and 1 <= order <= 3
        ends.append(end)


@given(st.lists(st.sampled_from(["𝕏 a", "b-c", "é c=d"]), min_size=1).map(" ".join))
def test_pieces_make_up_the_texts(text: str) -> None:
    (pair,) = data_of(render_judging_page("own", [item(0, answer=text, passage=text)]))["pairs"]
    assert "".join(piece for piece, _ in pair["answer"]) == text
    window = "".join(piece for piece, _ in pair["window"])
    assert pair["before"] + window + pair["after"] == text
