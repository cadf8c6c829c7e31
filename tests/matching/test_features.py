"""What the learned scorer looks at: worked out by hand, and laws that any pair obeys."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.matching.cosines import pair_cosines
from pipeline.matching.features import FEATURES, Pairs, compare, names_in
from pipeline.matching.idf import Idf
from pipeline.matching.model import INPUTS
from pipeline.matching.tokens import tokenize
from pipeline.records import Score, arrow_schema
from tests import strategies

# Of 9 passages all have "the", none has what is not named.
IDF = Idf(9, {"the": 9, "river": 4})
RARE = 1.0 if math.log(10 / 0.5) / math.log(5000) >= 1 else math.log(10 / 0.5) / math.log(5000)


def features(answer: str, window: str, title: str = "", passage: str | None = None) -> dict:
    """The features of one pair by name; the passage is the window unless said otherwise."""
    whole = tokenize(window if passage is None else passage)
    pairs = Pairs(
        answers=[tokenize(answer)],
        windows=[tokenize(window)],
        names=[names_in(window)],
        passages=[whole + tokenize(title)],
        titles=[tokenize(title)],
        answer=np.array([0]),
        window=np.array([0]),
        passage=np.array([0]),
    )
    return dict(zip(FEATURES, compare(pairs, IDF)[1][0].tolist(), strict=True))


def test_every_feature_is_a_column_of_the_scores_and_an_input_of_the_model() -> None:
    assert list(FEATURES) == arrow_schema(Score).names[-len(FEATURES) :]
    assert (*FEATURES, "title_match") == INPUTS


def test_an_equal_sentence_shares_everything_and_lacks_nothing() -> None:
    text = "The river Lune rises near Orvik in 1901."
    found = features(text, text)
    ones = ("idf_cosine_1", "idf_cosine_2", "idf_cosine_3", "answer_in_window", "window_in_answer",
            "answer_in_passage", "bigrams_in_passage")  # fmt: skip
    zeros = ("missing_mass", "missing_stems", "extra_mass", "numbers_missing", "numbers_extra",
             "names_extra", "length_ratio", "title_in_answer")  # fmt: skip
    assert {name: found[name] for name in ones} == dict.fromkeys(ones, 1.0)
    assert {name: found[name] for name in zeros} == dict.fromkeys(zeros, 0.0)
    assert found["shared_mass"] == found["answer_mass"] > 0


def test_shares_and_masses_count_idf_and_not_tokens() -> None:
    found = features("the Lune", "the Orvik")
    common, rare = 0.0, round(RARE, 3)  # "the" is in every passage
    assert found["answer_in_window"] == pytest.approx(common / (common + rare), abs=2e-2)
    assert found["missing_mass"] == pytest.approx(math.log1p(rare), abs=1e-3)
    assert found["extra_mass"] == pytest.approx(math.log1p(rare), abs=1e-3)


def test_a_changed_number_is_missing_and_another_is_too_many() -> None:
    found = features("It holds 4.5 million objects.", "It holds 2.27 million objects.")
    assert found["numbers_missing"] == found["numbers_extra"] == pytest.approx(math.log(2))
    assert features("It has 3.", "It has 3.")["numbers_extra"] == 0.0


def test_what_the_passage_says_elsewhere_is_not_missing_and_neither_is_its_title() -> None:
    here = features("Lune flows past Orvik", "It flows past it", "Lune", "It flows past it. Orvik.")
    alone = features("Lune flows past Orvik", "It flows past it")
    assert here["missing_mass"] == 0.0 < alone["missing_mass"]
    assert here["answer_in_window"] == alone["answer_in_window"] < here["answer_in_passage"] == 1.0


def test_another_form_of_a_word_is_a_missing_word_and_no_missing_stem() -> None:
    found = features("describing Lune", "description Lune")
    assert found["missing_mass"] > found["missing_stems"] == 0.0


def test_a_title_in_the_answer_sentence_is_seen() -> None:
    assert features("The Lune is long.", "It is long.", "Lune")["title_in_answer"] == 1.0
    assert features("Orvik is long.", "It is long.", "Lune")["title_in_answer"] == 0.0


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The river Lune rises at Orvik.", ["lune", "orvik"]),
        ("Lune rises. Orvik lies there.", []),
        ("He met (Anna) and, Bo said, Ångström too.", ["anna", "bo", "ångström"]),
        ("all lower case", []),
        ("", []),
    ],
)
def test_names_are_capitalised_words_that_do_not_open_a_sentence(text: str, names: list) -> None:
    assert names_in(text) == names


def test_a_name_of_the_window_that_the_answer_sentence_lacks_counts() -> None:
    lacks = features("It lies on the river Lune.", "It lies on the river Orvik.")
    has = features("It lies on the river Lune.", "It lies on the river Lune.")
    assert lacks["names_extra"] > has["names_extra"] == 0.0


@pytest.mark.parametrize(("answer", "window"), [("", ""), ("a", ""), ("", "a"), ("...", "!")])
def test_texts_without_tokens_have_finite_features(answer: str, window: str) -> None:
    assert all(math.isfinite(value) for value in features(answer, window).values())


@given(st.lists(strategies.sentences, min_size=1, max_size=4), st.data())
def test_pairs_compared_together_have_the_features_of_each_alone(
    texts: list[str], data: st.DataObject
) -> None:
    positions = st.integers(0, len(texts) - 1)
    chosen = data.draw(st.lists(st.tuples(positions, positions), min_size=1, max_size=6))
    tokens = [tokenize(text) for text in texts]
    answer, window = (np.array(side) for side in zip(*chosen, strict=True))
    pairs = Pairs(
        answers=tokens,
        windows=tokens,
        names=[names_in(text) for text in texts],
        passages=tokens,
        titles=[[] for _ in texts],
        answer=answer,
        window=window,
        passage=np.arange(len(texts)),
    )
    cosines, found = compare(pairs, IDF)
    assert np.array_equal(cosines, pair_cosines(tokens, answer, window))
    for row, one, other in zip(found, answer, window, strict=True):
        assert row.tolist() == list(features(texts[one], texts[other]).values())
        shares = row[[list(FEATURES).index(name) for name in ("answer_in_window", "idf_cosine_2")]]
        assert ((shares >= 0) & (shares <= 1)).all()
        assert np.isfinite(row).all()


def test_no_pairs_have_no_features() -> None:
    nothing = np.array([], dtype=np.int64)
    pairs = Pairs([["a"]], [], [], [], [], nothing, nothing, nothing)
    cosines, found = compare(pairs, IDF)
    assert cosines.shape == (0, 3)
    assert found.shape == (0, len(FEATURES))
