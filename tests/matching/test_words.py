"""What single tokens are, and tables of them."""

import numpy as np
import pytest

from pipeline.matching.counts import count_ngrams, texts_of
from pipeline.matching.words import IN_DIGITS, number_table, stem, stem_masses, words


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("described", "description", True),
        ("parties", "posters", False),
        ("whips", "whip", False),  # short words are left alone: most are other words
        ("assassinated", "assassination", True),
    ],
)
def test_forms_of_a_long_word_share_a_stem(one: str, other: str, same: bool) -> None:
    assert (stem(one) == stem(other)) is same


def test_the_mass_of_a_stem_is_that_of_its_tokens_each_counted_once() -> None:
    texts = texts_of([["describing", "described", "described", "lune"]])
    weights = np.array([{"describing": 3, "described": 4, "lune": 10}[t] for t in texts.vocabulary])
    masses = stem_masses(texts, count_ngrams(texts, 1, weights))
    assert sorted(masses.data.tolist()) == [7, 10]


def test_numbers_stand_in_one_column_in_digits_or_in_words() -> None:
    texts = texts_of([["10", "gates"], ["ten", "gates"], ["gates"], ["10", "ten", "11"]])
    table = number_table(texts, count_ngrams(texts, 1))
    in_digits = (table.toarray() >= IN_DIGITS).sum(axis=1)
    assert in_digits.tolist() == [1, 0, 0, 2]
    assert (table.toarray()[[0, 1, 3], 0] > 0).all()
    assert table[[2]].nnz == 0


def test_every_number_in_words_is_a_number_in_digits() -> None:
    assert all(digits.isdigit() for digits in words().numbers.values())
    assert not words().pronouns & words().numbers.keys()
