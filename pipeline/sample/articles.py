"""The older edition: an article's facts in an order, in sections and paragraphs.

Each sentence remembers what became of it in the newer edition: ``new`` is another statement of the
fact, or nothing where it is gone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from pipeline.sample.catalog import Catalog, Fact, Rule
from pipeline.sample.pieces import NOTHING, Piece, concatenate, join, text
from pipeline.sample.prose import CLOSING, OPENING, Sentence, Statement, realise, rewordable
from pipeline.sample.seeds import generator
from pipeline.sample.world import Entity, Region

_NO_FACT = Fact("filler", "", {}, (), (), False)


@dataclass(slots=True, eq=False)
class Use:
    """One fact in one place of an article: as the older edition had it, and as the newer has."""

    old: Statement | None
    new: Statement | None
    fixed: bool = False


@dataclass(slots=True, eq=False)
class Paragraph:
    """Facts that stand together. ``gone``: the newer edition has no such paragraph."""

    section: str
    uses: list[Use]
    gone: bool = False


@dataclass(slots=True, eq=False)
class Article:
    """An article of both editions."""

    entity: Entity
    paragraphs: list[Paragraph]
    province: str
    catalog: Catalog

    def sentences(self, statement: Statement) -> list[Sentence]:
        """The sentences of a statement in this article."""
        return realise(statement, self.entity, self.province, self.catalog.phrases)

    def old_sentences(self, paragraph: Paragraph) -> Iterator[tuple[Use, Sentence]]:
        """The sentences of a paragraph in the older edition."""
        for use in paragraph.uses:
            if use.old is not None:
                for sentence in self.sentences(use.old):
                    yield use, sentence

    def new_sentences(self, paragraph: Paragraph) -> list[Piece]:
        """The sentences of a paragraph in the newer edition; none where it is gone."""
        facts = [use for use in paragraph.uses if use.new is not None and not use.new.filler]
        if paragraph.gone or not facts:
            return []
        return [
            sentence.piece
            for use in paragraph.uses
            if use.new is not None
            for sentence in self.sentences(use.new)
        ]

    def new_text(self, paragraph: Paragraph) -> Piece:
        """A paragraph's text in the newer edition, empty where it is gone."""
        sentences = self.new_sentences(paragraph)
        return join(sentences, " ") if sentences else NOTHING


def make_articles(region: Region, seed: int) -> list[Article]:
    """The region's articles, the newer edition still the same as the older."""
    rng = generator(seed, "articles", region.number)
    return [_make_article(region, entity, rng) for entity in region.entities]


def _make_article(region: Region, entity: Entity, rng: random.Random) -> Article:
    sections: dict[str, int] = {}
    for fact in entity.facts:
        sections.setdefault(fact.section, len(sections))
    ordered = sorted(entity.facts, key=lambda fact: sections[fact.section])
    paragraphs: list[Paragraph] = []
    for section, facts in groupby(ordered, key=lambda fact: fact.section):
        rest = list(facts)
        head = [rest.pop(0)] if not section else []
        rng.shuffle(rest)
        rest = head + rest
        while rest:
            size = min(len(rest), rng.choice((1, 2, 2, 3, 3, 4)))
            paragraphs.append(_paragraph(region, entity, section, rest[:size], rng))
            del rest[:size]
    return Article(entity, paragraphs, region.province, region.catalog)


def _paragraph(
    region: Region, entity: Entity, section: str, facts: list[Fact], rng: random.Random
) -> Paragraph:
    uses = []
    for position, fact in enumerate(facts):
        statement = state(region, entity, fact, position == 0, rng)
        uses.append(Use(statement, statement))
    if rng.random() < 0.22:
        filler = filler_statement(rng.choice(region.catalog.fillers))
        uses.append(Use(filler, filler, fixed=True))
    return Paragraph(section, uses)


def filler_statement(words: str) -> Statement:
    """A sentence that states no fact."""
    return Statement(_NO_FACT, 0, frozenset(), False, "name", {}, filler=words)


def state(
    region: Region, entity: Entity, fact: Fact, opening: bool, rng: random.Random
) -> Statement:
    """Say a fact in a way drawn at random."""
    catalog = region.catalog
    number = rng.randrange(len(fact.rules))
    rule = fact.rules[number]
    clauses = {n for n in range(rule.clauses) if rng.random() < 0.55}
    ways = ("name", "name", "noun") if opening else ("name", "noun", "pronoun", "pronoun")
    before = after = NOTHING
    if fact is not entity.kind.definition:
        before = _around(region, rng.choice(catalog.openings), rng)
        after = _around(region, rng.choice(catalog.closings), rng)
        clauses |= {OPENING} if rng.random() < 0.25 else set()
        clauses |= {CLOSING} if rng.random() < 0.4 else set()
    return Statement(
        fact=fact,
        rule_number=number,
        clauses=frozenset(clauses),
        joined=rng.random() < 0.65,
        mention=rng.choice(ways),
        values=entity.values[fact.key],
        reworded={
            phrase: rng.choice(catalog.synonyms[phrase])
            for phrase in rewordable(rule, catalog.phrases)
            if rng.random() < 0.6
        },
        opening=before,
        closing=after,
    )


def _around(region: Region, rule: Rule, rng: random.Random) -> Piece:
    """Opening or closing words with names and a year of the region."""
    year, recent = rng.randint(1790, 2011), rng.randint(2003, 2012)
    paper = f"{rng.choice(region.places)} {rng.choice(('Almanac', 'Courier', 'Gazette'))}"
    about = Piece(f"{{{{circa|{year}}}}}", f"c. {year}", f"c. {year}", "")
    slots = {
        "person": text(region.person(rng)),
        "place": text(rng.choice(region.places)),
        "year": about if rng.random() < 0.1 else text(str(year)),
        "province": text(region.province),
        "as_of": Piece(f"{{{{As of|{recent}}}}}", f"As of {recent}", f"As of {recent}", ""),
        "paper": Piece(f"''{paper}''", paper, paper, f'"{paper}"'),
    }
    return concatenate(
        text(token.words) if token.words else slots[token.slot] for token in rule.tokens
    )
