"""OTT-QA: the sentence of the traced passage that holds the answer."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.corpora import ottqa
from pipeline.corpora.links import title_of_link
from pipeline.corpora.ottqa import Node, nodes_of
from pipeline.corpora.registry import FORMATS, files_of
from pipeline.errors import InputError
from tests.corpora.support import sentences_at_full_stops, sorted_out, write, write_json

HARBOUR = "Lund Harbour is a port . It was opened in 1862 by Ada Berg . Ada Berg died in 1901 ."
BRIDGE = "The bridge is old . Nobody knows who built it ."


def row(answer: str, *nodes: list, **more: Any) -> dict[str, Any]:
    """One question in OTT-QA's form."""
    values = {
        "question_id": "q1",
        "question": "Who opened the port ?",
        "table_id": "Ports_of_the_north_0",
        "answer-text": answer,
        "question_postag": "WP VBD DT NN .",
        "answer-node": list(nodes),
    }
    return values | more


def passage(link: str, at: tuple[int, int] = (2, 0)) -> list:
    return [title_of_link(link), list(at), link, "passage"]


def cell(text: str, at: tuple[int, int] = (2, 1)) -> list:
    return [text, list(at), None, "table"]


def read(folder: Path, rows: object, passages: object = None) -> tuple:
    path = write_json(folder / "dev.traced.json", rows)
    if passages is not None:
        write_json(folder / "request_tok" / "Ports_of_the_north_0.json", passages)
    return sorted_out(ottqa.read(path, "ottqa", "dev", sentences_at_full_stops))


PASSAGES = {"/wiki/Lund_Harbour": HARBOUR, "/wiki/Stone_Bridge": BRIDGE}


def test_the_answer_sentence_is_the_one_of_the_traced_passage_that_holds_the_answer(
    tmp_path: Path,
) -> None:
    (question,), rejected = read(tmp_path, [row("1862", passage("/wiki/Lund_Harbour"))], PASSAGES)
    assert not rejected
    assert question.question_id == "ottqa-q1"
    assert question.title == "Lund Harbour"
    assert question.answer_sentences == ("It was opened in 1862 by Ada Berg .",)
    assert question.answers == ("1862",)
    assert question.attributes["table_id"] == "Ports_of_the_north_0"
    assert question.attributes["answer_in"] == "passage"
    assert nodes_of(question) == [Node(2, 0, "/wiki/Lund_Harbour")]


def test_an_answer_found_in_cells_alone_has_no_answer_sentence(tmp_path: Path) -> None:
    (question,), rejected = read(tmp_path, [row("Lund", cell("Lund"))], PASSAGES)
    assert not rejected
    assert question.answer_sentences == ()
    assert question.answers == ("Lund",)
    assert question.title == "Ports of the north"
    assert question.attributes["answer_in"] == "table"
    assert nodes_of(question) == [Node(2, 1, None)]


def test_an_answer_in_a_cell_and_a_passage_has_the_passages_sentence(tmp_path: Path) -> None:
    nodes = cell("1862"), passage("/wiki/Lund_Harbour")
    (question,), _ = read(tmp_path, [row("1862", *nodes)], PASSAGES)
    assert question.answer_sentences == ("It was opened in 1862 by Ada Berg .",)
    assert question.attributes["answer_in"] == "both"


def test_of_several_traced_passages_the_first_that_holds_the_answer_is_quoted(
    tmp_path: Path,
) -> None:
    nodes = passage("/wiki/Stone_Bridge"), passage("/wiki/Lund_Harbour")
    (question,), rejected = read(tmp_path, [row("1862", *nodes)], PASSAGES)
    assert not rejected
    assert question.title == "Lund Harbour"
    assert question.answer_sentences == ("It was opened in 1862 by Ada Berg .",)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("Ada Berg", "It was opened in 1862 by Ada Berg ."),  # the first of two
        ("ada berg died", "Ada Berg died in 1901 ."),
        ("port . It", "Lund Harbour is a port . It was opened in 1862 by Ada Berg ."),
        ("ort", "Lund Harbour is a port ."),
    ],
)
def test_an_answer_is_found_as_words_then_of_any_case_then_within_words(
    tmp_path: Path, answer: str, sentence: str
) -> None:
    (question,), _ = read(tmp_path, [row(answer, passage("/wiki/Lund_Harbour"))], PASSAGES)
    assert question.answer_sentences == (sentence,)


