"""The project's own plain form."""

import json
from pathlib import Path

import pytest

from pipeline.corpora import jsonl
from pipeline.errors import InputError
from tests.corpora.support import sorted_out, write

ROW = {"id": "q1", "question": "Who built it?", "answer_sentences": ["Ann built it."]}


def read(tmp_path: Path, *lines: object) -> tuple:
    text = "".join(
        (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)) + "\n"
        for line in lines
    )
    return sorted_out(jsonl.read(write(tmp_path / "mine.jsonl", text), "mine", "all"))


def test_a_line_is_a_question(tmp_path: Path) -> None:
    (question,), rejected = read(tmp_path, ROW)
    assert not rejected
    assert question.question_id == "mine-q1"
    assert question.answer_sentences == ("Ann built it.",)
    assert (question.title, question.answers, question.split) == (None, (), "all")


def test_the_optional_keys_are_read(tmp_path: Path) -> None:
    more = {
        "title": "Bridge",
        "answers": ["Ann", "Ann"],
        "split": "test",
        "attributes": {"topic": "ART", "hops": 2, "hard": True},
    }
    (question,), _ = read(tmp_path, ROW | more)
    assert (question.title, question.answers, question.split) == ("Bridge", ("Ann",), "test")
    assert question.attributes == {"hard": "true", "hops": "2", "topic": "ART"}


def test_null_is_as_good_as_missing(tmp_path: Path) -> None:
    (question,), _ = read(tmp_path, ROW | {"title": None, "answers": None, "split": None})
    assert question.title is None


def test_a_question_without_answer_sentences_is_unanswerable(tmp_path: Path) -> None:
    (question,), _ = read(tmp_path, ROW | {"answer_sentences": []})
    assert question.answer_sentences == ()


def test_ids_may_be_numbers_and_lose_their_white_space(tmp_path: Path) -> None:
    ids = [3, "a b", "a_b", "a%20b", " a\u00a0b "]
    questions, _ = read(tmp_path, *(ROW | {"id": own_id} for own_id in ids))
    found = [question.question_id for question in questions]
    assert found == ["mine-3", "mine-a%20b", "mine-a_b", "mine-a%2520b", "mine-a%C2%A0b"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({**ROW, "id": None}, "no question id"),
        ({**ROW, "id": True}, "no question id"),
        ({**ROW, "id": " "}, "no question id"),
        ({**ROW, "question": None}, "'question' is no text"),
        ({**ROW, "question": "\t"}, "no question text"),
        ({**ROW, "answer_sentences": "Ann built it."}, "'answer_sentences' is no list of texts"),
        ({**ROW, "answer_sentences": [1]}, "'answer_sentences' is no list of texts"),
        ({**ROW, "answer_sentences": None}, "'answer_sentences' is no list of texts"),
        ({**ROW, "split": "a b"}, "split is no plain name"),
        ({**ROW, "split": "../up"}, "split is no plain name"),
        ({**ROW, "attributes": [1]}, "'attributes' is no object"),
        ({**ROW, "attributes": {"a": [1]}}, "'attributes' holds more than plain values"),
        ([1], "not an object"),
        ('{"id": "q1", "question"', "line is not valid JSON"),
        ("[" * 100_000, "line is not valid JSON"),
    ],
)
def test_a_bad_line_is_dropped_with_its_number(tmp_path: Path, line: object, reason: str) -> None:
    questions, (rejected,) = read(tmp_path, ROW | {"id": "before"}, line, ROW)
    assert [question.question_id for question in questions] == ["mine-before", "mine-q1"]
    assert (rejected.reason, rejected.where) == (reason, "mine.jsonl, line 2")


def test_an_empty_answer_sentence_is_left_out_and_told(tmp_path: Path) -> None:
    (question,), _ = read(tmp_path, ROW | {"answer_sentences": ["", "Ann built it."]})
    assert question.answer_sentences == ("Ann built it.",)
    assert question.attributes["repairs"] == "empty answer sentence"


def test_blank_lines_and_separators_of_unicode_are_no_line_ends(tmp_path: Path) -> None:
    row = ROW | {"question": "Who\u2028built\x85it?"}
    questions, rejected = read(tmp_path, "", row, "  ")
    assert not rejected
    assert questions[0].question == "Who\u2028built\x85it?"


def test_a_file_cut_off_within_its_last_line_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.jsonl", json.dumps(ROW) + "\n" + json.dumps(ROW)[:-9])
    with pytest.raises(InputError, match=r"mine.jsonl, line 2: .* cut off; expected a whole file"):
        list(jsonl.read(path, "mine", "all"))


def test_a_last_line_that_is_whole_needs_no_line_end(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.jsonl", json.dumps(ROW))
    assert len(list(jsonl.read(path, "mine", "all"))) == 1


def test_a_json_list_is_refused_with_a_hint(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.jsonl", json.dumps([ROW], indent=1))
    with pytest.raises(InputError, match="expected one JSON object a line"):
        list(jsonl.read(path, "mine", "all"))


def test_a_lone_half_of_a_surrogate_pair_becomes_the_replacement_character(
    tmp_path: Path,
) -> None:
    line = r'{"id": "q\ud800", "question": "Who \udfff?", "answer_sentences": ["A\ud83c\udfb7."]}'
    (question,), _ = read(tmp_path, line)
    assert question.question == "Who \ufffd?"
    assert question.question_id == "mine-q\ufffd"
    assert question.answer_sentences == ("A🎷.",)
    assert question.attributes["repairs"] == "lone surrogate"
