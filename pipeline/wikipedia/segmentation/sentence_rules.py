"""Our rules for where an English sentence ends: one pass over its marks, one decision at each.

One compiled pattern finds the places that come into question, so that the cost is that of the
places and not of the words. What a place means is decided by the word before the mark and, where
that leaves it open, by the word after it. The words are in ``sentences.yaml``.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import yaml

_QUOTES_AFTER = "\"”’'»›"
_AFTER = _QUOTES_AFTER + ")]}*"
_BEFORE = "\"“„‘'«‹([{¿¡*_-–—#"
# A mark, what closes after it, white space, and what may open a sentence; or, where the space was
# forgotten, a word that opens sentences.
_PLACE = re.compile(
    rf"[.!?…]"
    rf"(?:[{re.escape(_AFTER)}]{{0,20}}+(?:\s[:;]-?[)(DP](?=\s))?(?:\[\d+\]|:\d[\d–-]*)*+\s++"
    rf"(?=[^a-z\s.!?,;:)\]}}%/&=|>]|[a-z.][A-Z])"
    rf"|(?:(?<=[a-z!?][a-z!?][!?])|(?<=[a-z][a-z]\.)|(?<=\s[.!?])(?<!\.\s\.))\s++(?=[a-z])"
    rf"|(?<=[a-z0-9)\]][.!?])(?=(?:The|He|She|It|In|This|They|His|Her|After|However|There)\s))"
)
# Ends whatever the words: a blank line, and the marks of scripts that write no spaces, unless the
# sentence goes on after the quotation that they close.
_CERTAIN = re.compile(
    r"[。！？｡][。！？｡」』）】〉》”’)]{0,20}+(?!\s?[とっ、，])\s*+|\n[^\S\n]*+\n\s*+"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NUMBER = re.compile(r"\d|[IVXLCDM]+\b|[B-Z]\b")
_SPEAKER = re.compile(r"(?:[^\W\d_]+\s+){1,3}?([a-z]+)\b")
_LONGEST_ASIDE = 400
_LONGEST_WORD = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of one language: what kind of word stands before a mark, and what opens."""

    kinds: Mapping[str, str]
    openers: frozenset[str]
    labels: frozenset[str]
    speech: frozenset[str]
    short_words: frozenset[str]
    after_hours: frozenset[str]
    marked_names: frozenset[str]


@functools.cache
def words_of(language: str) -> Words | None:
    """The words of a language, or None where there is no table for it."""
    table = importlib.resources.files(__package__).joinpath("sentences.yaml")
    lists = yaml.safe_load(table.read_text(encoding="utf-8")).get(language)
    if lists is None:
        return None
    kinds: dict[str, str] = {}
    for kind in ("closing", "hours", "perhaps", "numbered", "leading", "titles"):
        kinds |= dict.fromkeys(lists[kind].split(), kind)
    return Words(
        kinds=kinds,
        openers=frozenset(lists["openers"].split()),
        labels=frozenset(lists["labels"].split()),
        speech=frozenset(lists["speech"].split()),
        short_words=frozenset(lists["short_words"].split()),
        after_hours=frozenset(lists["after_hours"].split()),
        marked_names=frozenset(lists["marked_names"].split()),
    )


