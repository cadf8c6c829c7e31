"""BEIR's files, and the card that describes them."""

from pipeline.datasets.beir import corpus_line, qrels_lines, query_line
from pipeline.datasets.card import dataset_card
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