def test_whole_words_win_over_an_earlier_place_within_a_word(tmp_path: Path) -> None:
    passages = {"/wiki/Lund_Harbour": "In 1962 it rained . There are 62 berths ."}
    (question,), _ = read(tmp_path, [row("62", passage("/wiki/Lund_Harbour"))], passages)
    assert question.answer_sentences == ("There are 62 berths .",)


@pytest.mark.parametrize(
    ("passages", "reason"),
    [
        (None, "passages of the table are not beside the questions"),
        ({"/wiki/Stone_Bridge": BRIDGE}, "traced passage is not given"),
        ({"/wiki/Lund_Harbour": BRIDGE}, "answer is in no traced passage"),
    ],
)
def test_a_question_whose_sentence_cannot_be_quoted_is_kept_and_says_why(
    tmp_path: Path, passages: dict | None, reason: str
) -> None:
    rows = [row("1862", passage("/wiki/Lund_Harbour"))]
    (question,), (rejected,) = read(tmp_path, rows, passages)
    assert question.answer_sentences == ()
    assert question.answers == ("1862",)
    assert (rejected.reason, rejected.unit) == (reason, "part")


def test_questions_without_trace_or_answer_are_questions_all_the_same(tmp_path: Path) -> None:
    untraced = row("1862", question_id="a")
    del untraced["answer-node"]
    blind = row("", question_id="b")
    del blind["answer-node"], blind["answer-text"]
    questions, rejected = read(tmp_path, [untraced, blind], PASSAGES)
    assert not rejected
    assert [question.answers for question in questions] == [("1862",), ()]
    assert all("answer_in" not in question.attributes for question in questions)
    assert nodes_of(questions[0]) == []


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("text", "not an object"),
        (row("1862", pred="1862"), "a prediction and no question"),
        (row("1862", question_id=None), "no question id"),
        (row("1862", question=7), "'question' is no text"),
        (row("1862", table_id="../secret"), "'table_id' is no name of a file"),
        (row("1862") | {"answer-node": {}}, "'answer-node' is no list of nodes"),
        (row("1862", ["a", [1], None, "table"]), "'answer-node' holds what is no node"),
        (row("1862", ["a", [1, 2], None, "passage"]), "'answer-node' holds what is no node"),
    ],
)
def test_a_row_that_is_no_question_is_dropped_with_its_reason(
    tmp_path: Path, broken: object, reason: str
) -> None:
    questions, (rejected,) = read(tmp_path, [broken, row("1862", question_id="good")], PASSAGES)
    assert [question.question_id for question in questions] == ["ottqa-good"]
    assert (rejected.reason, rejected.unit) == (reason, "question")
    assert rejected.where == "dev.traced.json, question 1"


def test_a_file_that_is_no_list_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no JSON list of questions"):
        read(tmp_path, {"reference": {}})


def test_passages_that_are_no_json_are_an_error_that_names_their_file(tmp_path: Path) -> None:
    write(tmp_path / "request_tok" / "Ports_of_the_north_0.json", "{")
    with pytest.raises(InputError, match=r"Ports_of_the_north_0\.json, line 1"):
        read(tmp_path, [row("1862", passage("/wiki/Lund_Harbour"))])


def test_of_a_folder_the_traced_files_are_taken(tmp_path: Path) -> None:
    for name in ("dev.json", "dev.traced.json", "dev_reference.json", "train.traced.json"):
        (tmp_path / name).touch()
    taken, passed_over = files_of(tmp_path, FORMATS["ottqa-json"])
    assert [path.name for path in taken] == ["dev.traced.json", "train.traced.json"]
    assert [path.name for path in passed_over] == ["dev.json", "dev_reference.json"]


def test_the_passages_beside_the_questions_are_known_to_the_stage(tmp_path: Path) -> None:
    read(tmp_path, [row("1862"), row("1862", table_id="Other_0")], PASSAGES)
    (file,) = ottqa.passage_files(tmp_path / "dev.traced.json")
    assert file.name == "Ports_of_the_north_0.json"
    assert list(ottqa.read_contexts(tmp_path / "dev.traced.json")) == [HARBOUR, BRIDGE]


@pytest.mark.real
def test_every_traced_passage_of_the_given_tables_holds_its_answer(real_data: Path) -> None:
    from pipeline.wikipedia.segmentation.sentences import make_splitter

    path = real_data / "ottqa" / "dev.traced.json"
    questions, rejected = sorted_out(
        ottqa.read(path, "ottqa", "dev", make_splitter("rules", "en", None))
    )
    assert len(questions) == 2214
    assert sum(bool(question.answer_sentences) for question in questions) == 726
    assert {item.reason for item in rejected} == {
        "passages of the table are not beside the questions"
    }
    assert len(rejected) == 1108
