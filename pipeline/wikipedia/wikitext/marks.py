"""Characters that stand in wikitext for what has been read already.

Each pass over a page leaves plain characters of this list where something was: control characters
that XML forbids and Unicode's noncharacters, so no page holds them (``clean`` makes sure). Text
that must not be read as markup again, such as the content of ``<nowiki>``, is *sheltered*: its
special characters are swapped for noncharacters until the block is finished.
"""

import re

JOIN = "\x05"  # an inline tag was here: no width, but it ends a URL and a run of apostrophes
SPACE = "\x1d"  # a line break inside a paragraph
BREAK = "\x02"  # a block element began or ended here
QUOTE_OPEN = "\x03"
QUOTE_CLOSE = "\x04"
ITEM = "\x06"  # an item of an HTML list began here
HOLE = "\x07"  # something was dropped here: the spaces and brackets around it may go too
CAPTION_OPEN = "\x0e"
CAPTION_CLOSE = "\x0f"

_SPECIAL = "[]{}'|=*#:;<>!-_+~/ "
_SHELTER = {ord(char): chr(0xFDD0 + place) for place, char in enumerate(_SPECIAL)}
_SHELTER[ord("\n")] = SPACE
_UNSHELTER = {_SHELTER[ord(char)]: char for char in _SPECIAL}

SHELTERED_COLON = _SHELTER[ord(":")]
SHELTERED_PIPE = _SHELTER[ord("|")]

_SHELTERED = re.compile("[\ufdd0-\ufdef]")
# Soft hyphens, zero-width spaces, byte order marks and marks of writing direction.
_UNSEEN = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
_INVISIBLE = re.compile(f"[{_UNSEEN}]")
_NEVER_TEXT = re.compile(
    f"[\x00-\x07\x0b\x0c\x0e-\x1f\x7f\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff{_UNSEEN}]"
)


def clean(wikitext: str) -> str:
    """The page without the characters that no reader sees and that the passes use as marks."""
    if "\r" in wikitext:
        wikitext = wikitext.replace("\r\n", "\n").replace("\r", "\n")
    return _NEVER_TEXT.sub("", wikitext)


def drop_invisible(text: str) -> str:
    """Text without soft hyphens, direction marks and the like."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


def shelter(text: str) -> str:
    """The text with its special characters swapped, so that no later pass reads them."""
    return text.translate(_SHELTER)


def unshelter(text: str) -> str:
    """The text with its special characters back and the marks without width gone."""
    # Captions: of those whose other end was lost with something unclosed.
    for mark in (JOIN, HOLE, CAPTION_OPEN, CAPTION_CLOSE):
        if mark in text:
            text = text.replace(mark, "")
    if text.isascii() or not _SHELTERED.search(text):
        return text
    return _SHELTERED.sub(lambda char: _UNSHELTER.get(char[0], ""), text)
