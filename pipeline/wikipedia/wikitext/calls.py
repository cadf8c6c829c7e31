"""A call of a template: its name and arguments, parted as MediaWiki's preprocessor does."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from pipeline.wikipedia.wikitext.braces import outermost_templates
from pipeline.wikipedia.wikitext.marks import HOLE, JOIN, SPACE, unshelter

_NAME = re.compile(r"\{\{\s*([^|{}\[\]<>\n]*)")
_PREFIX = re.compile(
    r"^:?(?:(?:safe)?subst:|template:|vorlage:|modèle:|plantilla:|шаблон:|msg:)\s*"
)
_MARKS = str.maketrans("", "", HOLE + JOIN)
_NUMBERED = re.compile(r"[1-9]\d{0,3}")

_BLOT = "\x10"
# Tags, entities, tables, lists and external links.
_LATER_MARKUP = re.compile(r"[<>&:;*#'-]|(?<!\{)\{(?=\|)|(?<!\[)\[(?!\[)")
_LINK = re.compile(r"\[\[(?:[^\[\]]|\[(?!\[)|\](?!\]))*+\]\]")
_DEEPEST_LINK = 8
_NO_NAME = re.compile(r"[\[\]{}<>\n]")
_PARAMETER_BRACES = 3

PARAMETER = "{"
"""The name under which a template's own parameter, ``{{{1|default}}}``, is called."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the name, casefolded and as written, and the arguments by name or number."""

    name: str
    arguments: dict[str, str]
    written: str = ""

    def get(self, *keys: str) -> str | None:
        """The first of these arguments that is not empty, without white space around it."""
        for key in keys:
            value = self.arguments.get(key)
            if value and (value := value.strip()):
                return value
        return None

    def given(self, *keys: str) -> str:
        """The same as it was given, "" when there is none."""
        for key in keys:
            value = self.arguments.get(key)
            if value and not value.isspace():
                return value
        return ""

    def plain(self, *keys: str) -> str:
        """The same without marks, "" when there is none: for rules that compute."""
        value = self.get(*keys)
        return unshelter(value).replace(SPACE, " ").strip() if value else ""

    def positional(self) -> list[str]:
        """The numbered arguments in their order."""
        numbered = [key for key in self.arguments if _NUMBERED.fullmatch(key)]
        return [self.arguments[key] for key in sorted(numbered, key=int)]


def template_name(source: str) -> str:
    """The name a call gives, before anything in it is parsed; "" when it is made of markup."""
    match = _NAME.match(source)
    return normal_name(match[1]) if match else ""


def normal_name(name: str) -> str:
    """The one spelling of a template's name under which the table lists it."""
    name = " ".join(name.translate(_MARKS).replace("_", " ").split()).casefold()
    return _PREFIX.sub("", name) if ":" in name else name


def read_call(source: str, braces: int, expand: Callable[[str], str]) -> Call | None:
    """The call that ``source``, ``braces`` braces at both ends included, makes; None when none.

    ``expand`` gives an argument's text with the calls in it replaced by what they show. A pipe or
    an equals sign in such a call, or in a link, belongs to it and parts no arguments.
    """
    inside = source[braces:-braces]
    if braces == _PARAMETER_BRACES:
        return Call(PARAMETER, {"1": _default(inside, _outline(inside), expand)})
    parted = _part_nested(source) if "{{" in inside else None
    first, *others = parted or _part(inside)
    written = _text(first[1], expand).strip()
    name = normal_name(written)
    if _NO_NAME.search(written) and not name.startswith("#"):
        return None
    arguments: dict[str, str] = {}
    number = 0
    for key, value in others:
        if key is None:
            number += 1
            arguments[str(number)] = _text(value, expand)
        else:
            given = _text(key, expand).translate(_MARKS).strip().casefold()
            arguments[given] = _text(value, expand)
    return Call(name, arguments, written)


def _part_nested(source: str) -> list[tuple[str | None, str]] | None:
    """The name, and the arguments with their keys, of a call that holds calls; None if unsure.

    mwparserfromhell parses it. Flat calls, which are most of all, need no parser.
    """
    import mwparserfromhell
    from mwparserfromhell.nodes import Template

    # It sees nothing of what MediaWiki reads later, which parts no arguments and would be tried in
    # vain at every place, and of the calls inside only that they are calls, which are read in their
    # turn. The blots are as long as what they cover, so the lengths are right.
    blotted = "{{" + _blot_calls(_LATER_MARKUP.sub(_BLOT, source[2:-2]), braces=True) + "}}"
    nodes = mwparserfromhell.parse(blotted, skip_style_tags=True).nodes
    if len(nodes) != 1 or not isinstance(nodes[0], Template):
        return None
    end = 2 + len(str(nodes[0].name))
    parted: list[tuple[str | None, str]] = [(None, source[2:end])]
    for parameter in nodes[0].params:
        start = end + 1
        end = start + len(str(parameter))
        equals = start + len(str(parameter.name))
        if parameter.showkey:
            parted.append((source[start:equals], source[equals + 1 : end]))
        else:
            parted.append((None, source[start:end]))
    return parted


def _part(inside: str) -> list[tuple[str | None, str]]:
    """The same by hand: a pipe or an equals sign in a call or a link parts nothing."""
    parted: list[tuple[str | None, str]] = []
    start = 0
    for piece in _outline(inside).split("|"):
        end = start + len(piece)
        equals = piece.find("=") if start else -1
        if equals >= 0:
            parted.append((inside[start : start + equals], inside[start + equals + 1 : end]))
        else:
            parted.append((None, inside[start:end]))
        start = end + 1
    return parted


def _outline(inside: str) -> str:
    """The inside of a call, at the same length, with calls and links in it blotted out."""
    if "{{" in inside:
        inside = _blot_calls(inside)
    if "[[" in inside:
        for _ in range(_DEEPEST_LINK):
            inside, count = _LINK.subn(lambda link: _BLOT * len(link[0]), inside)
            if not count:
                break
    return inside


def _blot_calls(text: str, *, braces: bool = False) -> str:
    """The text with the calls in it blotted out; with ``braces`` it still shows where they are."""
    pieces: list[str] = []
    at = 0
    for span in outermost_templates(text):
        size = span.end - span.start
        shown = "{{" + _BLOT * (size - 4) + "}}" if braces and span.closed else _BLOT * size
        pieces += (text[at : span.start], shown)
        at = span.end
    return "".join(pieces) + text[at:]


def _default(inside: str, outline: str, expand: Callable[[str], str]) -> str:
    """What a parameter shows that nobody gave: the text after its first pipe."""
    start = outline.find("|") + 1
    end = outline.find("|", start)
    return _text(inside[start : end if end >= 0 else None], expand) if start else ""


def _text(argument: str, expand: Callable[[str], str]) -> str:
    return expand(argument) if "{{" in argument else argument
