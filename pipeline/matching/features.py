"""What a reader would look at when asked whether a passage says what an answer sentence says.

Features of an answer sentence and a window of a passage, computed from the two texts, the
passage, its article's title, the title and the short answers that the corpus names and the
collection's document frequencies: never from the question, the rank or the score of the retrieval.
Masses are sums of
idf weights over distinct tokens, in units of the rarest token, under log(1 + x). Tokens are of one
stem where they share their first letters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeline.matching.cosines import ORDERS, ratio
from pipeline.matching.counts import Counts, count_ngrams, pair_sums
from pipeline.matching.idf import UNIT, Idf
from pipeline.matching.pair_texts import Pairs, Rows
from pipeline.matching.scoring import Floats, Ints
from pipeline.matching.short_answers import agreement
from pipeline.matching.words import IN_DIGITS, number_table, stem_masses, words

# Columns of a Score row, in its order, with what each says. Shares are of mass, by tokens or by
# stems, and titles are bare.
FEATURES = {
    "idf_cosine_1": "cosine of tokens, each weighted by its idf",
    "idf_cosine_2": "the same of 2-grams, weighted by the sum of their tokens' idf",
    "idf_cosine_3": "the same of 3-grams",
    "answer_in_passage": "share of the answer sentence's mass in passage and title",
    "stems_in_passage": "share of the answer sentence's stems in passage and title",
    "stems_in_context": "share of its stems in the window, the sentence before and the title",
    "least_share": "the lower share of stems: of the answer sentence in the window, or reversed",
    "shared_mass": "mass of the answer sentence that the window has",
    "answer_mass": "mass of the answer sentence",
    "extra_mass": "mass of the window that the answer sentence lacks",
    "numbers_missing": "log(1 + numbers of the answer sentence that passage and title lack)",
    "numbers_extra": "log(1 + numbers of the window that the answer sentence lacks)",
    "length_ratio": "log of the window's tokens over the answer sentence's, each plus 1",
    "topic_in_passage": "share of the title that the corpus names in passage and title",
    "title_in_opening": "share of the passage's title in the answer sentence's first six tokens",
    "opens_with_pronoun": "1 where the answer sentence opens with a pronoun",
    "short_answer": "1: a short answer of the corpus in passage or title; -1: none; 0: unknown",
}


def compare(pairs: Pairs, idf: Idf) -> tuple[Floats, Floats]:
    """The plain cosines, shape (pairs, 3), and the features, shape (pairs, FEATURES)."""
    rows = Rows(pairs)
    weights = idf.weights(rows.texts.vocabulary)
    tokens = count_ngrams(rows.texts, 1, weights)
    masses = tokens.row_sums(lambda _, columns: weights[columns])
    cosines = np.zeros((len(pairs.answer), len(ORDERS)))
    found: dict[str, Floats] = {}
    for column, order in enumerate(ORDERS):
        counts = tokens if order == 1 else count_ngrams(rows.compared, order, weights)
        plain, weighted = _cosines(counts, rows)
        cosines[:, column] = plain
        found[f"idf_cosine_{order}"] = weighted
    stems = stem_masses(rows.texts, tokens)
    numbers = number_table(rows.texts, tokens)
    found |= _of_windows(rows, tokens, masses, stems, numbers)
    by_passage = _of_passages(rows, tokens, masses, stems, numbers)
    by_passage |= _of_titles(rows, tokens, masses)
    by_passage["short_answer"] = agreement(pairs, rows)
    found |= {name: values[rows.of_pair] for name, values in by_passage.items()}
    opens = [text[:1] for text in pairs.answers]
    pronoun = np.array([bool(words().pronouns.intersection(first)) for first in opens], dtype=float)
    found["opens_with_pronoun"] = pronoun[pairs.answer]
    return cosines, np.column_stack([found[name] for name in FEATURES])


def _cosines(counts: Counts, rows: Rows) -> tuple[Floats, Floats]:
    """Plain and weighted cosines of the n-grams of one order."""
    squares = counts.weights**2

    def products(here: Ints, there: Ints, columns: Ints) -> list[Ints]:
        both = here * there
        return [both, both * squares[columns]]

    dots, weighted_dots = pair_sums(
        counts.matrix, counts.matrix, rows.answer, rows.window, 2, products
    )
    plain = counts.row_sums(lambda count, _: count * count)
    weighted = counts.row_sums(lambda count, columns: count * count * squares[columns])
    return (
        ratio(dots, plain[rows.answer], plain[rows.window]),
        ratio(weighted_dots, weighted[rows.answer], weighted[rows.window]),
    )


def _of_windows(
    rows: Rows, tokens: Counts, masses: Ints, stems: Any, numbers: Any
) -> dict[str, Floats]:
    """What answer sentence and window share, and what each has alone; shapes (pairs,)."""
    answer, window, weights = rows.answer, rows.window, tokens.weights
    (shared,) = pair_sums(
        tokens.matrix, tokens.matrix, answer, window, 1,
        lambda here, _, columns: [(here > 0) * weights[columns]],
    )  # fmt: skip
    stems_shared, stems_of_window = pair_sums(
        stems, stems, answer, window, 2, lambda here, there, _: [here, (here > 0) * there]
    )
    (in_context,) = pair_sums(
        stems, rows.contexts(stems), answer, rows.in_contexts(), 1,
        lambda here, _, __: [here],
    )  # fmt: skip
    (numbers_alone,) = pair_sums(
        numbers, numbers, answer, window, 1,
        lambda here, there, _: [(here == 0) & (there >= IN_DIGITS)],
    )  # fmt: skip
    mass, lengths = masses[answer], rows.texts.lengths()
    return {
        "stems_in_context": _share(in_context, mass),
        "least_share": np.minimum(
            _share(stems_shared, mass), _share(stems_of_window, masses[window])
        ),
        "shared_mass": _log_mass(shared),
        "answer_mass": _log_mass(mass),
        "extra_mass": _log_mass(masses[window] - shared),
        "numbers_extra": np.log1p(numbers_alone),
        "length_ratio": np.log((1 + lengths[window]) / (1 + lengths[answer])),
    }


def _of_passages(
    rows: Rows, tokens: Counts, masses: Ints, stems: Any, numbers: Any
) -> dict[str, Floats]:
    """What of the answer sentence and of the named title the whole passage and its title have.

    Shapes (pairs of answer sentence and passage,), as those of ``_of_titles``.
    """
    answer, passage, weights = rows.passage_answer, rows.passage, tokens.weights
    passages = rows.passages(tokens.matrix)

    def has(here: Ints, _: Ints, columns: Ints) -> list[Ints]:
        return [(here > 0) * weights[columns]]

    (shared,) = pair_sums(tokens.matrix, passages, answer, passage, 1, has)
    (topic,) = pair_sums(tokens.matrix, passages, rows.topic, passage, 1, has)
    (stems_shared,) = pair_sums(
        stems, rows.passages(stems), answer, passage, 1, lambda here, _, __: [here]
    )
    (numbers_shared,) = pair_sums(
        numbers, rows.passages(numbers), answer, passage, 1,
        lambda here, _, __: [here // IN_DIGITS],
    )  # fmt: skip
    in_digits = Counts(numbers, weights).row_sums(lambda form, _: form // IN_DIGITS)
    mass = masses[answer]
    return {
        "answer_in_passage": _share(shared, mass),
        "stems_in_passage": _share(stems_shared, mass),
        "numbers_missing": np.log1p(in_digits[answer] - numbers_shared),
        "topic_in_passage": _share(topic, masses[rows.topic]),
    }


def _of_titles(rows: Rows, tokens: Counts, masses: Ints) -> dict[str, Floats]:
    """What of the passage's bare title the answer sentence opens with."""
    weights = tokens.weights
    (shared,) = pair_sums(
        tokens.matrix, tokens.matrix, rows.opening, rows.title, 1,
        lambda here, _, columns: [(here > 0) * weights[columns]],
    )  # fmt: skip
    return {"title_in_opening": _share(shared, masses[rows.title])}


def _share(part: Ints, whole: Ints) -> Floats:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def _log_mass(mass: Ints) -> Floats:
    return np.log1p(mass / UNIT)
