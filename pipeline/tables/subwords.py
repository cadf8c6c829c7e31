"""How many subword tokens a text has, and where to cut it: what a neural reader's window counts.

A tokenizer here only needs the lengths: how many tokens each stretch between white space becomes.
BERT's WordPiece is counted exactly from its vocabulary; other tokenizers take the library
``tokenizers``, which is optional; without any file an estimate is made.
"""

from __future__ import annotations

import abc
import math
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pipeline.errors import InputError

ESTIMATE = "estimate"
READER_TOKENS = 4096  # what HITS@4K counts in

_STRETCH = re.compile(r"\S+")
_RUN = re.compile(r"[^\W\d_]+|\d+|.", re.DOTALL)
_MOST_CACHED = 200_000
_LONGEST_WORD = 100  # characters; BERT's own limit, beyond which a word is one unknown token


class Subwords(Protocol):
    """What counts a text's tokens."""

    def ends(self, text: str) -> Iterator[tuple[int, int]]:
        """By stretch, in order: the character at which it ends, and its tokens."""
        ...


def count(subwords: Subwords, text: str) -> int:
    """The tokens of a text, without those that a model adds around it."""
    return sum(tokens for _, tokens in subwords.ends(text))


def cut(subwords: Subwords, text: str, budget: int) -> tuple[str, int]:
    """The longest beginning of whole stretches within a budget of tokens, and its tokens."""
    used = end = 0
    for stop, tokens in subwords.ends(text):
        if used + tokens > budget:
            break
        used, end = used + tokens, stop
    return text[:end], used


class _Stretches(abc.ABC):
    """Stretches between white space, each counted once and remembered."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def ends(self, text: str) -> Iterator[tuple[int, int]]:
        known = self._known
        for found in _STRETCH.finditer(text):
            stretch = found.group()
            tokens = known.get(stretch)
            if tokens is None:
                if len(known) >= _MOST_CACHED:
                    known.clear()
                tokens = known[stretch] = self.tokens(stretch)
            yield found.end(), tokens

    @abc.abstractmethod
    def tokens(self, stretch: str) -> int:
        """The tokens of one stretch."""


class Estimate(_Stretches):
    """One token a mark, one a number of up to four digits, and one a word of up to seven letters.

    Longer ones have one more for each further three digits and five letters. Scripts without
    spaces have one a character.
    """

    def tokens(self, stretch: str) -> int:
        """The tokens of one stretch."""
        return sum(map(_estimated, _RUN.findall(stretch)))


def _estimated(run: str) -> int:
    if run.isdigit():
        return 1 + max(0, math.ceil((len(run) - 4) / 3))
    if any(_is_han(character) for character in run):
        return len(run)
    return 1 + max(0, math.ceil((len(run) - 7) / 5))


class WordPiece(_Stretches):
    """BERT's: words cut at marks, then the longest pieces of the vocabulary from the left.

    Devlin, Chang, Lee and Toutanova, BERT, NAACL 2019; as its published code does it.
    """

    def __init__(self, vocabulary: Collection[str], *, lower_case: bool) -> None:
        super().__init__()
        self._vocabulary = frozenset(vocabulary)
        self._lower_case = lower_case
        self._longest = max(map(len, self._vocabulary), default=0)

    def tokens(self, stretch: str) -> int:
        """The tokens of one stretch; one that nothing visible is left of has none."""
        kept = "".join(
            letter for letter in stretch
            if letter != "\ufffd" and unicodedata.category(letter)[0] != "C"
        )  # fmt: skip
        if self._lower_case:
            plain = unicodedata.normalize("NFD", kept.lower())
            kept = "".join(letter for letter in plain if unicodedata.category(letter) != "Mn")
        return sum(map(self._pieces, _bert_words(kept)))

    def _pieces(self, word: str) -> int:
        if len(word) > _LONGEST_WORD:
            return 1
        pieces = start = 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                if prefix + word[start:end] in self._vocabulary:
                    break
            else:
                return 1  # unknown as a whole
            pieces, start = pieces + 1, end
        return pieces


def _bert_words(text: str) -> Iterator[str]:
    """Words, and each mark and each Han character by itself."""
    word: list[str] = []
    for letter in text:
        if letter.isspace() or _is_mark(letter) or _is_han(letter):
            if word:
                yield "".join(word)
                word = []
            if not letter.isspace():
                yield letter
        else:
            word.append(letter)
    if word:
        yield "".join(word)


def _is_mark(letter: str) -> bool:
    """Every ASCII character that is no letter or digit, and what Unicode calls punctuation."""
    if letter.isascii():
        return not letter.isalnum()
    return unicodedata.category(letter).startswith("P")


def _is_han(letter: str) -> bool:
    code = ord(letter)
    return (
        0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x2CEAF or 0x2F800 <= code <= 0x2FA1F
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Library:
    """A tokenizer of the library ``tokenizers``; a stretch here is one token."""

    tokenizer: Any

    def ends(self, text: str) -> Iterator[tuple[int, int]]:
        """The end of each token; those within one character end together."""
        found = self.tokenizer.encode(text, add_special_tokens=False)
        for _, end in found.offsets:
            yield end, 1


# ---------------------------------------------------------------- from a file


def of_vocabulary(lines: list[str], source: str) -> WordPiece:
    """BERT's ``vocab.txt``: a token a line. It lower-cases where no token has a capital letter."""
    tokens = [line.rstrip("\r\n") for line in lines]
    if "[UNK]" not in tokens:
        raise InputError(f"{source}: no token [UNK]; expected BERT's vocabulary, a token a line")
    plain = (token for token in tokens if not (token.startswith("[") and token.endswith("]")))
    return WordPiece(tokens, lower_case=all(token == token.lower() for token in plain))


