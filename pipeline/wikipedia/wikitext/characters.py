"""Character references, and the tidying of a block's text once all markup is gone."""

from __future__ import annotations

import re
from html.entities import html5

from pipeline.wikipedia.wikitext.marks import HOLE, JOIN, SPACE, drop_invisible, unshelter

_ENTITY = re.compile(r"&(?:#0*(\d{1,7})|#[xX]0*([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]*));")
_URL_ENTITY = re.compile(r"\b[a-z]{3,10}://[^\s<>\"\[\]]*", re.IGNORECASE)
_IGNORED_IN_URL = re.compile("[\u00ad\u200b-\u200d\u2060]")

_EMPTIED = re.compile(
    rf"\((?=[^()]*{HOLE})[\s{HOLE}{JOIN},;:]*\)"
    rf"|\([^()$£€¥₹{HOLE}]*[$£€¥₹]{HOLE}[^()]*\)"  # an amount of money that is not known
    rf"|\[(?=[^\[\]]*{HOLE})[\s{HOLE}{JOIN}]*\]"
    rf"|（(?=[^（）]*{HOLE})[\s{HOLE}{JOIN}、，；：,;:]*）"
    rf'|"{HOLE}[\s{HOLE}]*"|“{HOLE}[\s{HOLE}]*”|‘{HOLE}[\s{HOLE}]*’'
)
# What follows each row of holes: most stand between words, where there is nothing to tidy.
_AFTER_HOLES = re.compile(rf"{HOLE}[\s{HOLE}{JOIN}、，；：,;:]*+([])）\"”’]?)")
_STOP_AFTER_HOLES = re.compile(rf"{HOLE}[\s{HOLE}{JOIN}]*+([,;:.?!]?)")
_UNKNOWN_MONEY = tuple(sign + HOLE for sign in "$£€¥₹")
# Of stops with nothing between them any more one is left, the strongest.
_STOPS_ROUND_HOLES = re.compile(
    rf"[,;:](?:[\s{JOIN}]*{HOLE}[\s{HOLE}{JOIN}]*+(?:[,;:]|\.(?!\.)))++"
)
_STRENGTH = ",:;."
_HOLES_BEFORE_STOP = re.compile(rf"(?<![\s{HOLE}])[\s{HOLE}]++(?<={HOLE})(?=[;:?!])")
_SUSPECT_BRACKETS = ("( ", "(,", "(;", " )", ",)", ";)", "()")
_EMPTY_PARENTHESES = re.compile(r"(?:(?<=\s)|^)\([\s,;:]*\)|\([\s,;:]+\)")
_AFTER_OPENING = re.compile(r"\(\s*(?:[,;]\s+)*")
_BEFORE_CLOSING = re.compile(r"[,;]?\s+\)|[,;]\)")
_STOPS_IN_A_ROW = re.compile(r"([,;])(?: ?[,;])++( ?)")
_SPACE_BEFORE_STOP = re.compile(r"(?<=[^\s.,;])\s([,.])(?=\s(?!\.)|$|[\"”’)])")


def decode_entities(text: str) -> str:
    """Character references decoded once; what names no character stays as it is written."""
    return _ENTITY.sub(_decode, text) if "&" in text else text


def _decode(found: re.Match[str]) -> str:
    if found[3]:
        return html5.get(found[3] + ";", found[0])
    code = int(found[1]) if found[1] else int(found[2], 16)
    if code in (9, 10, 13):
        return " "
    if code < 32 or 127 <= code < 160 or 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        return found[0]
    if code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
        return found[0]
    return chr(code)


def finish(text: str) -> str:
    """A block's text as it is read: one line, single spaces, no trace of what was dropped."""
    if HOLE in text:
        if any(_AFTER_HOLES.findall(text)) or any(money in text for money in _UNKNOWN_MONEY):
            text = _EMPTIED.sub(HOLE, text)
        if any(_STOP_AFTER_HOLES.findall(text)):
            text = _STOPS_ROUND_HOLES.sub(_strongest, text)
            text = _HOLES_BEFORE_STOP.sub("", text)
    text = unshelter(text)
    if "&" in text:
        if "://" in text:
            text = _URL_ENTITY.sub(_read_url, text)
        text = drop_invisible(decode_entities(text))
    text = _single_spaced(text)
    return _tidy(text) if _is_suspect(text) else text


def _strongest(stops: re.Match[str]) -> str:
    return max(stops[0], key=_STRENGTH.find)


def _single_spaced(text: str) -> str:
    """The text with white space of any kind made one space; quick where it is so already."""
    text = text.strip()
    plain = text.isascii() and not ("  " in text or "\n" in text or "\t" in text or SPACE in text)
    return text if plain else " ".join(text.split())


def _is_suspect(text: str) -> bool:
    """Whether the text holds what is there when something was dropped, or was typed like that."""
    if " ," in text or " ." in text or ",," in text:
        return True
    if ";" in text and (";," in text or "; ;" in text):
        return True
    if "(" in text or ")" in text:
        for suspect in _SUSPECT_BRACKETS:
            if suspect in text:
                return True
    return False


def _read_url(url: re.Match[str]) -> str:
    """An address shows no character that may not stand in an address."""
    if "&" not in url[0]:
        return url[0]
    decoded = _IGNORED_IN_URL.sub("", decode_entities(url[0]))
    return decoded.replace("[", "%5B").replace("]", "%5D").replace("|", "%7C").replace("&", "&amp;")


def _tidy(text: str) -> str:
    """Punctuation closed up where something between it was dropped, or never was."""
    if "(" in text:
        text = _EMPTY_PARENTHESES.sub("", text)
        text = _AFTER_OPENING.sub("(", text)
    text = _BEFORE_CLOSING.sub(")", text)
    text = _STOPS_IN_A_ROW.sub(lambda stops: stops[1] + stops[2] if stops[2] else stops[0], text)
    text = _SPACE_BEFORE_STOP.sub(r"\1", text)
    return " ".join(text.split())
