"""Rules, values and edits become sentences that read as such."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.sample.articles import make_articles
from pipeline.sample.catalog import load_catalog, parse_rule
from pipeline.sample.names import stem, stem_count
from pipeline.sample.prose import realise
from pipeline.sample.values import draw, redraw
from pipeline.sample.world import make_region


def test_a_rule_is_cut_into_words_slots_clauses_and_halves() -> None:
    rule = parse_rule("$S was built in $year[ by $who] + it is $long[, or more].")
    assert rule.clauses == 2
    assert rule.halves == 2
    assert rule.clause_of("year") == -1
    assert rule.clause_of("who") == 0
    assert rule.clause_of("price") is None
    assert [token.slot for token in rule.tokens if token.slot] == ["S", "year", "who", "long"]


def test_every_fact_declares_what_it_says_and_can_answer_what_it_asks() -> None:
    catalog = load_catalog()
    given_slots = {
        "S", "s", "P", "p", "o", "t", "name", "province", "surname_name", "bold", "Bold", "native",
    }  # fmt: skip
    facts = [fact for kind in catalog.kinds for fact in (kind.definition, *kind.facts)]
    for fact in (*facts, *catalog.shared):
        said = {token.slot.removeprefix("a_") for rule in fact.rules for token in rule.tokens}
        assert said - {""} - given_slots <= set(fact.slots), fact.key
        assert set(fact.slots) <= said, fact.key
        assert all(ask.slot in said for ask in fact.asks), fact.key
        asked = {slot for ask in fact.asks for slot in re.findall(r"\$(\w+)", ask.words)}
        assert asked - {"name"} <= set(fact.slots), fact.key


def test_sentences_show_no_trace_of_the_rules_they_were_made_by() -> None:
    catalog = load_catalog()
    region = make_region(catalog, 5, 0, 40)
    for article in make_articles(region, 5):
        for paragraph in article.paragraphs:
            for sentence in article.new_sentences(paragraph):
                plain = sentence.plain
                assert re.fullmatch(r"[A-Z0-9À-Ž].*\.", plain), plain
                assert not re.search(r"[$\[\]{}+]|  | [,.;]|,,|\.\.|,\.|''", plain), plain
                assert not re.search(r"\b(a) [aeiou]\w+ (bridge|novel|is)\b", plain), plain


@pytest.mark.parametrize("joined", [True, False])
def test_halves_are_one_sentence_or_two(joined: bool) -> None:
    catalog = load_catalog()
    region = make_region(catalog, 5, 0, 40)
    article = make_articles(region, 5)[0]
    statements = [use.old for paragraph in article.paragraphs for use in paragraph.uses if use.old]
    halved = next(found for found in statements if not found.filler and found.rule.halves == 2)
    made = realise(
        replace(halved, joined=joined), article.entity, article.province, catalog.phrases
    )
    assert len(made) == (1 if joined else 2)


@given(st.integers(0, 2**31), st.integers(0, 400_000), st.integers(0, 400_000))
def test_two_numbers_never_give_the_same_stem(seed: int, one: int, other: int) -> None:
    catalog = load_catalog()
    assert (stem(catalog, seed, one) == stem(catalog, seed, other)) == (one == other)


def test_there_are_stems_for_a_hundred_thousand_articles() -> None:
    assert stem_count(load_catalog()) >= 100_000


def test_a_value_drawn_again_is_another_and_a_number_stays_near() -> None:
    import random

    catalog = load_catalog()
    region = make_region(catalog, 5, 0, 40)
    source = region.source(region.entities[0])
    rng = random.Random(1)
    for rule in ("count 900 84000", "measure km 9 640", "year 1400 1900", "person", "link river"):
        for _ in range(20):
            value = draw(rule, source, {}, rng)
            other = redraw(value, source, {}, rng)
            assert other.piece.plain != value.piece.plain
            if rule.startswith(("count", "measure")):
                assert 0.6 <= other.number / value.number <= 1.6
