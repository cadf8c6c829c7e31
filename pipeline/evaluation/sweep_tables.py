"""Precision, recall and coverage over weights and thresholds, as lines of CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from pipeline.config import Config
from pipeline.evaluation.scorers import COSINES, IDF_COSINES, by_weights
from pipeline.matching.best import ScoreColumns
from pipeline.matching.scoring import Floats, Ints
from pipeline.matching.sweeps import counts_at, highest_by_weights, thresholds, weight_triples
from pipeline.matching.tuning import CrossValidated, JudgedColumns


def sweep_lines(judged: JudgedColumns, config: Config) -> Iterator[str]:
    """Precision and recall of the judged pairs for every scorer of weights, triple, threshold."""
    yield "scorer,weight_1,weight_2,weight_3,threshold,precision,recall"
    edges = thresholds()
    right = judged.weights * judged.labels

    def reached(bins: Ints, weights: Floats) -> Floats:
        by_bin = np.bincount(bins, weights=weights, minlength=len(edges) + 1)
        return by_bin[::-1].cumsum()[::-1][1:]

    for name in COSINES:
        for triple, row in zip(weight_triples(), by_weights(judged, name, config), strict=True):
            bins = np.searchsorted(edges, row, "right")
            taken, hit = reached(bins, judged.weights), reached(bins, right)
            for edge, all_, ok in zip(edges, taken, hit, strict=True):
                precision = f"{ok / all_:.4f}" if all_ > 0 else ""
                weights = ",".join(f"{weight:g}" for weight in triple)
                yield f"{name},{weights},{edge:g},{precision},{ok / right.sum():.4f}"


def curves(
    found: Mapping[str, CrossValidated], judged: JudgedColumns
) -> Iterator[tuple[str, float, float, float]]:
    """(scorer, threshold, precision, recall), cross-validated and weighted, for each threshold."""
    right = judged.weights * judged.labels
    for name, validated in found.items():
        for edge in np.unique(validated.similarity)[::-1].tolist():
            taken = validated.similarity >= edge
            hit = float(right[taken].sum())
            yield name, edge, hit / float(judged.weights[taken].sum()), hit / float(right.sum())


def curve_lines(found: Mapping[str, CrossValidated], judged: JudgedColumns) -> Iterator[str]:
    """The curves of every scorer as lines of CSV."""
    yield "scorer,threshold,precision,recall"
    for name, edge, precision, recall in curves(found, judged):
        yield f"{name},{edge:.6f},{precision:.4f},{recall:.4f}"


def coverage_of_cosines(corpus: str, columns: ScoreColumns, config: Config) -> Iterator[str]:
    """Questions mapped for every scorer of weights, triple and threshold."""
    questions, edges = len(columns.question_ids), thresholds()
    for name in COSINES:
        values = columns.cosines if name == "cosine" else columns.features[:, IDF_COSINES]
        highest = highest_by_weights(
            values.astype(np.float64), columns.question, questions, weight_triples(),
            config.match.short_sentences, columns.answer_tokens, columns.sentence_tokens,
        )  # fmt: skip
        for triple, row in zip(weight_triples(), counts_at(highest, edges), strict=True):
            weights = ",".join(f"{weight:g}" for weight in triple)
            for edge, mapped in zip(edges, row, strict=True):
                yield f"{corpus},{name},{weights},{edge:g},{mapped},{questions}"
