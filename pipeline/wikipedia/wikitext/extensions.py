"""Comments and extension tags: what MediaWiki sets aside before it reads any other markup.

One pass from left to right, linear in the length of the page: what may end a tag is searched for
once and remembered. What is never closed costs its own paragraph at most. As in MediaWiki, an open
comment or tag takes all up to where the next of its kind is closed; but a tag that opens again,
after its paragraph and before that, was not closed there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from pipeline.wikipedia.wikitext.marks import (
    BREAK,
    CAPTION_CLOSE,
    CAPTION_OPEN,
    HOLE,
    JOIN,
    shelter,
)

Content = Callable[[str, str], str]

# What stands between a tag's name and its ">": a quoted value may hold ">", if it is closed.
ATTRIBUTES = r"""((?:[^<>/="']++|=\s*+(?:"[^"<]*"|'[^'<]*')|[="']|/(?!>))*+)"""
_REST = re.compile(ATTRIBUTES + r"(/?)>")
_SIMPLE_REST = re.compile(r"([^<>]*?)(/?)>")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n|\n(?==)|\Z")
_REF_AGAIN = re.compile(r"<ref(?=[\s>])(?![^<>]*/>)|\n==", re.IGNORECASE)
_COMMENT_END = re.compile("-->")
_TEX_SPACE_REVERSED = re.compile(r"(?:\s*[,;:! ]\\)*+")
_NOWIKI = re.compile(r"</?nowiki\s*/?>", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_LINE_START = re.compile(r"\n[ \t:]*")
_GALLERY_OPTION = re.compile(r"\s*(?:alt|link|page|lang|class)\s*=[^|]*(?:\||\Z)", re.IGNORECASE)


def _nothing(attributes: str, content: str) -> str:
    return HOLE


def _inline(attributes: str, content: str) -> str:
    return JOIN + shelter(content) + JOIN


def _formula(attributes: str, content: str) -> str:
    # Two braces in a row are one group in another, in TeX as with a space between them.
    formula = content.strip()
    if space := _TEX_SPACE_REVERSED.match(formula[::-1]):
        formula = formula[: len(formula) - space.end()]
    formula = formula.replace("{{", "{ {").replace("}}", "} }").replace("}}", "} }")
    return JOIN + shelter(formula) + JOIN


def _preformatted(attributes: str, content: str) -> str:
    return BREAK + shelter(_NOWIKI.sub("", content).strip()) + BREAK


def _highlighted(attributes: str, content: str) -> str:
    kind = _inline if re.search(r"\binline\b", attributes) else _preformatted
    return kind(attributes, content)


def _poem(attributes: str, content: str) -> str:
    stanzas = _BLANK_LINES.split(content.strip())
    return BREAK + BREAK.join(_LINE_START.sub(" ", "\n" + stanza) for stanza in stanzas) + BREAK


def _gallery(attributes: str, content: str) -> str:
    lines = [BREAK]
    for line in content.split("\n"):
        start = line.find("|") + 1 or len(line)
        while option := _GALLERY_OPTION.match(line, start):
            start = option.end()
        if caption := line[start:].strip():
            lines.append(CAPTION_OPEN + caption + CAPTION_CLOSE)
    lines.append(BREAK)
    return "\n".join(lines)


def _image_map(attributes: str, content: str) -> str:
    return f"[[{content.strip().partition('\n')[0]}]]"


_CONTENT: dict[str, Content] = {
    "nowiki": _inline,
    "pre": _preformatted,
    "math": _formula,
    "chem": _formula,
    "ce": _formula,
    "syntaxhighlight": _highlighted,
    "source": _highlighted,
    "poem": _poem,
    "gallery": _gallery,
    "imagemap": _image_map,
}
_DROPPED = (
    "ref", "references", "timeline", "score", "hiero", "graph", "mapframe", "maplink", "indicator",
    "templatedata", "templatestyles", "categorytree", "inputbox", "includeonly", "section",
    "charinsert", "rss", "quiz", "phonos",
)  # fmt: skip
_CONTENT.update(dict.fromkeys(_DROPPED, _nothing))

_OF_WIKITEXT = frozenset({"poem", "gallery", "imagemap"})
_DEEPEST = 3

EXTENSION_TAGS = frozenset(_CONTENT)

_OPENING = re.compile(
    rf"<(?:!--|({'|'.join(sorted(_CONTENT, key=len, reverse=True))})(?=[\s/>]))", re.IGNORECASE
)


@cache
def _closing(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}\s*/?>", re.IGNORECASE)


@cache
def _again(name: str) -> re.Pattern[str]:
    return re.compile(rf"<{name}(?=[\s>])(?![^<>]*/>)", re.IGNORECASE)


class _Ahead:
    """What comes next in a text that is read from left to right, each searched for only once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[str, re.Match[str] | None] = {}

    def next(self, pattern: re.Pattern[str], start: int) -> re.Match[str] | None:
        """The first match at or after ``start``, which never falls from call to call."""
        key = pattern.pattern
        if key in self._found:
            match = self._found[key]
            if match is None or match.start() >= start:
                return match
        match = self._found[key] = pattern.search(self._text, start)
        return match

    def paragraph_end(self, start: int) -> int:
        """Where the paragraph ends that ``start`` is in."""
        match = self.next(_PARAGRAPH_END, start)
        return match.start() if match else len(self._text)


