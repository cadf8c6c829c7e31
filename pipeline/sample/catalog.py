"""The kinds of article, their facts and the words, read from the YAML files beside this module.

A sentence rule is text with ``$slot`` for a value, ``[…]`` round a clause that may be left out, and
`` + `` where a longer sentence can be cut in two.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from typing import Any

import yaml

_TOKEN = re.compile(r"\$([a-z_0-9]+)|(\[)|(\])|( \+ )", re.IGNORECASE)
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Token:
    """A word run or a slot; ``clause`` is the number of its optional clause, or -1."""

    words: str
    slot: str
    clause: int
    half: int


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to say a fact."""

    tokens: tuple[Token, ...]
    clauses: int
    halves: int

    def clause_of(self, slot: str) -> int | None:
        """Which clause holds a slot: -1 for none, null where the rule does not mention it."""
        found = [token.clause for token in self.tokens if token.slot == slot]
        return min(found) if found else None


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, with ``$slot`` as in a rule, and the slot that answers it."""

    words: str
    slot: str


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that an article of a kind may say, in one of several ways."""

    key: str
    section: str
    slots: dict[str, str]
    rules: tuple[Rule, ...]
    asks: tuple[Ask, ...]
    stock: bool


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of article: how it is named, defined and what there is to say about it."""

    name: str
    noun: str
    topic: str
    titles: tuple[str, ...]
    definition: Fact
    facts: tuple[Fact, ...]
    person: bool
    article: bool
    italic: bool


@dataclass(frozen=True, slots=True)
class Catalog:
    """All that the encyclopedia is made of."""

    kinds: tuple[Kind, ...]
    shared: tuple[Fact, ...]
    fillers: tuple[str, ...]
    quotes: tuple[str, ...]
    openings: tuple[Rule, ...]
    closings: tuple[Rule, ...]
    words: dict[str, list[str]]
    synonyms: dict[str, list[str]]
    phrases: re.Pattern[str]
    questions: dict[str, str]


# An entry of this order a region: the first lines hold every kind that others link to.
_KINDS = (
    "town", "river", "mountain", "company", "scientist", "bridge", "railway", "species", "novel",
    "ship", "composer", "battle",
)  # fmt: skip


@functools.cache
def load_catalog() -> Catalog:
    """Read the YAML files of this package, once a process."""
    words = _read("words.yaml")
    shared = _read("shared.yaml")
    synonyms = _read("synonyms.yaml")
    return Catalog(
        kinds=tuple(_kind(name, _read(f"kinds/{name}.yaml")) for name in _KINDS),
        shared=tuple(_fact(f"shared-{n}", row) for n, row in enumerate(shared["facts"])),
        fillers=tuple(shared["fillers"]),
        quotes=tuple(shared["quotes"]),
        openings=tuple(parse_rule(row) for row in shared["openings"]),
        closings=tuple(parse_rule(row) for row in shared["closings"]),
        synonyms=synonyms,
        phrases=_any_of(synonyms),
        questions=words.pop("questions"),
        words=words,
    )


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    ordered = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return re.compile(r"\b(?:" + "|".join(map(re.escape, ordered)) + r")\b")


def _read(name: str) -> dict[str, Any]:
    source = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    tree: dict[str, Any] = yaml.load(source, Loader=_LOADER)  # noqa: S506 - a safe loader
    return tree


def _kind(name: str, tree: dict[str, Any]) -> Kind:
    definition = {"in": "lead", "set": tree["set"], "say": tree["lead"], "ask": tree["ask"]}
    return Kind(
        name=name,
        noun=tree["noun"],
        topic=tree["topic"],
        titles=tuple(tree["title"]),
        definition=_fact(f"{name}-definition", definition),
        facts=tuple(_fact(f"{name}-{n}", row) for n, row in enumerate(tree["facts"])),
        person=tree.get("person", False),
        article=tree.get("the", False),
        italic=tree.get("italic", False),
    )


def _fact(key: str, tree: dict[str, Any]) -> Fact:
    asks = [row.rsplit(" = ", 1) for row in tree["ask"]]
    return Fact(
        key=key,
        section="" if tree["in"] == "lead" else tree["in"],
        slots=dict(tree["set"]),
        rules=tuple(parse_rule(row) for row in tree["say"]),
        asks=tuple(Ask(words, slot) for words, slot in asks),
        stock=tree.get("stock", False),
    )


def parse_rule(source: str) -> Rule:
    """Read one sentence rule."""
    tokens: list[Token] = []
    position = half = clauses = 0
    clause = -1
    for match in _TOKEN.finditer(source):
        if match.start() > position:
            tokens.append(Token(source[position : match.start()], "", clause, half))
        position = match.end()
        slot, opening, closing, _ = match.groups()
        if slot:
            tokens.append(Token("", slot, clause, half))
        elif opening:
            clause, clauses = clauses, clauses + 1
        elif closing:
            clause = -1
        else:
            half += 1
    if position < len(source):
        tokens.append(Token(source[position:], "", clause, half))
    return Rule(tuple(tokens), clauses, half + 1)
