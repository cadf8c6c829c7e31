"""The invented world, one region at a time: which things there are, and what is true of them.

A region follows from the seed and its number alone, so a world of any size is made in a stream.
Its things link to each other and share a small stock of names, as neighbours do.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from pipeline.sample.catalog import Catalog, Fact, Kind
from pipeline.sample.names import given_name, stem, stem_count
from pipeline.sample.pieces import Piece, text
from pipeline.sample.seeds import generator
from pipeline.sample.values import Source, Value, draw

REGION = 40
_PLACES = 38
_OWN_SURNAMES = 14
_OTHER_SURNAMES = 12


@dataclass(slots=True)
class Entity:
    """A thing that has an article, with its names and the facts about it."""

    kind: Kind
    number: int
    title: str
    old_title: str
    short: str
    female: bool
    animal: str
    fate: str = "kept"
    values: dict[str, dict[str, Value]] = field(default_factory=dict)
    known: dict[str, Value] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    links: list[int] = field(default_factory=list)

    @property
    def name(self) -> Piece:
        """The name as a sentence mentions it: with its article, in italics where due."""
        return _with_article(self.kind, _italic(self.kind, self.old_title))

    @property
    def link(self) -> Piece:
        """The same as a link to the article, by the title that links were made with."""
        name = _italic(self.kind, self.old_title)
        mark = "''" if self.kind.italic else ""
        linked = Piece(f"{mark}[[{self.old_title}]]{mark}", name.plain, name.rendered, name.holed)
        if self.old_title.startswith("SS ") and self.number % 2:
            template = f"{{{{SS|{self.old_title.removeprefix('SS ')}}}}}"
            linked = Piece(template, name.plain, name.rendered, "")
        return _with_article(self.kind, linked)


@dataclass(slots=True)
class Region:
    """A province with its things; ``source`` draws further values from the same stock."""

    number: int
    province: str
    entities: list[Entity]
    places: list[str]
    surnames: list[str]
    catalog: Catalog

    def person(self, rng: random.Random) -> str:
        """The name of someone from the region."""
        return f"{given_name(self.catalog, rng)[0]} {rng.choice(self.surnames)}"

    def source(self, entity: Entity) -> Source:
        """Where the values of an entity's facts come from."""

        def place(rng: random.Random) -> str:
            return rng.choice(self.places)

        def link(rng: random.Random, kind: str) -> Piece:
            fitting = [
                other
                for other in self.entities
                if other.kind.name == kind and other is not entity and other.fate != "new"
            ]
            if not fitting:
                return text(place(rng))
            other = rng.choice(fitting)
            entity.links.append(other.number)
            return other.link

        return Source(self.catalog, self.person, place, link, {"animal": entity.animal})


def make_region(catalog: Catalog, seed: int, number: int, articles: int) -> Region:
    """The region of a number, with ``articles`` pages in the newer edition.

    One in ten more stood only in the older edition, one in twenty only in the newer; one in ten
    of those in both has another title in the newer.
    """
    rng = generator(seed, "region", number)
    first = number * (_PLACES + _OWN_SURNAMES)
    own = [stem(catalog, seed, first + n) for n in range(_PLACES + _OWN_SURNAMES)]
    places, surnames = own[:_PLACES], own[_PLACES:]
    # Titles are made of the region's own stems, so that no two regions share one.
    total = stem_count(catalog)
    surnames += [stem(catalog, seed, rng.randrange(total)) for _ in range(_OTHER_SURNAMES)]
    region = Region(number, places[0] + rng.choice(("mark", " Province", "shire")), [], places,
                    surnames, catalog)  # fmt: skip
    absent = max(1, round(articles * 0.1))
    added = articles // 20
    fates = ["absent"] * absent + ["new"] * added
    fates += ["renamed"] * round(articles * 0.1)
    fates += ["kept"] * (articles + absent - len(fates))
    rng.shuffle(fates)
    taken: set[str] = set()
    for order, fate in enumerate(fates):
        kind = catalog.kinds[order % len(catalog.kinds)]
        entity = _name_entity(region, kind, order, taken, rng)
        entity.fate = fate
        if fate == "renamed":
            entity.title = _renamed(entity, region)
        region.entities.append(entity)
    for entity in region.entities:
        _give_facts(region, entity, rng)
    return region


def _name_entity(
    region: Region, kind: Kind, number: int, taken: set[str], rng: random.Random
) -> Entity:
    words = region.catalog.words
    while True:
        given, female = given_name(region.catalog, rng)
        surname = rng.choice(region.surnames[:_OWN_SURNAMES])
        place, other = rng.sample(region.places, 2)
        animal = rng.choice(words["animals"])
        title = rng.choice(kind.titles)
        parts = {
            "$given": given, "$surname": surname, "$place2": other, "$place": place,
            "$adjective": rng.choice(words["adjectives"]), "$thing": rng.choice(words["things"]),
            "$animal": animal,
        }  # fmt: skip
        for slot, word in parts.items():
            title = title.replace(slot, word)
        if title not in taken:
            taken.add(title)
            short = surname if kind.person else title
            return Entity(kind, number, title, title, short, female, animal)


def _renamed(entity: Entity, region: Region) -> str:
    by_noun = entity.kind.person or entity.number % 2
    return f"{entity.old_title} ({entity.kind.noun if by_noun else region.province})"


def _give_facts(region: Region, entity: Entity, rng: random.Random) -> None:
    kind = entity.kind
    own = list(kind.facts)
    for fact in rng.sample(own, rng.randint(0, 2)):
        own.remove(fact)
    shared = rng.sample(region.catalog.shared, rng.randint(8, 12))
    source = region.source(entity)
    entity.facts = [kind.definition, *own, *shared]
    for fact in [kind.definition, *kind.facts, *shared]:
        values: dict[str, Value] = {}
        for slot, rule in fact.slots.items():
            values[slot] = draw(rule, source, entity.known | values, rng)
        entity.values[fact.key] = values
        # Where two facts use the same slot name, later rules mean the first.
        entity.known = values | entity.known


def _italic(kind: Kind, words: str) -> Piece:
    if not kind.italic:
        return text(words)
    return Piece(f"''{words}''", words, words, f'"{words}"')


def _with_article(kind: Kind, piece: Piece) -> Piece:
    if not kind.article:
        return piece
    return Piece(
        *(f"the {form}" for form in (piece.wiki, piece.plain, piece.rendered, piece.holed))
    )