def read_extensions(text: str, *, nested: int = 0) -> str:
    """The page with its comments gone and its extension tags replaced by what they show."""
    if "<" not in text:
        return text
    out: list[str] = []
    ahead = _Ahead(text)
    position = 0
    while opening := _OPENING.search(text, position):
        out.append(text[position : opening.start()])
        if opening[1] is None:
            position = _comment_end(text, opening.start(), ahead, out)
        else:
            shown, position = _read_tag(text, opening, ahead, nested)
            out.append(shown)
    out.append(text[position:])
    return "".join(out)


def _read_tag(text: str, opening: re.Match[str], ahead: _Ahead, nested: int) -> tuple[str, int]:
    """What an extension tag shows, and where reading goes on."""
    name = opening[1].lower()
    content = _CONTENT[name]
    rest = _REST.match(text, opening.end()) or _SIMPLE_REST.match(text, opening.end())
    if not rest:
        return opening[0], opening.end()
    start = rest.end()
    if rest[2]:
        return HOLE if content is _nothing else JOIN, start
    closing = ahead.next(_closing(name), start)
    again = _opened_again(text, name, start, closing.start(), ahead) if closing else None
    if closing and again is None:
        inside = text[start : closing.start()]
        if name in _OF_WIKITEXT and nested < _DEEPEST:
            inside = read_extensions(inside, nested=nested + 1)
        return content(rest[1], inside), closing.end()
    if content is not _nothing:
        return HOLE, start
    end = ahead.paragraph_end(start)
    return HOLE, end if again is None else min(end, again)


def _opened_again(text: str, name: str, start: int, end: int, ahead: _Ahead) -> int | None:
    """Where between a tag and the next closing one it shows that it was not closed there."""
    if name == "ref":
        match = _REF_AGAIN.search(text, start, end)
        return match.start() if match else None
    if text.find("\n", start, end) < 0 or (paragraph_end := ahead.paragraph_end(start)) >= end:
        return None
    match = ahead.next(_again(name), paragraph_end)
    return match.start() if match and match.start() < end else None


def _comment_end(text: str, start: int, ahead: _Ahead, out: list[str]) -> int:
    """Where reading goes on after a comment; one alone on its line takes the line with it."""
    closing = ahead.next(_COMMENT_END, start + 4)
    if not closing:
        return ahead.paragraph_end(start)
    end = line_end = closing.end()
    while line_end < len(text) and text[line_end] in " \t":
        line_end += 1
    if out and text[line_end : line_end + 1] == "\n":
        before = out[-1].rstrip(" \t")
        if before.endswith("\n") or (not before and start == 0):
            out[-1] = before
            return line_end + 1
    return end
