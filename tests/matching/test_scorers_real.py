"""The scorers on real judged pairs, with nothing but those pairs' passages as the collection."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from pipeline.evaluation.precision import average_precision
from pipeline.matching.best import ScoreColumns, columns_of
from pipeline.matching.idf import Idf
from pipeline.matching.scoring import Floats
from pipeline.matching.text_pairs import TextPair, score_text_pairs
from pipeline.matching.tokens import tokenize
from pipeline.wikipedia.segmentation.sentences import make_splitter
from tests.fakes import config

pytestmark = pytest.mark.real


def scored(path: Path) -> tuple[ScoreColumns, np.ndarray, np.ndarray]:
    """The pairs' columns, labels and weights; a small collection is the hard case for idf."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    passages = {row["passage"] for row in rows}
    counts = Counter(token for text in passages for token in set(tokenize(text)))
    pairs = [
        TextPair(title=row["title"] or None, answer_sentence=row["answer_sentence"],
                 passage_title=row["passage_title"], passage=row["passage"])
        for row in rows
    ]  # fmt: skip
    table = score_text_pairs(pairs, Idf(len(passages), counts), make_splitter("rules", "en"), 1, {})
    labels, weights = (np.array([row[name] for row in rows]) for name in ("label", "weight"))
    return columns_of(table), labels, weights


def best(columns: ScoreColumns, similarity: Floats) -> Floats:
    found = np.zeros(len(columns.question_ids))
    np.maximum.at(found, columns.question, similarity)
    return found


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("dev.jsonl", {"cosine": 0.60, "idf": 0.66, "learned": 0.80}),
        ("drift-dev.jsonl", {"cosine": 0.98, "idf": 0.98, "learned": 0.99}),
    ],
)
def test_each_scorer_beats_the_one_before_it(
    real_data: Path, name: str, least: dict[str, float]
) -> None:
    columns, labels, weights = scored(real_data / "judgments" / name)
    found = {
        scorer: average_precision(
            labels, best(columns, columns.active(config(f"match.scorer={scorer}").match)), weights
        )
        for scorer in least
    }
    for scorer, floor in least.items():
        assert found[scorer] >= floor, found
    assert found["cosine"] < found["idf"] <= found["learned"], found


def test_a_sentence_that_a_passage_holds_to_the_letter_is_matched(real_data: Path) -> None:
    path = real_data / "judgments" / "drift-dev.jsonl"
    columns, labels, _ = scored(path)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    exact = np.array([row["kind"] == "exact" for row in rows])
    similarity = best(columns, columns.active(config("match.scorer=learned").match))
    assert similarity[exact].min() > 0.8
    assert similarity[exact & (labels == 1)].size == exact.sum()
