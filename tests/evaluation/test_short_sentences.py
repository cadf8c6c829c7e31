"""Short answer sentences are counted apart from the longer ones, each over its own number."""

import pyarrow as pa

from pipeline.evaluation.short_sentences import answer_figures
from pipeline.matching.best import columns_of
from pipeline.records import Score, arrow_schema
from tests.fakes import config, score

MATCH = config().match
SCORES = [
    score("q1", "1-0", 0.9),
    score("q1", "1-0", 0.2, answer_index=1, answer_tokens=3),
    score("q1", "1-1", 0.45, answer_index=1, answer_tokens=3, rank=2),
    score("q2", "2-0", 0.35, answer_tokens=4),
    score("q3", None, answer_tokens=1),
    score("q4", "2-0", 0.1, answer_tokens=2),
    score("q4", "2-1", 0.9, answer_tokens=2, rank=6),  # deeper than counts
]
SPLITS = {"q1": "dev", "q2": "dev", "q3": "test", "q4": "test"}


def test_each_kind_divides_by_its_own_answer_sentences() -> None:
    columns = columns_of(pa.Table.from_pylist(SCORES, schema=arrow_schema(Score)))
    figures = answer_figures(columns, SPLITS, MATCH)
    every = figures.summary(None, MATCH, [0.3, 0.4])
    assert every["short"] == {
        "sentences": 3, "mapped": 1, "coverage_percent": 33.3333,
        "reference_t030_percent": 33.3333, "reference_t040_percent": 33.3333,
    }  # fmt: skip
    assert every["longer"] == {
        "sentences": 2, "mapped": 1, "coverage_percent": 50.0,
        "reference_t030_percent": 100.0, "reference_t040_percent": 50.0,
    }  # fmt: skip
    test = figures.summary("test", MATCH, [0.4])
    assert (test["short"]["sentences"], test["longer"]["sentences"]) == (2, 0)
    assert test["longer"]["coverage_percent"] == 0.0
