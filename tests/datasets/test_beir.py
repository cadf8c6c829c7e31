"""BEIR's files, and the card that describes them."""

import pytest

from pipeline.datasets.beir import corpus_line, parse_qrels, qrels_lines, query_line
from pipeline.datasets.card import dataset_card
from pipeline.errors import InputError
from tests.fakes import config, passage, question


def test_lines_have_the_keys_that_beirs_loader_reads() -> None:
    assert corpus_line(passage("1-0", "Salt.", title="Tin")) == {
        "_id": "1-0", "title": "Tin", "text": "Salt.",
    }  # fmt: skip
    assert query_line(question("own-dev-1")) == {"_id": "own-dev-1", "text": "Where is it?"}


def test_qrels_have_a_header_and_are_sorted() -> None:
    assert list(qrels_lines({"q2": {"b", "a"}, "q1": {"c"}})) == [
        "query-id\tcorpus-id\tscore",
        "q1\tc\t1",
        "q2\ta\t1",
        "q2\tb\t1",
    ]


def test_written_qrels_are_read_again_and_a_wrong_line_is_quoted_as_it_stands() -> None:
    lines = list(qrels_lines({"q2": {"b", "a"}}))
    assert parse_qrels(lines, "t.tsv") == {"q2": {"a": 1, "b": 1}}
    for line, message in (
        ("q2\tb\thigh", "t.tsv, line 4: relevance 'high'; expected"),
        ("q2\tb", "t.tsv, line 4: 2 columns; expected query-id, corpus-id, score"),
        ("q2\tb\t0", "t.tsv, line 4: passage 'b' of question 'q2' is judged twice, 1 and 0"),
    ):
        with pytest.raises(InputError) as caught:
            parse_qrels([*lines, line], "t.tsv")
        assert message in str(caught.value)


def test_the_card_states_the_settings_and_counts_and_says_pooled_where_it_is() -> None:
    full = dataset_card("own", config(), {"passages": 7, "questions_with_qrels": 3})
    assert full.startswith("# own: answer passage retrieval\n")
    for row in ("| threshold | 0.4 |", "| weights of 1-, 2- and 3-grams | 0.25, 0.35, 0.4 |",
                "| passages | 7 |", "| questions with qrels | 3 |"):  # fmt: skip
        assert row in full
    assert "short answers" not in full
    assert "saw the short answers" in dataset_card("own", config(), {}, circular=True)
    pooled = dataset_card("own", config("datasets.collection=pooled"), {})
    assert "no collection to retrieve from" in pooled
    assert "no collection to retrieve from" not in full
