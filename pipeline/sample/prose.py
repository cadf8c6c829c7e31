"""Sentences: a fact, one of the rules for saying it, and its values become text."""

from __future__ import annotations

import random
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace

from pipeline.sample.catalog import Catalog, Fact, Rule, Token
from pipeline.sample.pieces import NOTHING, Piece, capitalise, concatenate, text
from pipeline.sample.values import Value
from pipeline.sample.world import Entity

# What stands before and after a sentence counts as a clause of it.
OPENING, CLOSING = -2, -3
_ARTICLE = re.compile(r"\b([Aa]n?) ([a-z]+)")
_CONSONANT_SOUNDS = ("uni", "use", "one", "once", "eu")
_PRONOUNS = {"S": ("he", "she", "it"), "P": ("his", "her", "its"), "O": ("him", "her", "it")}


@dataclass(frozen=True, slots=True)
class Statement:
    """One fact as one edition states it.

    ``clauses`` are the optional clauses that are there, the opening and the closing words among
    them; ``joined`` says whether what could be two sentences is one, ``mention`` how the subject
    is mentioned, ``reworded`` which words are replaced by which others of like meaning.
    """

    fact: Fact
    rule_number: int
    clauses: frozenset[int]
    joined: bool
    mention: str
    values: Mapping[str, Value]
    reworded: Mapping[str, str] = field(default_factory=dict)
    opening: Piece = NOTHING
    closing: Piece = NOTHING
    filler: str = ""

    @property
    def rule(self) -> Rule:
        """The rule in use."""
        return self.fact.rules[self.rule_number]

    def optional(self) -> list[int]:
        """The clauses that may be there or not."""
        around = [clause for clause, words in ((OPENING, self.opening), (CLOSING, self.closing))
                  if words]  # fmt: skip
        return [*range(self.rule.clauses), *around]

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
    statement: Statement, entity: Entity, province: str, phrases: re.Pattern[str]
) -> list[Sentence]:
    """The one or two sentences of a statement."""
    if statement.filler:
        return [Sentence(text(statement.filler), frozenset())]
    halves: list[list[Piece]] = [[] for _ in range(statement.rule.halves)]
    slots: list[set[str]] = [set() for _ in halves]
    if OPENING in statement.clauses:
        halves[0] += [statement.opening, text(" ")]
    for token in statement.rule.tokens:
        if token.clause != -1 and token.clause not in statement.clauses:
            continue
        if token.words and len(halves[0]) == 2 and OPENING in statement.clauses:
            token = replace(token, words=token.words[0].lower() + token.words[1:])
        halves[token.half].append(_piece(token, statement, entity, province, phrases))
        if token.slot:
            slots[token.half].add(token.slot.removeprefix("a_"))
    if CLOSING in statement.clauses:
        halves[-1] += [statement.closing, text(".")]
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
    token: Token, statement: Statement, entity: Entity, province: str, phrases: re.Pattern[str]
) -> Piece:
    if not token.slot:
        words = token.words
        if statement.reworded:
            words = reword(words, phrases, statement.reworded)
        # The closing words take the full stop along.
        if token is statement.rule.tokens[-1] and CLOSING in statement.clauses:
            words = words.removesuffix(".")
        return text(words)
    if token.slot in statement.values:
        return statement.values[token.slot].piece
    if token.slot == "o":
        return _mention("O", "pronoun", entity)
    if token.slot == "t":
        return _mention("O", statement.mention, entity)
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
    way = (entity.number // 12 + entity.number) % 3
    if way == 2:
        return NOTHING
    native = entity.old_title.split()[-1].lower().replace("e", "é", 1).capitalize() + "o"
    wiki = f" ({{{{lang-eo|{native}}}}})"
    shown = f" (Esperanto: {native})"
    if way == 1:
        wiki = f" ({{{{lang|eo|{native}}}}}, {{{{IPAc-en|ˈ|{native[:3].lower()}}}}})"
        shown = f" ({native}, /ˈ{native[:3].lower()}/)"
        return Piece(wiki, shown, shown, " (, )")
    return Piece(wiki, shown, shown, " ()")


def with_indefinite_article(piece: Piece) -> Piece:
    """The piece after "a" or "an"."""
    article = "an " if piece.plain[:1].lower() in "aeiou" else "a "
    return concatenate([text(article), piece])


def reword(words: str, phrases: re.Pattern[str], others: Mapping[str, str]) -> str:
    """Words replaced by others of like meaning, longest phrases first."""
    reworded = phrases.sub(lambda found: others.get(found[0], found[0]), words)
    return _ARTICLE.sub(_fitting_article, reworded) if reworded != words else words


def _fitting_article(found: re.Match[str]) -> str:
    article, following = found[1], found[2]
    vowel = following[0] in "aeiou" and not following.startswith(_CONSONANT_SOUNDS)
    fitting = "an" if vowel or following.startswith("hour") else "a"
    return f"{article[0]}{fitting[1:]} {following}"


def rewordable(
    rule: Rule, phrases: re.Pattern[str], clauses: Container[int] | None = None
) -> list[str]:
    """The words of a rule that have others of like meaning; only in the clauses given, if any."""
    found = {
        phrase
        for token in rule.tokens
        if clauses is None or token.clause == -1 or token.clause in clauses
        for phrase in phrases.findall(token.words)
    }
    return sorted(found)


def with_other_words(statement: Statement, catalog: Catalog, rng: random.Random) -> Statement:
    """The statement with other words for all that it says in words with others of like meaning."""
    reworded = dict(statement.reworded)
    for phrase in rewordable(statement.rule, catalog.phrases, statement.clauses):
        now = reworded.get(phrase, phrase)
        others = [words for words in (phrase, *catalog.synonyms[phrase]) if words != now]
        reworded[phrase] = rng.choice(others)
    return replace(statement, reworded=reworded)
