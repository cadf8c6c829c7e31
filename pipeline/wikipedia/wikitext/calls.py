"""A call of a template: its name and arguments, as mwparserfromhell parses them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeline.wikipedia.wikitext.marks import HOLE, JOIN, SPACE, unshelter

_NAME = re.compile(r"\{\{\s*([^|{}\[\]<>\n]*)")
_PREFIX = re.compile(
    r"^:?(?:(?:safe)?subst:|template:|vorlage:|modèle:|plantilla:|шаблон:|msg:)\s*"
)
_MARKS = str.maketrans("", "", HOLE + JOIN)
_NUMBERED = re.compile(r"[1-9]\d{0,3}")

# MediaWiki looks for nothing but calls and links in a call. What the parser would also look for,
# external links, tables and entities, is put away while it parses.
_AWAY = {"[": "\x10", "{": "\x11", "<": "\x12", "&": "\x13"}
_RETURNED = {away: char for char, away in _AWAY.items()}
_ALONE = re.compile(r"(?<!\[)\[(?!\[)|(?<!\{)\{(?!\{)|[<&]")
_BACK = re.compile("[\x10-\x13]")

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


def read_call(
    source: str, show: Callable[[Call], str], expand: Callable[[str], str]
) -> Call | None:
    """The call that ``source`` (from ``{{`` to ``}}``) makes; None when it makes none.

    Calls in its arguments are replaced by what ``show`` gives for them; ``expand`` does the same
    for other markup that holds calls, such as a link or a table.
    """
    import mwparserfromhell

    source = _ALONE.sub(lambda char: _AWAY[char[0]], source)
    nodes = mwparserfromhell.parse(source, skip_style_tags=True).nodes
    if len(nodes) != 1:
        return None
    return _Reader(show, expand).read(nodes[0])


class _Reader:
    """Turns parsed nodes into calls, from the inside out."""

    def __init__(self, show: Callable[[Call], str], expand: Callable[[str], str]) -> None:
        self._show = show
        self._expand = expand

    def read(self, node: Any) -> Call | None:
        from mwparserfromhell.nodes import Argument, Template

        if isinstance(node, Template):
            return self._call(node)
        if isinstance(node, Argument):
            return Call(PARAMETER, {"1": "" if node.default is None else self._text(node.default)})
        return None

    def _call(self, template: Any) -> Call:
        arguments: dict[str, str] = {}
        number = 0
        for parameter in template.params:
            if parameter.showkey:
                key = self._text(parameter.name).translate(_MARKS).strip().casefold()
            else:
                number += 1
                key = str(number)
            arguments[key] = self._text(parameter.value)
        name = self._text(template.name)
        return Call(normal_name(name), arguments, name.strip())

    def _text(self, code: Any) -> str:
        pieces: list[str] = []
        for node in code.nodes:
            source = _BACK.sub(lambda char: _RETURNED[char[0]], str(node))
            if "{{" in source:
                call = self.read(node)
                source = self._expand(source) if call is None else self._show(call)
            pieces.append(source)
        return "".join(pieces)
