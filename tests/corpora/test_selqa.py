"""SelQA from JSON and from TSV."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpora import selqa
from pipeline.errors import InputError
from tests.corpora.support import selqa_row, sorted_out, write, write_json

LIGHT = "When was the light built?"
FIRST, SECOND, THIRD = "It was built in 1901.", "A ferry calls there.", "It burned in 1950."


def test_a_question_carries_its_article_section_and_types(tmp_path: Path) -> None:
    row = selqa_row(LIGHT, [SECOND, FIRST], [1], q_types=["when", "what"], is_paraphrase=True)
    path = write_json(tmp_path / "dev.json", [row])
    (question,), rejected = sorted_out(selqa.read_selection_json(path, "selqa", "dev"))
    assert not rejected
    assert question.question_id == "selqa-dev-0"
    assert question.title == "Harbour of Lund"
    assert question.candidates == (SECOND, FIRST)
    assert question.labels == (0, 1)
    assert question.answer_sentences == (FIRST,)
    assert question.attributes == {
        "is_paraphrase": "true",
        "q_types": "when;what",
        "section": "History",
        "topic": "TRAVEL",
    }


def test_empty_candidates_keep_their_place_in_the_json(tmp_path: Path) -> None:
    path = write_json(tmp_path / "dev.json", [selqa_row(LIGHT, ["", SECOND, FIRST], [2])])
    (question,), _ = sorted_out(selqa.read_selection_json(path, "selqa", "dev"))
    assert question.candidates == ("", SECOND, FIRST)
    assert question.labels == (0, 0, 1)


def test_an_answer_index_of_an_empty_candidate_is_no_answer_and_is_told(tmp_path: Path) -> None:
    path = write_json(tmp_path / "dev.json", [selqa_row(LIGHT, ["", FIRST], [0, 1])])
    (question,), _ = sorted_out(selqa.read_selection_json(path, "selqa", "dev"))
    assert question.labels == (0, 1)
    assert question.answer_sentences == (FIRST,)
    assert question.attributes["repairs"] == "empty answer sentence"


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (selqa_row(LIGHT, [FIRST], [1]), "answer index out of range"),
        (selqa_row(LIGHT, [FIRST], [-1]), "answer index out of range"),
        (selqa_row(LIGHT, [FIRST], ["0"]), "'answers' is no list of candidate indices"),
        (selqa_row(LIGHT, [FIRST], [True]), "'answers' is no list of candidate indices"),
        (selqa_row(" ", [FIRST], [0]), "no question text"),
        (selqa_row(LIGHT, [FIRST], [0], candidates="no list"), "'candidates' is no list of texts"),
        (selqa_row(LIGHT, [FIRST], [0], topic=3), "'topic' is no text"),
        ("no object", "not an object"),
    ],
)
def test_a_bad_row_is_dropped_with_a_reason_and_the_others_keep_their_ids(
    tmp_path: Path, row: object, reason: str
) -> None:
    good = selqa_row("Who came?", [SECOND], [0])
    path = write_json(tmp_path / "dev.json", [row, good])
    (question,), (rejected,) = sorted_out(selqa.read_selection_json(path, "selqa", "dev"))
    assert question.question_id == "selqa-dev-1"
    assert rejected.reason == reason
    assert rejected.where == "dev.json, question 1"


def test_a_tsv_question_is_a_run_of_lines(tmp_path: Path) -> None:
    lines = [("Q one ?", "A .", 0), ("Q one ?", "B .", 1), ("Q two ?", "C .", 1)]
    text = "".join(f"{q}\t{c}\t{label}\n" for q, c, label in lines)
    path = write(tmp_path / "dev.tsv", text)
    questions, rejected = sorted_out(selqa.read_tsv(path, "selqa", "dev"))
    assert not rejected
    assert [q.question_id for q in questions] == ["selqa-dev-0", "selqa-dev-1"]
    assert [q.labels for q in questions] == [(0, 1), (1,)]
    assert questions[0].answer_sentences == ("B .",)


def test_a_question_asked_again_later_is_another_question(tmp_path: Path) -> None:
    path = write(tmp_path / "dev.tsv", "Q ?\tA\t1\nR ?\tB\t1\nQ ?\tC\t0\n")
    questions, _ = sorted_out(selqa.read_tsv(path, "selqa", "dev"))
    assert [(q.question, q.candidates) for q in questions] == [
        ("Q ?", ("A",)),
        ("R ?", ("B",)),
        ("Q ?", ("C",)),
    ]


def test_a_question_asked_twice_in_a_row_shows_by_its_repeated_candidates(tmp_path: Path) -> None:
    block = "Q ?\tA\t1\nQ ?\tB\t0\n"
    path = write(tmp_path / "dev.tsv", block + block + "R ?\tA\t1\n")
    questions, _ = sorted_out(selqa.read_tsv(path, "selqa", "dev"))
    assert [(q.question_id, q.candidates) for q in questions] == [
        ("selqa-dev-0", ("A", "B")),
        ("selqa-dev-1", ("A", "B")),
        ("selqa-dev-2", ("A",)),
    ]


def test_quotes_and_line_separators_of_unicode_are_plain_characters_in_tsv(tmp_path: Path) -> None:
    path = write(tmp_path / "dev.tsv", 'Q ?\t"A\u2028b\x85c\t1\r\nQ ?\td" e\t0\r\n')
    (question,), rejected = sorted_out(selqa.read_tsv(path, "selqa", "dev"))
    assert not rejected
    assert question.candidates == ('"A\u2028b\x85c', 'd" e')


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Q ?\tB", "line without three columns"),
        ("Q ?\tB\t1\tmore", "line without three columns"),
        ("Q ?\tB\tyes", "label is neither 0 nor 1"),
        ("\tB\t1", "no question text"),
        ("Q ?\t\t1", "empty answer sentence"),
    ],
)
def test_a_bad_line_is_dropped_alone(tmp_path: Path, line: str, reason: str) -> None:
    path = write(tmp_path / "dev.tsv", f"Q ?\tA\t1\n{line}\nQ ?\tC\t0\n")
    (question,), (rejected,) = sorted_out(selqa.read_tsv(path, "selqa", "dev"))
    assert question.candidates == ("A", "C")
    assert (rejected.reason, rejected.where) == (reason, "dev.tsv, line 2")
    assert rejected.unit == "part"


def test_another_file_of_the_same_split_counts_on(tmp_path: Path) -> None:
    json_path = write_json(tmp_path / "b.json", [selqa_row(LIGHT, [FIRST], [0])])
    tsv_path = write(tmp_path / "b.tsv", "Q ?\tA\t1\n")
    for items in (
        selqa.read_selection_json(json_path, "selqa", "dev", 7),
        selqa.read_tsv(tsv_path, "selqa", "dev", 7),
    ):
        assert [item.question_id for item in sorted_out(items)[0]] == ["selqa-dev-7"]


def triggering_row() -> dict:
    sections = [
        {"article": "Harbour", "section": "Light", "candidates": [SECOND, FIRST], "answers": [1]},
        *(
            {"article": f"Pier {n}", "section": "", "candidates": [f"Pier {n}."], "answers": []}
            for n in range(4)
        ),
    ]
    row = selqa_row(LIGHT, [], [])
    del row["candidates"], row["answers"]
    return row | {"candidate_list": sections}


def test_a_triggering_question_keeps_its_five_sections_apart(tmp_path: Path) -> None:
    path = write_json(tmp_path / "dev.json", [triggering_row()])
    (question,), rejected = sorted_out(selqa.read_triggering_json(path, "selqa", "dev"))
    assert not rejected
    assert question.candidates == (SECOND, FIRST, "Pier 0.", "Pier 1.", "Pier 2.", "Pier 3.")
    assert question.labels == (0, 1, 0, 0, 0, 0)
    sections = json.loads(question.attributes["sections"])
    assert sections[0] == {"article": "Harbour", "section": "Light", "candidates": 2}
    assert [section["candidates"] for section in sections] == [2, 1, 1, 1, 1]


def test_an_answer_index_out_of_range_in_one_section_drops_the_question(tmp_path: Path) -> None:
    row = triggering_row()
    row["candidate_list"][3]["answers"] = [1]
    path = write_json(tmp_path / "dev.json", [row])
    questions, (rejected,) = sorted_out(selqa.read_triggering_json(path, "selqa", "dev"))
    assert not questions
    assert rejected.reason == "answer index out of range"


def test_a_file_of_the_other_task_is_named_as_such(tmp_path: Path) -> None:
    triggering = write_json(tmp_path / "at.json", [triggering_row()])
    selection = write_json(tmp_path / "ass.json", [selqa_row(LIGHT, [FIRST], [0])])
    with pytest.raises(InputError, match=r"no 'candidates'; expected SelQA's JSON for selection"):
        list(selqa.read_selection_json(triggering, "selqa", "dev"))
    with pytest.raises(InputError, match=r"no 'candidate_list'; .* for triggering"):
        list(selqa.read_triggering_json(selection, "selqa", "dev"))


def test_json_that_is_no_list_is_refused(tmp_path: Path) -> None:
    path = write_json(tmp_path / "dev.json", {"data": []})
    with pytest.raises(InputError, match="expected a list of questions"):
        list(selqa.read_selection_json(path, "selqa", "dev"))


WORDS = st.text(alphabet="abc é.", min_size=1, max_size=6).map(str.strip).filter(bool)
# Distinct candidates, and no question twice in a row: what the TSV cannot tell apart.
ASKED = st.lists(
    st.tuples(
        WORDS,
        st.lists(WORDS, min_size=1, max_size=5, unique=True),
        st.sets(st.integers(0, 4)),
        st.booleans(),
    ),
    min_size=1,
    max_size=6,
).filter(lambda rows: all(a[0] != b[0] for a, b in pairwise(rows)))


@given(ASKED)
def test_json_and_tsv_give_the_same_ids_and_the_same_labels_for_the_same_sentences(
    tmp_path_factory: pytest.TempPathFactory, rows: list
) -> None:
    folder = tmp_path_factory.mktemp("forms")
    json_rows, lines = [], []
    for text, candidates, indices, with_hole in rows:
        offered = [*([""] if with_hole else []), *candidates]
        right = sorted(i + with_hole for i in indices if i < len(candidates))
        json_rows.append(selqa_row(text, offered, right))
        lines += [
            f"{text}\t{sentence}\t{int(place in right)}\n"
            for place, sentence in enumerate(offered)
            if sentence
        ]
    from_json, _ = sorted_out(
        selqa.read_selection_json(write_json(folder / "x.json", json_rows), "s", "dev")
    )
    from_tsv, _ = sorted_out(selqa.read_tsv(write(folder / "x.tsv", "".join(lines)), "s", "dev"))
    assert [q.question_id for q in from_json] == [q.question_id for q in from_tsv]
    for left, right in zip(from_json, from_tsv, strict=True):
        labelled = zip(left.candidates, left.labels, strict=True)
        assert [(text, label) for text, label in labelled if text] == list(
            zip(right.candidates, right.labels, strict=True)
        )
        assert left.answer_sentences == right.answer_sentences


@pytest.mark.real
def test_all_questions_of_selqa_dev_line_up_between_json_and_tsv(real_data: Path) -> None:
    folder = real_data / "qa"
    from_json, bad_json = sorted_out(
        selqa.read_selection_json(folder / "selqa-ass-dev.json", "selqa", "dev")
    )
    from_tsv, bad_tsv = sorted_out(selqa.read_tsv(folder / "selqa-ass-dev.tsv", "selqa", "dev"))
    assert not bad_json
    assert not bad_tsv
    assert len(from_json) == len(from_tsv) == 785
    assert sum(len(question.candidates) for question in from_json) == 9419
    assert sum(len(question.candidates) for question in from_tsv) == 9377

    def letters(text: str) -> str:
        return "".join(text.split())

    for left, right in zip(from_json, from_tsv, strict=True):
        assert left.question_id == right.question_id
        assert letters(left.question) == letters(right.question)
        labelled = zip(left.candidates, left.labels, strict=True)
        assert [(letters(text), label) for text, label in labelled if text] == [
            (letters(text), label)
            for text, label in zip(right.candidates, right.labels, strict=True)
        ]
