"""SQuAD v1.1 and v2.0: the sentences that an answer span covers."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpora import squad
from pipeline.errors import InputError
from tests.corpora.support import (
    asked,
    sentences_at_full_stops,
    sorted_out,
    write_json,
)
from tests.corpora.support import squad as as_squad

BRIDGE = "The bridge is old. It was built in 1724. A café opened on it. It closed in 1990."


def read(tmp_path: Path, tree: object) -> tuple:
    path = write_json(tmp_path / "dev.json", tree)
    return sorted_out(squad.read(path, "squad", "dev", sentences_at_full_stops))


def one(tmp_path: Path, context: str, row: dict) -> object:
    (question,), rejected = read(tmp_path, as_squad((context, [row])))
    assert not rejected
    return question


def test_the_answer_sentence_is_the_one_that_holds_the_span(tmp_path: Path) -> None:
    question = one(tmp_path, BRIDGE, asked("a1", ("1724", BRIDGE.index("1724"))))
    assert question.question_id == "squad-a1"
    assert question.title == "Stone Bridge"
    assert question.answer_sentences == ("It was built in 1724.",)
    assert question.answers == ("1724",)
    assert question.attributes == {}


def test_a_span_over_two_sentences_gives_both_joined(tmp_path: Path) -> None:
    text = "1724. A café"
    question = one(tmp_path, BRIDGE, asked("a1", (text, BRIDGE.index(text))))
    assert question.answer_sentences == ("It was built in 1724. A café opened on it.",)


def test_several_golds_give_one_sentence_and_every_distinct_short_answer(tmp_path: Path) -> None:
    spans = [("1724", BRIDGE.index("1724")), ("1990", BRIDGE.index("1990")), ("1724", 35)]
    question = one(tmp_path, BRIDGE, asked("a1", *spans))
    assert question.answer_sentences == ("It was built in 1724.",)
    assert question.answers == ("1724", "1990")


def test_an_impossible_question_has_no_answers_even_where_some_are_listed(tmp_path: Path) -> None:
    row = asked("a1", ("1724", 35), is_impossible=True, plausible_answers=[])
    question = one(tmp_path, BRIDGE, row)
    assert question.answer_sentences == question.answers == ()
    assert question.attributes == {"is_impossible": "true"}


def test_a_question_of_v2_that_can_be_answered_says_so(tmp_path: Path) -> None:
    row = asked("a1", ("1724", BRIDGE.index("1724")), is_impossible=False)
    question = one(tmp_path, BRIDGE, row)
    assert question.answer_sentences == ("It was built in 1724.",)
    assert question.attributes == {"is_impossible": "false"}


@pytest.mark.parametrize("offset", [0, 5, 33, 10_000, -3, None, "35", True])
def test_a_wrong_offset_of_a_text_that_stands_once_is_put_right(
    tmp_path: Path, offset: object
) -> None:
    question = one(tmp_path, BRIDGE, asked("a1", ("1724", offset)))
    assert question.answer_sentences == ("It was built in 1724.",)
    assert question.attributes == {"repairs": "answer offset"}


ECHO = "Zoë 🎷 met Zoë. The 🎷 sang to Bo. Then 🎷 went, and é was Bo. Bo."


@pytest.mark.parametrize("count", [lambda text: text.encode(), lambda t: t.encode("utf-16-le")])
def test_offsets_in_bytes_and_in_utf16_units_find_the_right_one_of_several(
    tmp_path: Path, count: object
) -> None:
    place = ECHO.index("Bo. Then")
    size = 2 if count("a") == b"a\0" else 1
    question = one(tmp_path, ECHO, asked("a1", ("Bo", len(count(ECHO[:place])) // size)))
    assert question.answer_sentences == ("The 🎷 sang to Bo.",)
    assert question.attributes == {"repairs": "answer offset"}


def test_the_nearest_of_several_occurrences_counts(tmp_path: Path) -> None:
    context = "Bo is here. Nobody else. Bo is there."
    question = one(tmp_path, context, asked("a1", ("Bo", 22)))
    assert question.answer_sentences == ("Bo is there.",)


def test_an_offset_midway_between_two_sentences_is_not_guessed(tmp_path: Path) -> None:
    context = "Bo is. 12345. Bo was."
    questions, (rejected,) = read(tmp_path, as_squad((context, [asked("a1", ("Bo", 7))])))
    assert not questions
    assert rejected.reason == "answer offset is wrong and its text stands in several places"
    nearer = one(tmp_path, context, asked("a1", ("Bo", 8)))
    assert nearer.answer_sentences == ("Bo was.",)


def test_a_text_that_stands_twice_in_one_sentence_needs_no_offset(tmp_path: Path) -> None:
    question = one(tmp_path, "Bo is Bo. He was.", asked("a1", ("Bo", None)))
    assert question.answer_sentences == ("Bo is Bo.",)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (asked("a1", ("1812", 3)), "answer text is not in its paragraph"),
        (asked("", ("1724", 35)), "no question id"),
        (asked(None, ("1724", 35)), "no question id"),
        (asked("a1", ("1724", 35), question=""), "no question text"),
        (asked("a1", ("1724", 35), question=None), "'question' is no text"),
        (asked("a1", (["1724"], 35)), "'text' is no text"),
        (asked("a1") | {"answers": "1724"}, "'answers' is no list of spans"),
        (asked("a1") | {"is_impossible": "no"}, "'is_impossible' is neither true nor false"),
        (["a1"], "not an object"),
    ],
)
def test_a_bad_question_is_dropped_with_its_place(tmp_path: Path, row: object, reason: str) -> None:
    good = asked("b", ("old", BRIDGE.index("old")))
    (question,), (rejected,) = read(tmp_path, as_squad((BRIDGE, [row, good])))
    assert question.question_id == "squad-b"
    assert rejected.reason == reason
    assert rejected.where == "dev.json, article 1, paragraph 1, question 1"


def test_a_gold_that_cannot_be_placed_gives_way_to_the_next(tmp_path: Path) -> None:
    row = asked("a1", ("1812", 0), ("1990", BRIDGE.index("1990")))
    assert one(tmp_path, BRIDGE, row).answer_sentences == ("It closed in 1990.",)


def test_a_question_without_answers_is_kept_as_unanswerable(tmp_path: Path) -> None:
    assert one(tmp_path, BRIDGE, asked("a1")).answer_sentences == ()
    assert one(tmp_path, BRIDGE, asked("a2", ("", 0))).answers == ()


def test_a_paragraph_of_broken_characters_is_mended_and_its_offsets_fit_again(
    tmp_path: Path,
) -> None:
    broken = BRIDGE.encode().decode("cp1252")
    question = one(tmp_path, broken, asked("a1", ("café", BRIDGE.index("café"))))
    assert question.answer_sentences == ("A café opened on it.",)
    assert question.attributes == {"repairs": "mojibake"}


def test_questions_of_a_paragraph_without_text_are_each_dropped(tmp_path: Path) -> None:
    tree = as_squad((BRIDGE, [asked("a1"), asked("a2")]), (BRIDGE, [asked("a3")]))
    del tree["data"][0]["paragraphs"][0]["context"]
    questions, rejected = read(tmp_path, tree)
    assert [q.question_id for q in questions] == ["squad-a3"]
    assert [item.reason for item in rejected] == ["'context' is no text"] * 2


@pytest.mark.parametrize("article", [None, {"title": "X"}, {"paragraphs": "none"}])
def test_a_malformed_article_or_paragraph_costs_only_itself(
    tmp_path: Path, article: object
) -> None:
    tree = as_squad((BRIDGE, [asked("a1")]))
    tree["data"].append(article)
    tree["data"][0]["paragraphs"].append({"context": BRIDGE})
    questions, rejected = read(tmp_path, tree)
    assert len(questions) == 1
    assert [item.unit for item in rejected] == ["part", "part"]


@pytest.mark.parametrize("tree", [[], {}, {"data": {}}, 3])
def test_json_that_is_no_squad_is_refused(tmp_path: Path, tree: object) -> None:
    with pytest.raises(InputError, match=r"dev.json: no list named 'data'; expected SQuAD's JSON"):
        read(tmp_path, tree)


def test_a_truncated_file_is_an_error_with_its_line(tmp_path: Path) -> None:
    text = json.dumps(as_squad((BRIDGE, [asked("a1")])), indent=1)
    (tmp_path / "dev.json").write_text(text[:-40])
    with pytest.raises(InputError, match=r"dev.json, line \d+: the file ends in the middle"):
        list(squad.read(tmp_path / "dev.json", "squad", "dev", sentences_at_full_stops))


def test_a_long_repetitive_paragraph_with_a_wrong_offset_takes_no_time(tmp_path: Path) -> None:
    context = "ab" * 200_000
    row = asked("a1", ("ba" * 100_000, 4))
    question = one(tmp_path, context, row)
    assert question.attributes == {"repairs": "answer offset"}


@given(
    st.lists(st.text("abcé 🎷", min_size=1).filter(str.strip), min_size=1, max_size=5),
    st.data(),
)
def test_the_answer_text_is_always_inside_its_answer_sentence(
    tmp_path_factory: pytest.TempPathFactory, sentences: list[str], data: st.DataObject
) -> None:
    context = ". ".join(sentences) + "."
    start = data.draw(st.integers(0, len(context) - 1))
    end = data.draw(st.integers(start + 1, len(context)))
    offset = data.draw(st.sampled_from([start, start + 1, len(context[:start].encode())]))
    tree = as_squad((context, [asked("a1", (context[start:end], offset))]))
    questions, rejected = read(tmp_path_factory.mktemp("squad"), tree)
    assert len(questions) + len(rejected) == 1
    for question in questions:
        for sentence in question.answer_sentences:
            assert context[start:end].strip() in sentence
            assert sentence in context


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "questions", "answerable"),
    [("xquad-en-v1.1.json", 1190, 1190), ("squad-v2.0-dev-half.json", 6078, 2910)],
)
def test_every_real_answer_is_inside_its_answer_sentence(
    real_data: Path, name: str, questions: int, answerable: int
) -> None:
    from pipeline.wikipedia.segmentation.sentences import make_splitter

    splitter = make_splitter("sentencex", "en")
    found, rejected = sorted_out(squad.read(real_data / "qa" / name, "squad", "dev", splitter))
    assert not rejected
    assert len(found) == questions
    with_answer = [question for question in found if question.answer_sentences]
    assert len(with_answer) == answerable
    for question in with_answer:
        assert question.answers[0] in question.answer_sentences[0]
        assert "repairs" not in question.attributes
