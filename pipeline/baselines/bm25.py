"""BM25 of sentences, by Lucene's formula, over statistics of one's choice."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of a collection of sentences: how many, in how many a term occurs, terms a sentence."""

    sentences: int
    frequencies: Mapping[str, int]
    mean_length: float

    def idf(self, term: str) -> float:
        """Lucene's: log(1 + (N - n + 0.5) / (n + 0.5)), above 0 for every term."""
        having = self.frequencies.get(term, 0)
        return math.log(1 + (self.sentences - having + 0.5) / (having + 0.5))


def statistics_of(sentences: Iterable[Sequence[str]]) -> Statistics:
    """The statistics of sentences given as terms; the mean length is never below 1."""
    frequencies: Counter[str] = Counter()
    count = length = 0
    for terms in sentences:
        frequencies.update(set(terms))
        count += 1
        length += len(terms)
    return Statistics(count, frequencies, max(length / count, 1.0) if count else 1.0)


def bm25(
    query: Sequence[str], sentence: Sequence[str], statistics: Statistics, k1: float, b: float
) -> float:
    """The BM25 of a sentence for a query; a term that the query has twice counts twice.

    Against Lucene's the length of a sentence is exact, where Lucene keeps it in one byte.
    """
    counts = Counter(sentence)
    longer = k1 * (1 - b + b * len(sentence) / statistics.mean_length)
    return sum(
        statistics.idf(term) * counts[term] / (counts[term] + longer)
        for term in query
        if counts[term]
    )
