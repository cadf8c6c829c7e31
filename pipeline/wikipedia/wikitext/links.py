"""Links: what a reader sees of internal links, files, categories and external links."""

from __future__ import annotations

import re
from urllib.parse import unquote

from pipeline.wikipedia.wikitext.apostrophes import strip_apostrophes
from pipeline.wikipedia.wikitext.characters import decode_entities
from pipeline.wikipedia.wikitext.marks import (
    BREAK,
    CAPTION_CLOSE,
    CAPTION_OPEN,
    HOLE,
    QUOTE_CLOSE,
    QUOTE_OPEN,
    SHELTERED_COLON,
    SHELTERED_PIPE,
    shelter,
)
from pipeline.wikipedia.wikitext.site import Site
from pipeline.wikipedia.wikitext.words import image_option, language_codes

# The greater part of all links: no namespace, fragment, escape or markup in them.
_PLAIN_TARGET = re.compile(r"\[\[(?<!\[\[\[)([^\[\]|:#{}<>%&=/\n]++)\]\](?!\])")
_PLAIN_PIPED = re.compile(r"\[\[(?<!\[\[\[)[^\[\]|:#{}<>%&=\n]++\|([^\[\]|:{}=\n]++)\]\](?!\])")
_INNERMOST = re.compile(r"\[\[((?:[^\[\]\n]|\n(?!\n)|\[(?!\[)|\](?!\]))*+)\]\](\]?)")
# A caption may hold a blank line, but no heading.
_FILE_OVER_LINES = re.compile(
    r"\[\[([^\[\]|\n:]{1,40}:(?:[^\[\]\n]|\n(?!=)|\[(?!\[)|\](?!\]))*+)\]\](\]?)"
)
_FOUR = re.compile(r"\[\[(\[\[[^\[\]]*\]\])\]\]")
_OPEN_FILE = re.compile(r"\[\[[^\[\]|\n:]{1,40}:[^\n]*")
_BAD_TITLE = re.compile(
    r"[<>\[\]{}|\x00-\x04\x08-\x1f]|%[0-9A-Fa-f]{2}|&#?\w+;|~~~|(?:^|/)\.{1,2}(?:/|$)"
)
_LONGEST_TITLE = 255
_PARENTHESES = re.compile(r"(?<!\s)\s*+[(（].*[)）]\s*$")
_PROTOCOL = (
    r"(?:(?:https?|ftps?|ircs?|sftp|gopher|git|svn|ssh|telnet|nntp|worldwind|mms)://|//"
    r"|(?:mailto|news|tel|sms|sips?|xmpp|magnet|urn|geo|bitcoin):)"
)
_IN_ADDRESS = r"(?:[^\s\[\]<>\"'\x00-\x1f]|'(?!'))*+"
_NOT_IN_CAPTION = re.compile(f"[{BREAK}{QUOTE_OPEN}{QUOTE_CLOSE}{CAPTION_OPEN}{CAPTION_CLOSE}]")
_URL_START = re.compile(_PROTOCOL, re.IGNORECASE)
_EXTERNAL = re.compile(
    rf"\[({_PROTOCOL}{_IN_ADDRESS})(\[[0-9a-fA-F:.]+\]{_IN_ADDRESS})?([^\]\n]*)\]", re.IGNORECASE
)


def read_plain_links(text: str) -> str:
    """The page with its simplest links replaced by their text: fast, and most of all links."""
    if "[[" not in text:
        return text
    return _PLAIN_PIPED.sub(r"\1", _PLAIN_TARGET.sub(r"\1", text))


