"""WikiQA's seven columns."""

from pathlib import Path

import pytest

from pipeline.corpora import wikiqa
from pipeline.errors import InputError
from tests.corpora.support import WIKIQA_HEADER, sorted_out, write
from tests.corpora.support import wikiqa as as_wikiqa

ASKED = ("Q7", "how tall is the old light", "D7", "Old light (Lund)")
NO = (*ASKED, "D7-0", "The \"old light , or 'Lamp' , stands in Lund .", "0")
YES = (*ASKED, "D7-1", "It is 31 m tall , and was built in 1901 .", "1")


def read(tmp_path: Path, text: str) -> tuple:
    return sorted_out(wikiqa.read(write(tmp_path / "WikiQA-dev.tsv", text), "wikiqa", "dev"))


def test_a_question_is_its_lines_with_quotes_and_spaced_punctuation_kept(tmp_path: Path) -> None:
    (question,), rejected = read(tmp_path, as_wikiqa(NO, YES))
    assert not rejected
    assert question.question_id == "wikiqa-Q7"
    assert question.split == "dev"
    assert question.title == "Old light (Lund)"
    assert question.candidates == (NO[5], YES[5])
    assert question.labels == (0, 1)
    assert question.answer_sentences == ("It is 31 m tall , and was built in 1901 .",)
    assert question.attributes == {"document_id": "D7"}


def test_an_open_quote_does_not_swallow_the_next_line(tmp_path: Path) -> None:
    opened = (*ASKED, "D7-0", '"It opens and never closes .', "0")
    (question,), _ = read(tmp_path, as_wikiqa(opened, YES))
    assert len(question.candidates) == 2


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_byte_order_mark_leave_no_trace(
    tmp_path: Path, ending: str, mark: str
) -> None:
    text = mark + as_wikiqa(YES).replace("\r\n", ending)
    (question,), rejected = read(tmp_path, text)
    assert not rejected
    assert question.labels == (1,)
    assert question.question_id == "wikiqa-Q7"


def test_the_header_may_be_missing_and_the_last_line_end_too(tmp_path: Path) -> None:
    text = as_wikiqa(NO, YES).removeprefix(WIKIQA_HEADER + "\r\n").removesuffix("\r\n")
    (question,), rejected = read(tmp_path, text)
    assert not rejected
    assert question.labels == (0, 1)


def test_a_question_without_a_right_sentence_is_there_without_answers(tmp_path: Path) -> None:
    (question,), _ = read(tmp_path, as_wikiqa(NO))
    assert question.answer_sentences == ()


def test_lines_of_one_question_belong_together_wherever_they_stand(tmp_path: Path) -> None:
    other = ("Q8", "who lit it", "D8", "Lamp", "D8-0", "Nobody did .", "0")
    questions, rejected = read(tmp_path, as_wikiqa(NO, other, YES))
    assert not rejected
    assert [(q.question_id, q.labels) for q in questions] == [
        ("wikiqa-Q7", (0, 1)),
        ("wikiqa-Q8", (0,)),
    ]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (YES[:6], "line without seven columns"),
        ((*YES, "more"), "line without seven columns"),
        (("", *YES[1:]), "no question id"),
        ((*YES[:6], "2"), "label is neither 0 nor 1"),
        ((*YES[:5], " ", "1"), "empty answer sentence"),
        (("Q7", "another question", *YES[2:]), "duplicate question id"),
        (NO, "duplicate sentence id"),
    ],
)
def test_a_bad_line_is_dropped_alone(tmp_path: Path, bad: tuple, reason: str) -> None:
    (question,), (rejected,) = read(tmp_path, as_wikiqa(NO, bad))
    assert question.candidates == (NO[5],)
    assert (rejected.reason, rejected.where) == (reason, "WikiQA-dev.tsv, line 3")


def test_a_question_without_text_is_dropped_whole(tmp_path: Path) -> None:
    questions, (rejected,) = read(tmp_path, as_wikiqa(("Q9", "", *YES[2:])))
    assert not questions
    assert (rejected.reason, rejected.unit) == ("no question text", "question")


def test_a_file_cut_off_within_a_line_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"WikiQA-dev.tsv, line 3: the file ends in the middle"):
        read(tmp_path, as_wikiqa(NO, YES)[:-30])


def test_a_file_of_other_columns_is_an_error_that_lists_the_right_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: no line has 7 columns; expected QuestionID, "):
        read(tmp_path, "question\tcandidate\t1\n")
