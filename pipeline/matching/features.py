"""What a reader would look at when asked whether a passage says what an answer sentence says.

Features of an answer sentence and a window of a passage, computed from the two texts, the
passage, its article's title and the collection's document frequencies: never from the question,
the rank or the score of the retrieval. Masses are sums of idf weights over distinct tokens, in
units of the rarest token, under log(1 + x).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.matching.cosines import ORDERS, ratio
from pipeline.matching.counts import Counts, Texts, count_ngrams, pair_sums, texts_of
from pipeline.matching.idf import UNIT, Idf
from pipeline.matching.scoring import Floats, Ints
from pipeline.matching.tokens import tokenize

# Columns of a Score row, in its order, with what each says.
FEATURES = {
    "idf_cosine_1": "cosine of tokens, each weighted by its idf",
    "idf_cosine_2": "the same of 2-grams, weighted by the sum of their tokens' idf",
    "idf_cosine_3": "the same of 3-grams",
    "answer_in_window": "share of the answer sentence's mass that the window has",
    "window_in_answer": "share of the window's mass that the answer sentence has",
    "answer_in_passage": "share of the answer sentence's mass that passage and title have",
    "bigrams_in_passage": "the same share of its 2-grams' mass",
    "missing_mass": "mass of the answer sentence that neither passage nor title has",
    "missing_stems": "the same without tokens of which they have another form",
    "extra_mass": "mass of the window that the answer sentence lacks",
    "shared_mass": "mass of the answer sentence that the window has",
    "answer_mass": "mass of the answer sentence",
    "numbers_missing": "log(1 + numbers of the answer sentence that the passage lacks)",
    "numbers_extra": "log(1 + numbers of the window that the answer sentence lacks)",
    "names_extra": "mass of capitalised words inside the window that the answer sentence lacks",
    "title_in_answer": "share of the mass of the title, without brackets, that the answer has",
    "length_ratio": "log of the window's tokens over the answer sentence's, each plus 1",
}

_CAPITAL = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0391-\u03a9\u0410-\u042f"
# A capitalised word that opens neither the text nor a sentence of it.
_NAME = re.compile(rf"(?<!^)(?<![.!?:]\s)\b[{_CAPITAL}][^\W\d_]+")
# Forms of one word share their first letters: describe, described, description.
_STEM_LETTERS = 5
_LONGEST_UNCUT = 6


@dataclass(frozen=True, slots=True)
class Pairs:
    """Answer sentences and windows to compare, as token lists and positions in them.

    ``names`` are the tokens of each window's capitalised words; ``passages`` those of whole
    passages with their articles' titles; ``titles`` those of the titles alone, without what stands
    in brackets. ``answer`` and ``window`` hold the positions of each pair;
    ``passage`` says of each window to which passage it belongs.
    """

    answers: Sequence[Sequence[str]]
    windows: Sequence[Sequence[str]]
    names: Sequence[Sequence[str]]
    passages: Sequence[Sequence[str]]
    titles: Sequence[Sequence[str]]
    answer: Ints
    window: Ints
    passage: Ints


def names_in(text: str) -> list[str]:
    """Tokens of the capitalised words of a text that do not open one of its sentences."""
    return tokenize(" ".join(_NAME.findall(text)))


def compare(pairs: Pairs, idf: Idf) -> tuple[Floats, Floats]:
    """The plain cosines, shape (pairs, 3), and the features, shape (pairs, FEATURES)."""
    texts = texts_of([*pairs.answers, *pairs.windows, *pairs.names, *pairs.passages, *pairs.titles])
    weights = idf.weights(texts.vocabulary)
    tokens = count_ngrams(texts, 1, weights)
    sides = _Sides(pairs)
    cosines = np.zeros((len(pairs.answer), len(ORDERS)))
    found: dict[str, Floats] = {}
    compared = texts.first(len(pairs.answers) + len(pairs.windows))
    for column, order in enumerate(ORDERS):
        counts = tokens if order == 1 else count_ngrams(compared, order, weights)
        plain, weighted = _cosines(counts, pairs.answer, sides.window)
        cosines[:, column] = plain
        found[f"idf_cosine_{order}"] = weighted
    found |= _of_windows(texts, tokens, pairs.answer, sides)
    by_passage = _of_passages(texts, tokens, sides)
    found |= {name: values[sides.of_pair] for name, values in by_passage.items()}
    return cosines, np.column_stack([found[name] for name in FEATURES])


class _Sides:
    """Where the texts of the pairs stand: answers first, then windows, names, passages."""

    def __init__(self, pairs: Pairs) -> None:
        count = max(len(pairs.passages), 1)
        self.window = pairs.window + len(pairs.answers)
        self.names = self.window + len(pairs.windows)
        # An answer sentence meets a passage once, whatever the number of its windows.
        keys = pairs.answer * count + pairs.passage[pairs.window]
        distinct, self.of_pair = np.unique(keys, return_inverse=True)
        self.passage_answer = distinct // count
        self.passage = distinct % count + sum(
            len(texts) for texts in (pairs.answers, pairs.windows, pairs.names)
        )
        self.title = self.passage + len(pairs.passages)


def _cosines(counts: Counts, answer: Ints, window: Ints) -> tuple[Floats, Floats]:
    """Plain and weighted cosines of the n-grams of one order."""
    squares = counts.weights**2
    dots, weighted_dots = pair_sums(
        counts.matrix, answer, window, 2,
        lambda here, there, columns: [here * there, here * there * squares[columns]],
    )  # fmt: skip
    plain = counts.row_sums(lambda count, _: count * count)
    weighted = counts.row_sums(lambda count, columns: count * count * squares[columns])
    return (
        ratio(dots, plain[answer], plain[window]),
        ratio(weighted_dots, weighted[answer], weighted[window]),
    )


def _of_windows(texts: Texts, tokens: Counts, answer: Ints, sides: _Sides) -> dict[str, Floats]:
    """What answer sentence and window share, and what each has alone; shapes (pairs,)."""
    window, weights, numbers = sides.window, tokens.weights, _numbers(texts)
    shared, numbers_alone = pair_sums(
        tokens.matrix, answer, window, 2,
        lambda here, _, columns: [(here > 0) * weights[columns], (here == 0) * numbers[columns]],
    )  # fmt: skip
    (names_alone,) = pair_sums(
        tokens.matrix, answer, sides.names, 1,
        lambda here, _, columns: [(here == 0) * weights[columns]],
    )  # fmt: skip
    mass = tokens.row_sums(lambda _, columns: weights[columns])
    lengths = texts.lengths()
    return {
        "answer_in_window": _share(shared, mass[answer]),
        "window_in_answer": _share(shared, mass[window]),
        "extra_mass": _log_mass(mass[window] - shared),
        "shared_mass": _log_mass(shared),
        "answer_mass": _log_mass(mass[answer]),
        "numbers_extra": np.log1p(numbers_alone),
        "names_extra": _log_mass(names_alone),
        "length_ratio": np.log((1 + lengths[window]) / (1 + lengths[answer])),
    }


def _of_passages(texts: Texts, tokens: Counts, sides: _Sides) -> dict[str, Floats]:
    """What of the answer sentence the whole passage and its title have, and of the title it.

    Shapes (pairs of answer sentence and passage,).
    """
    answer, passage = sides.passage_answer, sides.passage
    weights, numbers = tokens.weights, _numbers(texts)
    shared, numbers_shared = pair_sums(
        tokens.matrix, answer, passage, 2,
        lambda here, _, columns: [(here > 0) * weights[columns], (here > 0) * numbers[columns]],
    )  # fmt: skip
    bigrams = count_ngrams(texts, 2, weights)
    (bigrams_shared,) = pair_sums(
        bigrams.matrix, answer, passage, 1,
        lambda here, _, columns: [(here > 0) * bigrams.weights[columns]],
    )  # fmt: skip
    (stems_shared,) = pair_sums(
        _stem_masses(texts, tokens), answer, passage, 1, lambda here, _, __: [here]
    )
    (title_shared,) = pair_sums(
        tokens.matrix, answer, sides.title, 1,
        lambda here, _, columns: [(here > 0) * weights[columns]],
    )  # fmt: skip
    masses = tokens.row_sums(lambda _, columns: weights[columns])
    mass = masses[answer]
    bigram_mass = bigrams.row_sums(lambda _, columns: bigrams.weights[columns])[answer]
    numbers_all = tokens.row_sums(lambda _, columns: numbers[columns])[answer]
    return {
        "answer_in_passage": _share(shared, mass),
        "bigrams_in_passage": _share(bigrams_shared, bigram_mass),
        "missing_mass": _log_mass(mass - shared),
        "missing_stems": _log_mass(mass - stems_shared),
        "numbers_missing": np.log1p(numbers_all - numbers_shared),
        "title_in_answer": _share(title_shared, masses[sides.title]),
    }


def _stem_masses(texts: Texts, tokens: Counts) -> Any:
    """The mass of each text's tokens by stem, as a CSR array."""
    from scipy.sparse import csr_array

    numbers: dict[str, int] = {}
    stems = [numbers.setdefault(_stem(token), len(numbers)) for token in texts.vocabulary]
    columns = np.array(stems, dtype=np.int64)[tokens.matrix.indices]
    masses = csr_array(
        (tokens.weights[tokens.matrix.indices], columns, tokens.matrix.indptr.copy()),
        shape=(len(texts), max(len(numbers), 1)),
    )
    masses.sum_duplicates()
    return masses


def _stem(token: str) -> str:
    return token[:_STEM_LETTERS] if len(token) > _LONGEST_UNCUT else token


def _numbers(texts: Texts) -> Ints:
    """1 for each token of the vocabulary that is a number, else 0."""
    return np.array([token[0].isdigit() for token in texts.vocabulary], dtype=np.int64)


def _share(part: Ints, whole: Ints) -> Floats:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def _log_mass(mass: Ints) -> Floats:
    return np.log1p(mass / UNIT)
