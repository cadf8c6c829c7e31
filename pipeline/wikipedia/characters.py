"""Character references, and the tidying of a block's text once all markup is gone."""

from __future__ import annotations

import re
from html.entities import html5

from pipeline.wikipedia.marks import HOLE, JOIN, drop_invisible, unshelter

_ENTITY = re.compile(r"&(?:#0*(\d{1,7})|#[xX]0*([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]*));")


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


_EMPTY_BRACKETS = re.compile(rf"[ \u00a0]*(?:\([\s{HOLE}{JOIN},;:]*\)|\[[\s{HOLE}]*{HOLE}[\s{HOLE}]*\])")
_AFTER_OPEN = re.compile(r"([(\[])\s*(?:[,;]\s*)+")
_BEFORE_CLOSE = re.compile(r"(?:\s*[,;:])*\s+([)])|\s*[,;]\s*\)")
_SPACE_BEFORE = re.compile(r"\s+([,.;:])(?=[\s\"'”’)]|$)")
_URL_ENTITY = re.compile(r"\b[a-z]+://[^\s<>\"\[\]]*&[^\s<>\"\[\]]*", re.IGNORECASE)
_IGNORED_IN_URL = re.compile("[\u00ad\u200b-\u200d\u2060]")
_HOLES = re.compile(f"\\s*{HOLE}[\\s{HOLE}]*")
_SUSPECT = re.compile(r"\(\s*[,;)]|\s[,](?=\s|$)|[^.]\s\.(?=\s[^.]|$)|\(\s|\s\)|,\s*\)|, ?,")


def _read_url(url: re.Match[str]) -> str:
    """An address shows no character that may not stand in an address."""
    decoded = _IGNORED_IN_URL.sub("", decode_entities(url[0]))
    return decoded.replace("[", "%5B").replace("]", "%5D").replace("|", "%7C").replace("&", "&amp;")


def finish(text: str) -> str:
    """A block's text as it is read: one line, single spaces, no trace of what was dropped."""
    if HOLE in text:
        text = _close_holes(text)
    text = unshelter(text)
    if "&" in text:
        if "://" in text:
            text = _URL_ENTITY.sub(_read_url, text)
        text = drop_invisible(decode_entities(text))
    text = " ".join(text.split())
    if _SUSPECT.search(text):
        text = _tidy(text)
    return text


def _close_holes(text: str) -> str:
    text = _EMPTY_BRACKETS.sub(HOLE, text)
    return text


def _tidy(text: str) -> str:
    text = re.sub(r"\s*\([\s,;:]*\)", "", text) if re.search(r"(?:^|\s)\([\s,;:]*\)", text) else text
    text = re.sub(r"\(\s*(?:[,;]\s*)*", "(", text)
    text = re.sub(r"(?:\s*[,;])*\s*\)", ")", text)
    text = re.sub(r"\s+,(?=\s|$)", ",", text)
    text = re.sub(r"(?<=[^.\s])\s+\.(?=\s[^.]|$)", ".", text)
    text = re.sub(r",(?:\s*,)+", ",", text)
    return text.strip()
