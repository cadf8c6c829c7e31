"""Characters that were broken before the corpus reached us, and putting them right.

Two kinds: UTF-8 that somebody read as Latin-1 or Windows-1252 and saved again (``PokÃ©mon`` for
``Pokémon``), and halves of surrogate pairs, which no file can hold.
"""

from __future__ import annotations

import re

MOJIBAKE = "mojibake"
SURROGATE = "lone surrogate"


def _as_seen(byte: int) -> str:
    """How a byte over 0x7F looks when read as Windows-1252, or Latin-1 where that has none."""
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


_BYTE_OF = {_as_seen(byte): byte for byte in range(0x80, 0x100)}
_BYTE_OF |= {chr(byte): byte for byte in range(0x80, 0xA0)}

_TAIL = "".join(re.escape(seen) for seen, byte in _BYTE_OF.items() if byte < 0xC0)
_SEQUENCE = re.compile(
    f"[\u00c2-\u00df][{_TAIL}]|[\u00e0-\u00ef][{_TAIL}]{{2}}|[\u00f0-\u00f4][{_TAIL}]{{3}}"
)
# Typographic quotes and dashes do follow a capital letter in honest text ("MAÇÃ”): two such
# characters alone prove nothing.
_HONEST_TAIL = frozenset("‘’“”–—…•™‹›")
_SURROGATE = re.compile("[\ud800-\udfff]")


def repair_text(text: str) -> tuple[str, list[str]]:
    """The text with broken characters put right, and the kinds of damage found in it."""
    kinds = []
    if not text.isascii():
        if any(_is_proof(match.group()) for match in _SEQUENCE.finditer(text)):
            text = _SEQUENCE.sub(lambda match: _decoded(match.group()), text)
            kinds.append(MOJIBAKE)
        if _SURROGATE.search(text):
            text = _SURROGATE.sub("\ufffd", text)
            kinds.append(SURROGATE)
    return text, kinds


def _is_proof(sequence: str) -> bool:
    honest = len(sequence) == 2 and sequence[1] in _HONEST_TAIL
    return not honest and _decoded(sequence) != sequence


def _decoded(sequence: str) -> str:
    try:
        return bytes(_BYTE_OF[letter] for letter in sequence).decode("utf-8")
    except UnicodeDecodeError:
        return sequence
