"""HTML tags: which ones MediaWiki takes, and what each leaves behind in plain text.

A tag that MediaWiki does not take is text, as it is for the reader.
"""

from __future__ import annotations

import re
from collections import Counter

from pipeline.wikipedia.wikitext.extensions import ATTRIBUTES, EXTENSION_TAGS
from pipeline.wikipedia.wikitext.marks import (
    BREAK,
    ITEM,
    JOIN,
    QUOTE_CLOSE,
    QUOTE_OPEN,
    SPACE,
    shelter,
)

_INLINE = (
    "abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike "
    "strong sub sup tt time u var ruby rb rt rp rtc wbr noinclude onlyinclude "
    "translate tvar languages nobr img link meta"
)
_BLOCK = "p div center hr section article aside header footer main figure figcaption address"
_MEANING = dict.fromkeys(_INLINE.split(), JOIN) | dict.fromkeys(_BLOCK.split(), BREAK)
_MEANING["br"] = SPACE
_CONTAINERS = frozenset(_BLOCK.split()) - {"p", "hr"}
_OPENING = {"blockquote": QUOTE_OPEN, "li": ITEM, "dt": ITEM, "dd": ITEM}
_CLOSING = {"blockquote": QUOTE_CLOSE, "li": "", "dt": "", "dd": ""}
for _list in ("ul", "ol", "dl"):
    _OPENING[_list] = ""
    _CLOSING[_list] = "\n"
for _level in range(1, 7):
    _OPENING[f"h{_level}"] = "\n" + "=" * _level
    _CLOSING[f"h{_level}"] = "=" * _level + "\n"
_OPENING = _MEANING | _OPENING
_CLOSING = _MEANING | _CLOSING

_TABLE_OPENING = {
    "table": "\n{|\n",
    "tr": "\n|-\n",
    "td": "\n|" + JOIN,
    "th": "\n|" + JOIN,
    "caption": "\n|+" + JOIN,
}
_TABLE_PARTS = frozenset(_TABLE_OPENING) | {"tbody", "thead", "tfoot", "col", "colgroup"}

_TAG = re.compile(rf"<(/?)([a-zA-Z][a-zA-Z0-9]*)(?=[\s/>])(?:{ATTRIBUTES}(?:/?)>|[^<>]*>)")
_ITEM = re.compile(rf"(?<!\s)\s*+(?:{ITEM}\s*+)+")
_QUOTATION = re.compile(f"[{QUOTE_OPEN}{QUOTE_CLOSE}]")


def read_tags(text: str) -> str:
    """The page with its HTML tags replaced by marks, and HTML tables and lists by wikitext ones."""
    if "<" not in text:
        return text
    tables = 0
    opened: Counter[str] = Counter()

    def read(tag: re.Match[str]) -> str:
        nonlocal tables
        closing, name = tag[1], tag[2].lower()
        if name in _CONTAINERS:
            # A closing tag that closes nothing is dropped; it must not cut a sentence in two.
            if closing and not opened[name]:
                return JOIN
            opened[name] += -1 if closing else 1
        meaning = (_CLOSING if closing else _OPENING).get(name)
        if meaning is not None:
            return meaning
        if name in EXTENSION_TAGS:
            return JOIN
        if name not in _TABLE_PARTS:
            return shelter(tag[0])
        if name == "table":
            if closing:
                if not tables:
                    return ""
                tables -= 1
                return "\n|}\n"
            tables += 1
        if closing or not tables:
            return ""
        return _TABLE_OPENING.get(name, "")

    text = _TAG.sub(read, text)
    if ITEM in text:
        text = _ITEM.sub("\n* ", text)
    if QUOTE_OPEN in text or QUOTE_CLOSE in text:
        text = _pair_quotations(text)
    return text


def _pair_quotations(text: str) -> str:
    """A quotation that is never closed, or never opened, is only the edge of a paragraph."""
    opened: list[int] = []
    alone: set[int] = set()
    for mark in _QUOTATION.finditer(text):
        if mark[0] == QUOTE_OPEN:
            opened.append(mark.start())
        elif opened:
            opened.pop()
        else:
            alone.add(mark.start())
    alone.update(opened)
    return _QUOTATION.sub(lambda mark: BREAK if mark.start() in alone else mark[0], text)
