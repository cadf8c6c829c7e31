"""The n-grams of a sentence's tokens."""

import pytest

from pipeline.matching.ngrams import ngrams


@pytest.mark.parametrize(
    ("order", "expected"),
    [(1, ["a", "b", "a"]), (2, ["a b", "b a"]), (3, ["a b a"])],
)
def test_ngrams_are_all_runs_of_tokens_with_repetitions(order: int, expected: list) -> None:
    assert list(ngrams(["a", "b", "a"], order)) == expected
    assert list(ngrams(["a"], 2)) == []
