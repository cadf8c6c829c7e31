"""Sentences: a fact, one of the rules for saying it, and its values become text."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pipeline.sample.catalog import Fact, Rule, Token
from pipeline.sample.pieces import NOTHING, Piece, capitalise, concatenate, text
from pipeline.sample.values import Value
from pipeline.sample.world import Entity

_PRONOUNS = {"S": ("he", "she", "it"), "P": ("his", "her", "its")}


@dataclass(frozen=True, slots=True)
class Statement:
    """One fact as one edition states it.

    ``clauses`` are the optional clauses that are there, ``joined`` says whether what could be two
    sentences is one, ``mention`` how the subject is mentioned, ``reworded`` whether words are
    replaced by others of like meaning.
    """

    fact: Fact
    rule_number: int
    clauses: frozenset[int]
    joined: bool
    mention: str
    values: Mapping[str, Value]
    reworded: bool = False
    filler: str = ""

    @property
    def rule(self) -> Rule:
        """The rule in use."""
        return self.fact.rules[self.rule_number]

    def states(self, slot: str) -> bool:
        """Whether the value of a slot is said."""
        clause = self.rule.clause_of(slot)
        return clause is not None and (clause == -1 or clause in self.clauses)

    def with_clause(self, clause: int, present: bool) -> Statement:
        """The same with one clause added or dropped."""
        change = {clause}
        return replace(self, clauses=self.clauses | change if present else self.clauses - change)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A finished sentence and the slots whose values it states."""

    piece: Piece
    slots: frozenset[str]


def realise(
    statement: Statement, entity: Entity, province: str, synonyms: Mapping[str, str]
) -> list[Sentence]:
    """The one or two sentences of a statement."""
    if statement.filler:
        return [Sentence(text(statement.filler), frozenset())]
    halves: list[list[Piece]] = [[] for _ in range(statement.rule.halves)]
    slots: list[set[str]] = [set() for _ in halves]
    for token in statement.rule.tokens:
        if token.clause != -1 and token.clause not in statement.clauses:
            continue
        halves[token.half].append(_piece(token, statement, entity, province, synonyms))
        if token.slot:
            slots[token.half].add(token.slot.removeprefix("a_"))
    pieces = [concatenate(half) for half in halves]
    if len(pieces) == 1:
        return [Sentence(capitalise(pieces[0]), frozenset(slots[0]))]
    if statement.joined:
        whole = concatenate([pieces[0], text(", and "), pieces[1]])
        return [Sentence(capitalise(whole), frozenset(slots[0] | slots[1]))]
    return [
        Sentence(capitalise(concatenate([pieces[0], text(".")])), frozenset(slots[0])),
        Sentence(capitalise(pieces[1]), frozenset(slots[1])),
    ]


def _piece(
    token: Token, statement: Statement, entity: Entity, province: str, synonyms: Mapping[str, str]
) -> Piece:
    if not token.slot:
        return text(reword(token.words, synonyms) if statement.reworded else token.words)
    if token.slot in statement.values:
        return statement.values[token.slot].piece
    if token.slot in ("S", "s", "P", "p"):
        return _mention(token.slot.upper(), statement.mention, entity)
    if token.slot.startswith("a_"):
        return with_indefinite_article(statement.values[token.slot[2:]].piece)
    match token.slot:
        case "province":
            return text(province)
        case "name":
            return entity.name
        case "surname_name":
            return text(entity.short)
        case "bold":
            return _bold(entity, capital=False)
        case "Bold":
            return _bold(entity, capital=True)
        case "native":
            return _native(entity)
    raise KeyError(f"{statement.fact.key}: no slot '{token.slot}'")


def _mention(case: str, mention: str, entity: Entity) -> Piece:
    if mention == "pronoun":
        gender = (1 if entity.female else 0) if entity.kind.person else 2
        return text(_PRONOUNS[case][gender])
    if mention == "noun":
        name = text(f"the {entity.kind.noun}")
    else:
        name = text(entity.short) if entity.kind.person else entity.name
    return concatenate([name, text("'s")]) if case == "P" else name


def _bold(entity: Entity, *, capital: bool) -> Piece:
    name = entity.old_title
    marks = "'''''" if entity.kind.italic else "'''"
    holed = f'"{name}"' if entity.kind.italic else name
    piece = Piece(f"{marks}{name}{marks}", name, name, holed)
    return capitalise(piece) if capital else piece


def _native(entity: Entity) -> Piece:
    """A name in another language and a pronunciation, which some extractors leave as a hole."""
    if entity.number % 3:
        return NOTHING
    native = entity.old_title.split()[-1].lower().replace("e", "é", 1).capitalize() + "o"
    wiki = f" ({{{{lang-eo|{native}}}}})"
    shown = f" (Esperanto: {native})"
    if entity.number % 2:
        wiki = f" ({{{{lang|eo|{native}}}}}, {{{{IPAc-en|ˈ|{native[:3].lower()}}}}})"
        return Piece(wiki, f" ({native})", f" ({native}, /ˈ{native[:3].lower()}/)", " (, )")
    return Piece(wiki, f" ({native})", shown, " ()")


def with_indefinite_article(piece: Piece) -> Piece:
    """The piece after "a" or "an"."""
    article = "an " if piece.plain[:1].lower() in "aeiou" else "a "
    return concatenate([text(article), piece])


def reword(words: str, synonyms: Mapping[str, str]) -> str:
    """Words replaced by others of like meaning, longest phrases first."""
    return _pattern(tuple(synonyms)).sub(lambda found: synonyms[found[0]], words)


def count_rewordings(rule: Rule, clauses: frozenset[int], synonyms: Mapping[str, str]) -> int:
    """How many words of a rule would be replaced."""
    pattern = _pattern(tuple(synonyms))
    return sum(
        len(pattern.findall(token.words))
        for token in rule.tokens
        if token.words and (token.clause == -1 or token.clause in clauses)
    )


@functools.cache
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    ordered = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return re.compile(r"\b(?:" + "|".join(map(re.escape, ordered)) + r")\b")
