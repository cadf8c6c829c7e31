"""What the learned scorer looks at: worked out by hand, and laws that any pair obeys."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.matching.cosines import pair_cosines
from pipeline.matching.features import FEATURES, compare
from pipeline.matching.idf import Idf
from pipeline.matching.model import INPUTS
from pipeline.matching.pair_texts import Pairs
from pipeline.matching.tokens import tokenize
from pipeline.records import Score, arrow_schema
from tests import strategies

# Of 9 passages all have "the", none has what is not named.
IDF = Idf(9, {"the": 9, "river": 4})
RARE = 1.0 if math.log(10 / 0.5) / math.log(5000) >= 1 else math.log(10 / 0.5) / math.log(5000)


def features(
    answer: str, window: str, title: str = "", before: str = "", after: str = "", topic: str = ""
) -> dict:
    """The features of one pair by name; ``before`` and ``after`` are the sentences beside it."""
    sentences = [tokenize(text) for text in (before, window, after)]
    pairs = Pairs(
        answers=[tokenize(answer)],
        topics=[tokenize(topic)],
        windows=sentences,
        titles=[tokenize(title)],
        answer=np.array([0]),
        window=np.array([1]),
        passage=np.array([0, 0, 0]),
        single=np.array([True, True, True]),
        previous=np.array([-1, 0, 1]),
    )
    return dict(zip(FEATURES, compare(pairs, IDF)[1][0].tolist(), strict=True))


def test_every_feature_is_a_column_of_the_scores_and_every_input_a_feature() -> None:
    assert list(FEATURES) == arrow_schema(Score).names[-len(FEATURES) :]
    assert [name for name in FEATURES if name in INPUTS] == list(INPUTS)


def test_an_equal_sentence_shares_everything_and_lacks_nothing() -> None:
    text = "The river Lune rises near Orvik in 1901."
    found = features(text, text)
    ones = ("idf_cosine_1", "idf_cosine_2", "idf_cosine_3", "answer_in_passage", "stems_in_passage",
            "stems_in_context", "least_share")  # fmt: skip
    zeros = ("extra_mass", "numbers_missing", "numbers_extra", "length_ratio", "topic_in_passage",
             "title_in_opening", "opens_with_pronoun", "short_answer")  # fmt: skip
    assert {name: found[name] for name in ones} == dict.fromkeys(ones, 1.0)
    assert {name: found[name] for name in zeros} == dict.fromkeys(zeros, 0.0)
    assert found["shared_mass"] == found["answer_mass"] > 0


def test_shares_and_masses_count_idf_and_not_tokens() -> None:
    found = features("the Lune", "the Orvik")
    common, rare = 0.0, round(RARE, 3)  # "the" is in every passage
    assert found["answer_in_passage"] == pytest.approx(common / (common + rare), abs=2e-2)
    assert found["answer_mass"] == pytest.approx(math.log1p(common + rare), abs=2e-2)
    assert found["extra_mass"] == pytest.approx(math.log1p(rare), abs=1e-3)


def test_a_changed_number_is_missing_and_another_is_too_many() -> None:
    found = features("It holds 4.5 million objects.", "It holds 2.27 million objects.")
    assert found["numbers_missing"] == found["numbers_extra"] == pytest.approx(math.log(2))
    assert features("It has 3.", "It has 3.")["numbers_extra"] == 0.0


@pytest.mark.parametrize(
    ("answer", "window"),
    [("It has 10 gates.", "It has ten gates."), ("It has ten gates.", "It has 10 gates.")],
)
def test_a_number_in_words_is_the_number_in_digits(answer: str, window: str) -> None:
    found = features(answer, window)
    assert found["numbers_missing"] == found["numbers_extra"] == 0.0


def test_numbers_in_words_alone_are_neither_missing_nor_too_many() -> None:
    found = features("It has two gates.", "It has three gates.", before="Two, two, two.")
    assert found["numbers_missing"] == found["numbers_extra"] == 0.0


def test_what_the_passage_says_elsewhere_or_in_its_title_is_in_the_passage() -> None:
    here = features("Lune flows past Orvik", "It flows past it", "Lune", after="Orvik.")
    alone = features("Lune flows past Orvik", "It flows past it")
    assert here["shared_mass"] == alone["shared_mass"]
    assert alone["answer_in_passage"] < here["answer_in_passage"] == 1.0


def test_the_context_is_the_sentence_before_and_the_title_but_not_what_follows() -> None:
    told = features("Lune flows past Orvik", "It flows past it", "Lune", before="Orvik is old.")
    later = features("Lune flows past Orvik", "It flows past it", "Lune", after="Orvik is old.")
    assert later["stems_in_context"] < told["stems_in_context"] == 1.0
    assert later["stems_in_passage"] == told["stems_in_passage"] == 1.0


def test_another_form_of_a_word_is_another_token_of_the_same_stem() -> None:
    found = features("describing Lune", "description Lune")
    assert found["answer_in_passage"] < found["stems_in_passage"] == 1.0
    assert found["extra_mass"] > 0.0


def test_the_least_share_is_low_where_either_says_more_than_the_other() -> None:
    short, long = "Lune rises", "Lune rises near Orvik under Varn"
    both = features(short, short)["least_share"]
    assert features(short, long)["least_share"] == features(long, short)["least_share"] < both == 1


def test_a_named_article_is_seen_in_the_passage_and_in_its_title() -> None:
    for place in ({"title": "Lune"}, {"before": "The Lune is long."}):
        assert (
            features("It is long.", "It is long.", topic="Lune", **place)["topic_in_passage"] == 1
        )
    assert features("It is long.", "It is long.", topic="Lune")["topic_in_passage"] == 0
    assert features("Lune is long.", "It is long.", topic="Lune")["topic_in_passage"] == 0


def test_a_title_counts_where_the_answer_sentence_opens_with_it() -> None:
    assert features("The Lune is long.", "It is long.", "Lune")["title_in_opening"] == 1.0
    late = "It is as long as the other river, the Lune."
    assert features(late, "It is long.", "Lune")["title_in_opening"] == 0.0


def test_a_pronoun_at_the_start_is_seen_and_no_other() -> None:
    assert features("It is long.", "a")["opens_with_pronoun"] == 1.0
    assert features("Long it is.", "a")["opens_with_pronoun"] == 0.0


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
        topics=[[] for _ in texts],
        windows=tokens,
        titles=[[] for _ in texts],
        answer=answer,
        window=window,
        passage=np.arange(len(texts)),
        single=np.ones(len(texts), dtype=bool),
        previous=np.full(len(texts), -1),
    )
    cosines, found = compare(pairs, IDF)
    assert np.array_equal(cosines, pair_cosines(tokens, answer, window))
    for row, one, other in zip(found, answer, window, strict=True):
        assert row.tolist() == list(features(texts[one], texts[other]).values())
        shares = row[[list(FEATURES).index(name) for name in ("stems_in_context", "idf_cosine_2")]]
        assert ((shares >= 0) & (shares <= 1)).all()
        assert np.isfinite(row).all()


def test_no_pairs_have_no_features() -> None:
    nothing = np.array([], dtype=np.int64)
    pairs = Pairs([["a"]], [[]], [], [], nothing, nothing, nothing, nothing > 0, nothing)
    cosines, found = compare(pairs, IDF)
    assert cosines.shape == (0, 3)
    assert found.shape == (0, len(FEATURES))
