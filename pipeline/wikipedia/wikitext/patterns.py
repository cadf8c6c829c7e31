"""The small language in which ``templates.yaml`` says what a template shows.

``{a|b}`` is the first of the named arguments that is not empty; a last alternative that no
argument can be called, a capitalised word, is shown as it is. ``{*, }`` is every numbered
argument with ", " between them, ``{2*}`` those from the second on. ``[...]`` is left out when an
argument in it is empty. A backslash takes the next character as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pipeline.wikipedia.wikitext.calls import Call
from pipeline.wikipedia.wikitext.marks import shelter

Pattern = Callable[[Call], str]
_Piece = Callable[[Call], str | None]

_LIST = re.compile(r"\s*\n[ \t]*[*#:;]")
_ITEM_MARKS = re.compile(r"(?:^|\s*\n)[*#]+\s*")
_FIELD = re.compile(r"(\d*)\*(.*)", re.DOTALL)


def compile_pattern(source: str) -> Pattern:
    """A function that fills the pattern with a call's arguments."""
    pieces, end = _sequence(source, 0, "")
    if end != len(source):
        raise ValueError(f"pattern {source!r}: a ']' without its '['")

    def fill(call: Call) -> str:
        return "".join(piece(call) or "" for piece in pieces)

    return fill


def _sequence(source: str, place: int, closing: str) -> tuple[list[_Piece], int]:
    pieces: list[_Piece] = []
    literal = ""
    while place < len(source) and source[place] != "]":
        char = source[place]
        if char in "{[" and literal:
            pieces.append(_literal(literal))
            literal = ""
        if char == "{":
            end = source.index("}", place)
            pieces.append(_field(source[place + 1 : end]))
            place = end + 1
        elif char == "[":
            inner, end = _sequence(source, place + 1, "]")
            if source[end : end + 1] != "]":
                raise ValueError(f"pattern {source!r}: a '[' without its ']'")
            pieces.append(_optional(inner))
            place = end + 1
        else:
            if char == "\\":
                place += 1
            literal += source[place : place + 1]
            place += 1
    if literal:
        pieces.append(_literal(literal))
    return pieces, place


def _literal(text: str) -> _Piece:
    # What a pattern writes itself is never markup: a bar or an asterisk of it is only that.
    shown = "\n".join(shelter(line) for line in text.split("\n"))
    return lambda call: shown


def _optional(pieces: Sequence[_Piece]) -> _Piece:
    def fill(call: Call) -> str | None:
        filled = [piece(call) for piece in pieces]
        return "" if None in filled else "".join(part for part in filled if part)

    return fill


def _field(source: str) -> _Piece:
    repeated = _FIELD.fullmatch(source)
    if repeated:
        first, between = int(repeated[1] or 1), repeated[2]

        def every(call: Call) -> str | None:
            items = [
                item for argument in call.positional()[first - 1 :] for item in _items(argument)
            ]
            return between.join(items) or None

        return every
    keys = source.split("|")
    fallback = keys.pop() if keys[-1][:1].isupper() else None

    def first_given(call: Call) -> str | None:
        given = call.given(*keys)
        shown = given.strip()
        if "\n" in given and _LIST.match(given):
            shown = f"\n{shown}\n"  # a list has lines of its own
        return shown or fallback

    return first_given


def _items(argument: str) -> list[str]:
    """The items of a numbered argument: it is one, or a list of its own."""
    argument = argument.strip()
    items = _ITEM_MARKS.split(argument) if argument[:2] in ("* ", "# ") else [argument]
    return [item for item in items if item]
