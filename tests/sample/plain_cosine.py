"""How well plain cosines, and a scorer that looks at names, find the right paragraphs.

Every answer sentence is compared with every sentence of the dump. F1: a match is right when the
matched passage's text is the gold text; precision over the answer sentences that are matched,
recall over those that have a gold passage; the best threshold counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize

from pipeline.matching.tokens import tokenize

WEIGHTS = (0.25, 0.35, 0.40)
_DEPTH = 20
_MARKED = re.compile(r"\d[\d,.]*\d|\d|(?<!^)\b[A-Z]\w+")


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence of the dump with the passage and the title of the article it stands in."""

    sentence: str
    passage: str
    title: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer sentence as a corpus quotes it, the article it names, and the right passage."""

    sentence: str
    title: str
    passage: str | None


@dataclass(frozen=True, slots=True)
class Quality:
    """The F1 at the best threshold."""

    f1: float
    threshold: float
    precision: float
    recall: float


def similarities(places: Sequence[Place], answers: Sequence[Answer]) -> NDArray[np.float64]:
    """The weighted 1/2/3-gram cosine of each answer sentence with each sentence of the dump."""
    tokens = [tokenize(one.sentence) for one in (*places, *answers)]
    total = np.zeros((len(answers), len(places)))
    for order, weight in enumerate(WEIGHTS, start=1):

        def grams(words: list[str], order: int = order) -> list[tuple[str, ...]]:
            return list(zip(*(words[start:] for start in range(order)), strict=False))

        counts = normalize(CountVectorizer(analyzer=grams).fit_transform(tokens).astype(float))
        rows: csr_matrix = counts[len(places) :]
        total += weight * (rows @ counts[: len(places)].T).toarray()
    return total


def plain_quality(
    table: NDArray[np.float64], places: Sequence[Place], answers: Sequence[Answer]
) -> Quality:
    """The quality of the plain cosine."""
    best = table.argmax(axis=1)
    return _best_quality(table.max(axis=1), [places[n].passage for n in best], answers)


def informed_quality(
    table: NDArray[np.float64], places: Sequence[Place], answers: Sequence[Answer]
) -> Quality:
    """The quality of half the cosine and half the agreement of names, numbers and titles."""
    scores, passages = [], []
    for row, answer in zip(table, answers, strict=True):
        wanted = set(_MARKED.findall(answer.sentence))
        scored = []
        for n in np.argpartition(-row, _DEPTH)[:_DEPTH].tolist():
            found = wanted.intersection(_MARKED.findall(places[n].sentence))
            agreement = len(found) / len(wanted) if wanted else 0.5
            same_title = places[n].title == answer.title
            scored.append((0.5 * row[n] + 0.35 * agreement + 0.15 * same_title, -n))
        score, n = max(scored)
        scores.append(score)
        passages.append(places[-n].passage)
    return _best_quality(np.array(scores), passages, answers)


def _best_quality(
    scores: NDArray[np.float64], passages: Sequence[str], answers: Sequence[Answer]
) -> Quality:
    right = np.array(
        [found == answer.passage for found, answer in zip(passages, answers, strict=True)]
    )
    with_passage = sum(answer.passage is not None for answer in answers)
    found = []
    for threshold in np.arange(0.2, 1.0, 0.01):
        matched = scores >= threshold
        hits = int((matched & right).sum())
        precision = hits / max(int(matched.sum()), 1)
        recall = hits / with_passage
        f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
        found.append(Quality(f1, float(threshold), precision, recall))
    return max(found, key=lambda quality: quality.f1)
