"""What the baselines see of a candidate sentence: never its label.

The five features that are systems by themselves, and further columns of the learned one. Words are
the tokens of the matcher; idf and BM25 take their statistics from a collection of sentences that
the caller names: the candidates of the training file, or where there is none those of the file
itself, whose labels they do not see.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.baselines.bm25 import Statistics, bm25, statistics_of
from pipeline.baselines.names import names_in
from pipeline.matching.cosines import pair_cosines
from pipeline.matching.idf import UNIT, Idf
from pipeline.matching.scoring import REFERENCE_WEIGHTS, Floats, Ints
from pipeline.matching.tokens import tokenize
from pipeline.records import Question

# The systems of one feature each, with what they score a candidate by.
SINGLE = {
    "position": "where the candidate stands: the first is best",
    "word_overlap": "distinct words of the question that the candidate has",
    "idf_overlap": "the same, each weighted by its idf",
    "bm25": "BM25 of the question, with Lucene's English analysis",
    "cosine": "the matcher's cosine of 1-, 2- and 3-grams, published weights",
}
# What the learned system sees besides: of the candidate, and of its neighbours.
_FURTHER = (
    "question_share", "idf_share", "rare_missing", "cosine_1", "cosine_2", "cosine_3", "length",
    "log_position", "is_first", "bm25_before", "bm25_after", "has_number", "has_name",
    "asks_number", "asks_name", "asks_time",
)  # fmt: skip
# Columns that the learned system also sees relative to the question's other candidates.
_RELATIVE = ("word_overlap", "idf_overlap", "bm25", "cosine")
NAMES = (
    *SINGLE,
    *_FURTHER,
    *(f"{name}_of_best" for name in _RELATIVE),
    *(f"{name}_rank" for name in _RELATIVE),
)

_NUMBER_WORDS = frozenset({"many", "much", "long", "far", "old", "large", "big", "high", "tall"})
_TIME_WORDS = frozenset({"when", "year", "date", "century"})
_NAME_WORDS = frozenset({"who", "whom", "whose", "where", "name"})


@dataclass(frozen=True, slots=True)
class Terms:
    """What Lucene's analysis makes of each text: of questions and candidate sentences."""

    of: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Collection:
    """Statistics of a collection of sentences, for our tokens and for Lucene's terms."""

    idf: Idf
    terms: Statistics
    k1: float
    b: float


@dataclass(frozen=True, slots=True)
class Candidates:
    """Every candidate of some questions, a row each, question by question.

    ``columns`` has the shape (rows, NAMES); ``question`` says of a row to which question it
    belongs, ``labels`` whether it is relevant; shapes (rows,).
    """

    columns: Floats
    question: Ints
    labels: Ints

    def single(self, name: str) -> Floats:
        """One feature of every row."""
        found: Floats = self.columns[:, NAMES.index(name)]
        return found


def collection_of(questions: Sequence[Question], terms: Terms, k1: float, b: float) -> Collection:
    """The candidates of these questions as a collection; one that is offered twice counts once."""
    sentences = list(dict.fromkeys(text for row in questions for text in row.candidates if text))
    tokens = statistics_of(tokenize(text) for text in sentences)
    return Collection(
        idf=Idf(tokens.sentences, tokens.frequencies),
        terms=statistics_of(terms.of[text] for text in sentences),
        k1=k1,
        b=b,
    )


