"""A stretch of text in the four forms in which the sample needs it.

The dump holds its wikitext, the gold standard what a reader of this project's passages sees, SQuAD
and WikiQA what a browser shows, and SelQA what is left when an extractor drops every template.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """One stretch of text: ``wiki`` as written, and what three readers make of it."""

    wiki: str
    plain: str
    rendered: str
    holed: str

    def __bool__(self) -> bool:
        return bool(self.wiki)


def text(words: str) -> Piece:
    """Words that read the same in every form."""
    return Piece(words, words, words, words)


NOTHING = text("")


def concatenate(pieces: Iterable[Piece]) -> Piece:
    """Pieces one after the other, in all four forms."""
    parts = list(pieces)
    return Piece(
        "".join([part.wiki for part in parts]),
        "".join([part.plain for part in parts]),
        "".join([part.rendered for part in parts]),
        "".join([part.holed for part in parts]),
    )


def join(pieces: Iterable[Piece], separator: str) -> Piece:
    """Pieces with the same words between each two."""
    parts = list(pieces)
    return Piece(
        separator.join([part.wiki for part in parts]),
        separator.join([part.plain for part in parts]),
        separator.join([part.rendered for part in parts]),
        separator.join([part.holed for part in parts]),
    )


def capitalise(piece: Piece) -> Piece:
    """The piece with a capital at its beginning, where it begins with a plain word."""
    return Piece(
        _capital(piece.wiki), _capital(piece.plain), _capital(piece.rendered), _capital(piece.holed)
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
