"""BM25 of sentences."""

import math

import pytest

from pipeline.baselines.bm25 import bm25, statistics_of

SENTENCES = [["salt", "tin"], ["salt", "salt", "iron", "ore"], ["coal"]]


def test_statistics_count_sentences_and_the_terms_they_have() -> None:
    found = statistics_of(SENTENCES)
    assert (found.sentences, found.mean_length) == (3, 7 / 3)
    assert found.frequencies == {"salt": 2, "tin": 1, "iron": 1, "ore": 1, "coal": 1}
    assert found.idf("salt") == pytest.approx(math.log(1 + 1.5 / 2.5))
    assert found.idf("gold") == pytest.approx(math.log(1 + 3.5 / 0.5))
    assert statistics_of([]).mean_length == 1.0


def test_bm25_is_lucenes_formula() -> None:
    statistics = statistics_of(SENTENCES)
    longer = 0.9 * (1 - 0.4 + 0.4 * 4 / (7 / 3))
    expected = statistics.idf("salt") * 2 / (2 + longer)
    assert bm25(["salt", "gold"], SENTENCES[1], statistics, 0.9, 0.4) == pytest.approx(expected)
    twice = bm25(["salt", "salt"], SENTENCES[1], statistics, 0.9, 0.4)
    assert twice == pytest.approx(2 * expected)
    assert bm25(["gold"], SENTENCES[1], statistics, 0.9, 0.4) == 0.0
    assert bm25([], [], statistics, 0.9, 0.4) == 0.0