def read_links(text: str, site: Site) -> str:
    """The page with every link replaced by what it shows; file captions between caption marks.

    The innermost links are read first, so that links in captions are text when the caption is
    read. A link that is never closed costs the rest of its line.
    """
    if "[[" in text:
        text = _FOUR.sub(lambda four: shelter("[[") + four[1] + shelter("]]"), text)

        def read(link: re.Match[str]) -> str:
            return _read_link(link[1], link[2], site)

        for _ in range(8):
            text, count = _INNERMOST.subn(read, text)
            if not count:
                break
        if "[[" in text:
            text = _FILE_OVER_LINES.sub(
                lambda file: read(file) if _is_file(file[1], site) else file[0], text
            )
            text = _OPEN_FILE.sub(lambda rest: _drop_open_file(rest[0], site), text)
            text = text.replace("[[", "")
    if "[" in text:
        text = "\n".join(
            _read_external_links(line) if "[" in line else line for line in text.split("\n")
        )
    if "]]" in text:
        text = "\n".join(
            line.replace("]]", "") if _has_left_over(line) else line for line in text.split("\n")
        )
    return text


def _has_left_over(line: str) -> bool:
    return line.count("]") > line.count("[") + line.count("&#91;") + line.count("&lbrack;") + 1


def _read_external_links(line: str) -> str:
    """Only up to the last closing bracket: a search past it would try every opening one in vain."""
    head, bracket, tail = line.rpartition("]")
    return _EXTERNAL.sub(_read_external, head + bracket) + tail if bracket else line


def _read_link(inside: str, bracket: str, site: Site) -> str:
    target, pipe, text = inside.partition("|")
    if _URL_START.match(target):
        url = _EXTERNAL.fullmatch(f"[{target} {text}]")
        return shelter("[") + (_read_external(url) if url else inside) + shelter("]") + bracket
    if "&" in target:
        target = decode_entities(target)
    if "%" in target:
        target = unquote(target)
    if bracket and "[" in text:
        text, bracket = text + "]", ""
    title = " ".join(target.replace("_", " ").split())
    prefix, colon, rest = title.partition(":")
    if colon and prefix:
        space = prefix.strip().casefold()
        if _is_file(title, site):
            return _read_file(text) + bracket
        if space in site.category_namespaces or space == "category":
            return HOLE + bracket
        if space in language_codes() and space != site.language:
            return HOLE + bracket
    if "\n" in target or not _is_title(title) or (colon and rest.startswith("#")):
        return shelter(f"[[{inside}]]") + bracket
    if pipe and text.strip():
        return text.replace(":", SHELTERED_COLON).replace("|", SHELTERED_PIPE) + bracket
    if pipe and text:
        return HOLE + bracket
    shown = target.strip().removeprefix(":").strip()
    if pipe:
        shown = _pipe_trick(shown)
    return shelter(shown) + bracket


def _is_title(title: str) -> bool:
    """Whether MediaWiki takes this for the title of a page, its fragment aside."""
    page = title.partition("#")[0]
    return (
        title not in ("", ":")
        and len(page.encode()) <= _LONGEST_TITLE
        and not _BAD_TITLE.search(page)
    )


def _pipe_trick(title: str) -> str:
    """``[[Talk:Foo (bar), baz|]]`` shows Foo: no namespace, no qualifier."""
    title = title.partition(":")[2] or title
    shorter = _PARENTHESES.sub("", title)
    return shorter if shorter != title else title.partition(", ")[0]


def _read_file(text: str) -> str:
    options = image_option()
    caption = ""
    for part in text.split("|"):
        if not options.fullmatch(part):
            caption = part
    caption = strip_apostrophes(" ".join(_NOT_IN_CAPTION.sub(" ", caption).split()))
    return f"{CAPTION_OPEN}{caption}{CAPTION_CLOSE}" if caption else HOLE


def _is_file(title: str, site: Site) -> bool:
    space = title.partition(":")[0].strip().casefold()
    return space in site.file_namespaces or space in ("file", "image")


def _drop_open_file(rest: str, site: Site) -> str:
    space = rest[2:].partition(":")[0].strip().casefold()
    hidden = site.file_namespaces | site.category_namespaces | {"file", "image", "category"}
    return HOLE if space in hidden else rest


def _read_external(link: re.Match[str]) -> str:
    if not link[2] and not _URL_START.sub("", link[1], count=1).strip("/"):
        return link[0]
    text = link[3]
    if text.strip():
        return text.strip(" ").replace(":", SHELTERED_COLON)
    return HOLE
