"""Lucene's analysis outside an index."""

from pipeline.lucene.analysis import analyze
from tests.lucene.conftest import INDEX


def test_terms_are_stemmed_and_stop_words_left_out() -> None:
    texts = ["Where were the Mayers' museums?", "", "the of", "Salt, salt; SALT 1902"]
    assert analyze(texts, INDEX.fields["contents"]) == [
        ["where", "were", "mayer", "museum"], [], [], ["salt", "salt", "salt", "1902"],
    ]  # fmt: skip


def test_shingles_are_terms_of_two_words() -> None:
    found = analyze(["salt and tin mills"], INDEX.fields["bigrams"])
    assert found == [["salt and", "and tin", "tin mill"]]
