"""Comments and extension tags: what MediaWiki sets aside before it reads any other markup.

One pass from left to right, linear in the length of the page: a closing tag is searched for once
and remembered. What is never closed costs its own paragraph at most.
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
_TEX_SPACE = re.compile(r"(?:\\[,;:! ]\s*)+$")
_NOWIKI = re.compile(r"</?nowiki\s*/?>", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_LINE_START = re.compile(r"\n[ \t:]*")
_GALLERY_OPTION = re.compile(r"\s*(?:alt|link|page|lang|class)\s*=[^|]*\|", re.IGNORECASE)


def _nothing(attributes: str, content: str) -> str:
    return HOLE


def _inline(attributes: str, content: str) -> str:
    return JOIN + shelter(content) + JOIN


def _formula(attributes: str, content: str) -> str:
    # Two braces in a row are one group in another, in TeX as with a space between them.
    formula = (
        _TEX_SPACE.sub("", content.strip())
        .replace("{{", "{ {")
        .replace("}}", "} }")
        .replace("}}", "} }")
    )
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
        caption = line.partition("|")[2]
        while option := _GALLERY_OPTION.match(caption + "|"):
            caption = caption[option.end() :]
        if caption.strip():
            lines.append(CAPTION_OPEN + caption.strip() + CAPTION_CLOSE)
    lines.append(BREAK)
    return "\n".join(lines)


def _image_map(attributes: str, content: str) -> str:
    return f"[[{content.strip().partition('\n')[0]}]]"


def _as_it_is(attributes: str, content: str) -> str:
    return content


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


def read_extensions(text: str, *, nested: int = 0) -> str:
    """The page with its comments gone and its extension tags replaced by what they show."""
    if "<" not in text:
        return text
    out: list[str] = []
    position = 0
    known: dict[str, tuple[int, int]] = {}

    def closed(name: str, start: int) -> tuple[int, int]:
        """Where the next closing tag begins and ends; (-1, -1) when there is none."""
        begin, end = known.get(name, (0, 0))
        if 0 <= begin < start:
            match = _closing(name).search(text, start)
            begin, end = match.span() if match else (-1, -1)
            known[name] = (begin, end)
        return begin, end

    for _ in range(len(text)):
        opening = _OPENING.search(text, position)
        if not opening:
            break
        start = opening.start()
        out.append(text[position:start])
        name = opening[1]
        if name is None:
            position = _comment_end(text, start, out, known)
            continue
        name = name.lower()
        rest = _REST.match(text, opening.end()) or _SIMPLE_REST.match(text, opening.end())
        if not rest:
            out.append(text[start : opening.end()])
            position = opening.end()
            continue
        if rest[2]:
            out.append(HOLE if name in _DROPPED else JOIN)
            position = rest.end()
            continue
        begin, end = closed(name, rest.end())
        content = _CONTENT[name]
        if content is _nothing and name == "ref" and begin >= 0:
            again = _REF_AGAIN.search(text, rest.end(), begin)
            if again:
                out.append(HOLE)
                position = min(again.start(), _paragraph_end(text, rest.end()))
                continue
        if begin < 0:
            out.append(HOLE)
            position = _paragraph_end(text, rest.end()) if content is _nothing else rest.end()
            continue
        inside = text[rest.end() : begin]
        if name in _OF_WIKITEXT and nested < _DEEPEST:
            inside = read_extensions(inside, nested=nested + 1)
        out.append(content(rest[1], inside))
        position = end
    out.append(text[position:])
    return "".join(out)


def _paragraph_end(text: str, start: int) -> int:
    match = _PARAGRAPH_END.search(text, start)
    return match.start() if match else len(text)


def _comment_end(text: str, start: int, out: list[str], known: dict[str, tuple[int, int]]) -> int:
    """Where reading goes on after a comment; one alone on its line takes the line with it."""
    begin, end = known.get("--", (0, 0))
    if 0 <= begin < start + 4:
        begin = text.find("-->", start + 4)
        end = begin + 3
        known["--"] = (begin, end)
    if begin < 0:
        return _paragraph_end(text, start)
    line_end = end
    while line_end < len(text) and text[line_end] in " \t":
        line_end += 1
    if out and text[line_end : line_end + 1] == "\n":
        before = out[-1].rstrip(" \t")
        if before.endswith("\n") or (not before and start == 0):
            out[-1] = before
            return line_end + 1
    return end