def of_tokenizer_json(value: Any, text: str, source: str) -> Subwords:
    """Hugging Face's ``tokenizer.json``, parsed and as text.

    BERT's is counted here; for any other the library ``tokenizers`` must be installed.
    """
    model = value.get("model") if isinstance(value, Mapping) else None
    if not isinstance(model, Mapping):
        raise InputError(f"{source}: no object named 'model'; expected a tokenizer.json")
    if lower_case := _berts(value):
        return WordPiece(model["vocab"], lower_case=lower_case == "lower")
    try:
        import tokenizers
    except ImportError:
        kind = str(model.get("type"))[:40]
        raise InputError(
            f"{source}: a tokenizer of type {kind} needs the Python package tokenizers, which is "
            "not installed; install it, or give BERT's, or leave --tokenizer out for an estimate"
        ) from None
    try:
        return Library(tokenizers.Tokenizer.from_str(text))
    except Exception as error:
        said = " ".join(str(error).split())[:200]
        raise InputError(f"{source}: no tokenizer.json that tokenizers can read ({said})") from None


def _berts(value: Mapping[str, Any]) -> str | None:
    """Whether a tokenizer is BERT's in every part: "lower", "cased", or None."""
    model, normalizer = value["model"], value.get("normalizer")
    cutter = value.get("pre_tokenizer")
    if not isinstance(normalizer, Mapping) or not isinstance(cutter, Mapping):
        return None
    berts = (
        model.get("type", "WordPiece") == "WordPiece"
        and isinstance(model.get("vocab"), Mapping)
        and model.get("continuing_subword_prefix", "##") == "##"
        and normalizer.get("type") == "BertNormalizer"
        and normalizer.get("clean_text", True)
        and normalizer.get("handle_chinese_chars", True)
        and normalizer.get("strip_accents") in (None, normalizer.get("lowercase", True))
        and cutter.get("type") == "BertPreTokenizer"
    )
    if not berts:
        return None
    return "lower" if normalizer.get("lowercase", True) else "cased"
