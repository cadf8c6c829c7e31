"""Predictions in every form, and what is wrong with them in one sentence."""

import json

import pytest

from pipeline.errors import InputError
from pipeline.evaluation.predictions import (
    has_section_labels,
    known_ids,
    prediction_counts,
    read_answers,
    read_scores,
    read_section_labels,
)
from tests.evaluation.asked import asked

GOLD = [asked("1", [0, 1, 0]), asked("2", [1, 0])]


def lines(text: str) -> list[tuple[int, str]]:
    return [(n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]


SCORES = {"own-1": {0: 0.5, 1: 2.0, 2: -1.0}, "own-2": {0: 1e-3, 1: 0.25}}
FORMS = {
    "JSON lines": '{"question_id": "own-1", "scores": [0.5, 2, -1]}\n'
    '{"question_id": "own-2", "scores": [0.001, 0.25]}\n',
    "a JSON list": '[{"question_id": "own-1", "scores": [0.5, 2, -1]},\n'
    '{"question_id": "own-2", "scores": [0.001, 0.25]}]',
    "a JSON object": '{"own-1": [0.5, 2, -1],\n "own-2": {"scores": [0.001, 0.25]}}',
    "TSV": "own-1\t0\t0.5\nown-1\t1\t2\nown-1\t2\t-1\nown-2\t1\t.25\nown-2\t0\t1e-3\n",
    "TSV with a header": "question_id\tcandidate_index\tscore\nown-1\t0\t0.5\nown-1\t1\t2\n"
    "own-1\t2\t-1\nown-2\t1\t.25\nown-2\t0\t1e-3\n",
    "a TREC run": "own-1 Q0 own-1-c1 1 2 x\nown-1 Q0 own-1-c0 2 0.5 x\nown-1 Q0 own-1-c2 3 -1 x\n"
    "own-2 Q0 own-2-c1 7 0.25 x\nown-2 Q0 own-2-c0 7 0.001 x\n",
    "a TREC run with tabs": "own-1\tQ0\town-1-c1\t1\t2\tx\nown-1\tQ0\town-1-c0\t2\t0.5\tx\n"
    "own-1\tQ0\town-1-c2\t3\t-1\tx\nown-2\tQ0\town-2-c1\t1\t0.25\tx\n"
    "own-2\tQ0\town-2-c0\t2\t0.001\tx\n",
    "ids without the corpus": "1\t0\t0.5\n1\t1\t2\n1\t2\t-1\n2\t1\t.25\n2\t0\t1e-3\n",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_scores_are_the_same_in_every_form(text: str) -> None:
    found = read_scores(lines(text), "p", GOLD)
    assert found.values == SCORES
    assert (found.unknown, found.duplicates, found.ranked) == (0, 0, False)


def test_a_ranking_is_an_order_of_some_candidates() -> None:
    found = read_scores(lines('{"question_id": "own-1", "ranking": [2, 0]}'), "p", GOLD)
    assert found.values == {"own-1": {2: 0.0, 0: -1.0}}
    assert found.ranked
    counts = prediction_counts(found, GOLD)
    assert counts == {"missing": 1, "unknown": 0, "duplicates": 0, "candidates_missing": 1}


def test_of_a_duplicate_the_last_counts_and_unknown_ids_are_counted_once() -> None:
    found = read_scores(lines("own-1\t0\t1\nown-1\t0\t2\nown-9\t0\t1\nown-9\t1\t1"), "p", GOLD)
    assert found.values == {"own-1": {0: 2.0}}
    assert (found.unknown, found.duplicates) == (1, 1)
    rows = [{"question_id": "own-2", "scores": [1, 2]}, {"question_id": "2", "scores": [3, 4]}]
    found = read_scores(lines("\n".join(map(json.dumps, rows))), "p", GOLD)
    assert found.values == {"own-2": {0: 3.0, 1: 4.0}}
    assert found.duplicates == 1
    assert read_scores(lines('{"own-2": [1, 2], "own-2": [3, 4]}'), "p", GOLD).duplicates == 1


def test_where_the_gold_names_no_split_an_id_may_name_any() -> None:
    from dataclasses import replace

    question = replace(asked("x", [1]), question_id="own-all-7", split="all")
    names = known_ids([question])
    assert names["own-dev-7"] == names["dev-7"] == names["own-all-7"] == "own-all-7"
    assert names["7"] == "own-all-7"
    assert "own-7" not in names


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"question_id": "own-1", "scores": [1, 2]}', "line 1: 2 scores"),
        ('{"question_id": "own-1", "scores": [1, 2, NaN]}', "no finite number"),
        ('{"question_id": "own-1", "scores": [1, 2, Infinity]}', "no finite number"),
        ('{"question_id": "own-1", "scores": [1, 2, null]}', "no finite number"),
        ('{"question_id": "own-1", "scores": [1, 2, true]}', "no finite number"),
        ('{"question_id": "own-1", "scores": [1, 2, "x"]}', "no finite number"),
        ('{"question_id": "own-1", "ranking": [3]}', "candidate 3"),
        ('{"question_id": "own-1", "ranking": [-1]}', "candidate -1"),
        ('{"question_id": "own-1", "ranking": [1, 1]}', "ranked twice"),
        ('{"question_id": "own-1", "ranking": [0.5]}', "whole number"),
        ('{"question_id": "own-1", "ranking": [true]}', "whole number"),
        ('{"question_id": "own-1"}', "neither 'scores' nor 'ranking'"),
        ('{"scores": [1]}\n{"scores": [1]}', "line 1: no 'question_id'"),
        ('{"question_id": "own-1", "scores": [1, 2, 3]}\n{"question', "line 2: not valid JSON"),
        ("[1]", "entry 1: expected a JSON object"),
        ("own-1\t0", "line 1: 2 columns"),
        ("own-1\t0\t1\nown-1\t1", "line 2: 2 columns"),
        ("own-1\t0\tnan", "no finite number"),
        ("own-1\t0\tinf", "no finite number"),
        ("own-1\t0\thigh", "no finite number"),
        ("own-1\t3\t1", "question 'own-1': candidate 3; it has 3, counted from 0"),
        ("own-1\tx\t1", "whole number"),
        ("own-1 Q0 own-1-c9 1 1 x", "candidate 9"),
        ("own-1 Q0 own-1-c0 1 nan x", "no finite number"),
        ("own-1 Q0 own-2-c0 1 1 x", "is not of question 'own-1'"),
        ("own-1 Q0 7-0 1 1 x", "expected '<question_id>-c<index>'"),
        ("own-1 Q0 own-1-c0 1 1 x\nown-1 Q0", "line 2: 2 fields"),
        ("own-8\t0\t1\nown-9\t0\t1", "no question id is in the gold file; found 'own-8'"),
    ],
)
def test_wrong_predictions_are_refused_with_their_place(text: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        read_scores(lines(text), "p.tsv", GOLD)
    assert words in str(refused.value)
    assert str(refused.value).startswith("p.tsv")


@pytest.mark.parametrize("text", ["own-1\t0\t", "own-1\t", "own-1 Q0 ", "", '{"question_id": "'])
def test_a_message_quotes_no_more_than_a_line(text: str) -> None:
    long = text + "x" * 10_000
    for line in (long, long + " 1 1 x", long + "\t1", long + '", "scores": [1]}'):
        with pytest.raises(InputError) as refused:
            read_scores(lines(line), "p", GOLD)
        assert len(str(refused.value)) < 300


SIZES = {"own-1": 2, "own-2": 5}


@pytest.mark.parametrize(
    "text",
    [
        '{"question_id": "own-1", "section_index": 1, "label": 1}\n'
        '{"question_id": "2", "section_index": 4, "label": 0}',
        "question_id\tsection_index\tlabel\nown-1\t1\t1\nown-2\t4\t0",
    ],
)
def test_sections_are_labelled_0_or_1(text: str) -> None:
    found = read_section_labels(lines(text), "p", SIZES, known_ids(GOLD))
    assert found.values == {("own-1", 1): 1, ("own-2", 4): 0}
    assert has_section_labels(lines(text), "p")


def test_three_columns_without_a_header_may_be_sections_or_candidates() -> None:
    with pytest.raises(InputError, match="no header, so sections or candidates"):
        has_section_labels(lines("own-1\t0\t1"), "p")
    assert not has_section_labels(lines("question_id\tcandidate_index\tscore"), "p")
    assert not has_section_labels(lines("own-1 Q0 own-1-c0 1 1 x"), "p")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("own-1\t2\t1", "it has 2 sections"),
        ("own-1\t0\t0.5", "expected 0 or 1"),
        ("own-1\tx\t1", "whole number"),
        ('{"question_id": "own-1", "section_index": 0}', "expected 0 or 1"),
        ('{"question_id": "own-1", "label": 0}', "whole number"),
        ("own-7\t0\t1", "no question id"),
    ],
)
def test_wrong_sections_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        read_section_labels(lines(text), "p", SIZES, known_ids(GOLD))
    assert words in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        '[{"question_id": "a", "pred": "x y"}, {"question_id": "b", "pred": ""}]',
        '{"a": "x y", "b": ""}',
        '{"question_id": "a", "pred": "x y"}\n{"question_id": "b", "answer": ""}',
        "a\tx y\nb\t",
    ],
)
def test_answers_are_the_same_in_every_form(text: str) -> None:
    found = read_answers(lines(text), "p", ["a", "b", "c"])
    assert found.values == {"a": "x y", "b": ""}


def test_of_duplicate_answers_the_last_counts() -> None:
    found = read_answers(lines('{"a": "x", "a": "y", "z": "u"}'), "p", ["a"])
    assert (found.values, found.duplicates, found.unknown) == ({"a": "y"}, 1, 1)


@pytest.mark.parametrize("text", ['{"a": 1}', '[{"question_id": "a"}]', "a", '{"z": "y"}'])
def test_wrong_answers_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^p"):
        read_answers(lines(text), "p", ["a"])