def candidates_of(
    questions: Sequence[Question], terms: Terms, collection: Collection
) -> Candidates:
    """The features of every candidate of these questions."""
    sizes = np.array([len(question.candidates) for question in questions], dtype=np.int64)
    owner = np.repeat(np.arange(len(questions)), sizes)
    texts = [tokenize(text) for question in questions for text in question.candidates]
    asked = [tokenize(question.question) for question in questions]
    cosines = pair_cosines([*asked, *texts], owner, np.arange(len(texts)) + len(asked))
    ends = np.cumsum(sizes)
    blocks = [
        _columns(question, asked[n], texts[ends[n] - sizes[n] : ends[n]],
                 cosines[ends[n] - sizes[n] : ends[n]], terms, collection)
        for n, question in enumerate(questions)
        if sizes[n]
    ]  # fmt: skip
    return Candidates(
        columns=np.vstack([np.zeros((0, len(NAMES))), *blocks]),
        question=owner,
        labels=np.array([label for row in questions for label in row.labels], dtype=np.int64),
    )


def _columns(
    question: Question, asked: Sequence[str], texts: Sequence[Sequence[str]], cosines: Floats,
    terms: Terms, collection: Collection,
) -> Floats:  # fmt: skip
    """The features of one question's candidates; shape (candidates, NAMES)."""
    count = len(texts)
    found = _shared(asked, texts, collection.idf)
    query = terms.of[question.question]
    found["bm25"] = np.array(
        [
            bm25(query, terms.of[text], collection.terms, collection.k1, collection.b)
            for text in question.candidates
        ]
    )
    found["cosine"] = cosines @ np.array(REFERENCE_WEIGHTS)
    found |= {f"cosine_{order}": cosines[:, order - 1] for order in (1, 2, 3)}
    places = np.arange(count, dtype=np.float64)
    found["position"] = -places
    found["log_position"] = np.log1p(places)
    found["is_first"] = (places == 0).astype(np.float64)
    found["length"] = np.log1p([len(tokens) for tokens in texts])
    found["bm25_before"] = np.append(0.0, found["bm25"][:-1])
    found["bm25_after"] = np.append(found["bm25"][1:], 0.0)
    found |= _kinds(asked, question.candidates, texts)
    for name in _RELATIVE:
        values = found[name]
        best = float(values.max())
        found[f"{name}_of_best"] = values / best if best > 0 else np.zeros(count)
        found[f"{name}_rank"] = np.log1p((values[None, :] > values[:, None]).sum(axis=1))
    return np.column_stack([found[name] for name in NAMES])


def _shared(asked: Sequence[str], texts: Sequence[Sequence[str]], idf: Idf) -> dict[str, Floats]:
    """What the candidates have of the question's words, by number and by weight of idf."""
    words = list(dict.fromkeys(asked))
    weights = idf.weights(words) / UNIT if words else np.zeros(0)
    has = np.array([[word in tokens for word in words] for tokens in map(set, texts)])
    has = has.reshape(len(texts), len(words)).astype(np.float64)
    total = float(weights.sum())
    shared = has @ weights
    return {
        "word_overlap": has.sum(axis=1),
        "question_share": has.mean(axis=1) if words else np.zeros(len(texts)),
        "idf_overlap": shared,
        "idf_share": shared / total if total > 0 else np.zeros(len(texts)),
        "rare_missing": total - shared,
    }


def _kinds(
    asked: Sequence[str], candidates: Sequence[str], texts: Sequence[Sequence[str]]
) -> dict[str, Floats]:
    """Does the question ask for a number, a name or a time, and has the candidate such a thing?

    Names and numbers that the question has itself do not answer it.
    """
    words = set(asked)
    numbers = np.array(
        [float(any(token[0].isdigit() and token not in words for token in t)) for t in texts]
    )
    years = np.array(
        [float(any(token.isdigit() and len(token) == 4 and token not in words for token in t))
         for t in texts]
    )  # fmt: skip
    names = np.array(
        [math.log1p(len(set(names_in(text)) - words)) for text in candidates], dtype=np.float64
    )
    many = float("how" in words and bool(words & _NUMBER_WORDS))
    return {
        "has_number": numbers,
        "has_name": names,
        "asks_number": many * numbers,
        "asks_name": float(bool(words & _NAME_WORDS)) * names,
        "asks_time": float(bool(words & _TIME_WORDS)) * years,
    }