def rule_splitter(words: Words) -> Callable[[str], list[tuple[int, int]]]:
    """A splitter that follows the rules with the words of one language."""
    kinds = words.kinds

    def ends_here(text: str, start: int, mark: int, after: int) -> bool:
        """Whether the mark ends a sentence that began at ``start``; ``after`` it goes on."""
        head = text.rfind(" ", max(start, mark - _LONGEST_WORD), mark) + 1 or start
        word = text[head:mark]
        if word and not word[0].isalnum():
            word = word.lstrip(_BEFORE)
        sign = text[mark]
        if sign == ".":
            kind = kinds.get(word)
            plain = kind is None and len(word) > 1 and "." not in word and not word.isdigit()
            if not plain and not _stop_ends(text, start, head, word, kind, after):
                return False
        elif sign not in "!?…":
            return True
        elif not _mark_ends(text, mark, word, after):
            return False
        follows = text[after]
        if follows.islower() and not _small_starts(text, mark, word, after):
            return False
        aside = text.rfind("(", start + 1, mark)
        return aside < 0 or not _inside_aside(text, aside, mark)

    def _small_starts(text: str, mark: int, word: str, after: int) -> bool:
        """Whether a sentence may begin with a small letter: "iPad", or careless writing."""
        if text[after + 1 : after + 2].isupper():
            return True
        if len(word) == 2:
            return word in words.short_words
        if not word:
            return True
        return word not in kinds and (word.islower() or word[-1:] in "!?")

    def _stop_ends(
        text: str, start: int, head: int, word: str, kind: str | None, after: int
    ) -> bool:
        follows = text[after]
        if kind in ("titles", "leading"):
            return False
        if kind == "numbered":
            if follows == "#" or _NUMBER.match(text, after):
                return False
            if len(word) > 1:
                return True
        if kind == "closing":
            return follows not in "([" and not follows.isdigit()
        if kind == "perhaps":
            return opens(text, after)
        if kind == "hours":
            word_after = _WORD.match(text, after)
            return word_after is None or word_after[0] not in words.after_hours
        if not word:
            return True
        if word.isdigit():
            # "1. First": the number of an item.
            return head != start or len(word) > 3
        if len(word) == 1:
            return not word.isalpha() or _letter_ends(text, start, head, word, after)
        if word.endswith("."):
            return True
        parts = word.split(".")
        if all(len(part) <= 2 and part.isalpha() for part in parts):
            return opens(text, after)
        return True

    def _letter_ends(text: str, start: int, head: int, letter: str, after: int) -> bool:
        """Whether a single letter and its stop end a sentence, or are an initial."""
        if head <= start:
            return False
        if opens(text, after):
            return True
        before = text[_word_start(text, start, head - 1) : head - 1]
        if before in words.labels:
            return True
        if not letter.isupper():
            return letter.islower() and before[-1:] != "."
        if letter != "I" or before.endswith(".") or _initial_follows(text, after):
            return False
        # "World War I. Armies marched", "than I. Nobody", but "by I. Newton".
        return not before.islower() or before in ("and", "than")

    def _initial_follows(text: str, after: int) -> bool:
        return text[after].isupper() and text[after + 1 : after + 2] == "."

    def _mark_ends(text: str, mark: int, word: str, after: int) -> bool:
        # "(!)" and "[when?]" are remarks on a word.
        if text[mark - 1 : mark] == "(" or text[mark + 1] == "]":
            return False
        if word in words.marked_names and not opens(text, after):
            return False
        if text[mark] != "…" and text[mark + 1] in _QUOTES_AFTER:
            speaker = _SPEAKER.match(text, after)
            if speaker and speaker[1] in words.speech:
                return False
        return True

    def opens(text: str, after: int) -> bool:
        """Whether the word after a mark is one that opens sentences."""
        while after < len(text) and text[after] in _BEFORE:
            after += 1
        word = _WORD.match(text, after)
        if word is None or word[0] not in words.openers:
            return False
        return text[word.end() : word.end() + 1] != "." or len(word[0]) > 1

    def split(text: str) -> list[tuple[int, int]]:
        spans = []
        start = len(text) - len(text.lstrip())
        for place in _places(text):
            mark, after = place.span()
            if mark < start or not ends_here(text, start, mark, after):
                continue
            end = after
            while text[end - 1].isspace() and end > start:
                end -= 1
            if end > start:
                spans.append((start, end))
            start = after
        end = len(text.rstrip())
        if start < end:
            spans.append((start, end))
        return spans

    return split


def _places(text: str) -> Iterable[re.Match[str]]:
    places = _PLACE.finditer(text)
    if "\n" not in text and (
        text.isascii() or not ("。" in text or "！" in text or "？" in text or "｡" in text)
    ):
        return places
    return sorted([*places, *_CERTAIN.finditer(text)], key=lambda place: place.start())


def _word_start(text: str, start: int, end: int) -> int:
    """Where the word that ends at ``end`` begins; no further back than words reach."""
    start = max(start, end - _LONGEST_WORD)
    return text.rfind(" ", start, end) + 1 or start


def _inside_aside(text: str, aside: int, mark: int) -> bool:
    """Whether a mark stands in brackets that open and close within the sentence around them."""
    if text.find(")", aside, mark + 2) >= 0:
        return False
    close = text.find(")", mark, mark + _LONGEST_ASIDE)
    return close >= 0 and text.find("(", mark, close) < 0
