"""What single tokens are: numbers in digits or in words, pronouns, forms of one word."""

from __future__ import annotations

import functools
import importlib.resources
from dataclasses import dataclass
from typing import Any

import numpy as np
import yaml

from pipeline.matching.counts import Counts, Texts

# Forms of one word share their first letters: describe, described, description.
_STEM_LETTERS = 5
_LONGEST_UNCUT = 6

# Values in the table of numbers, which may be added up: in digits at least once from IN_DIGITS on.
IN_WORDS, IN_DIGITS = 1, 1 << 32


@dataclass(frozen=True, slots=True)
class Words:
    """Pronouns, and the digits of numbers in words."""

    pronouns: frozenset[str]
    numbers: dict[str, str]


@functools.cache
def words() -> Words:
    """The words of ``words.yaml``."""
    file = importlib.resources.files("pipeline.matching") / "words.yaml"
    value = yaml.safe_load(file.read_text(encoding="utf-8"))
    numbers = {word: str(number) for word, number in value["numbers"].items()}
    return Words(frozenset(value["pronouns"]), numbers)


def stem(token: str) -> str:
    """What the forms of a word have in common: its first letters."""
    return token[:_STEM_LETTERS] if len(token) > _LONGEST_UNCUT else token


def stem_masses(texts: Texts, tokens: Counts) -> Any:
    """The mass of each text's tokens by stem, as a CSR array."""
    codes: dict[str, int] = {}
    stems = np.array(
        [codes.setdefault(stem(token), len(codes)) for token in texts.vocabulary], dtype=np.int64
    )
    matrix = tokens.matrix
    columns = stems[matrix.indices]
    return _table(tokens.weights[matrix.indices], columns, matrix.indptr, len(codes))


def number_table(texts: Texts, tokens: Counts) -> Any:
    """Which numbers each text has, in digits or in words, as a CSR array."""
    in_words = words().numbers
    codes: dict[str, int] = {}
    numbers = np.full(len(texts.vocabulary), -1, dtype=np.int64)
    forms = np.zeros(len(texts.vocabulary), dtype=np.int64)
    for position, token in enumerate(texts.vocabulary):
        digits = token if token[0].isdigit() else in_words.get(token)
        if digits is not None:
            numbers[position] = codes.setdefault(digits, len(codes))
            forms[position] = IN_DIGITS if digits is token else IN_WORDS
    matrix = tokens.matrix
    columns = numbers[matrix.indices]
    kept = columns >= 0
    ends = np.concatenate([[0], np.cumsum(kept)])[matrix.indptr]
    return _table(forms[matrix.indices[kept]], columns[kept], ends, len(codes))


def _table(values: Any, columns: Any, ends: Any, width: int) -> Any:
    from scipy.sparse import csr_array

    found = csr_array((values, columns, ends.copy()), shape=(len(ends) - 1, max(width, 1)))
    found.sum_duplicates()
    return found
