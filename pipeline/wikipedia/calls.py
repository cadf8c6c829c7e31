"""A call of a template: its name and arguments, from the source between its braces.

Most calls are flat and their arguments are split at the bars. One that holds further templates or
links is parsed by mwparserfromhell, which knows which bar belongs to what.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeline.wikipedia.marks import HOLE, JOIN, SPACE, unshelter

if TYPE_CHECKING:
    from mwparserfromhell.wikicode import Wikicode

_NAME = re.compile(r"\{\{\s*([^|{}\[\]<>\n]*)")
_PREFIX = re.compile(r"^:?(?:(?:safe)?subst:|template:|vorlage:|modèle:|plantilla:|msg:)\s*")
_MARKS = str.maketrans("", "", HOLE + JOIN)
_NUMBERED = re.compile(r"[1-9]\d{0,3}")


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
    """The name a call gives, casefolded, with single spaces and no namespace."""
    match = _NAME.match(source)
    return normal_name(match[1]) if match else ""


def normal_name(name: str) -> str:
    """The one spelling of a template's name under which the table lists it."""
    name = " ".join(name.translate(_MARKS).replace("_", " ").split()).casefold()
    return _PREFIX.sub("", name) if ":" in name else name


def read_call(source: str, show_nested: Callable[[Call], str]) -> Call | None:
    """The call that ``source`` (from ``{{`` to ``}}``) makes; None when it makes none."""
    inside = source[2:-2]
    if False:
        name, *arguments = inside.split("|")
        return _call(name, [argument.partition("=") for argument in arguments])
    return _read_nested(source, show_nested)


def _call(name: str, arguments: list[tuple[str, str, str]]) -> Call:
    given: dict[str, str] = {}
    number = 0
    for key, equals, value in arguments:
        if equals:
            given[key.translate(_MARKS).strip().casefold()] = value
        else:
            number += 1
            given[str(number)] = key
    return Call(normal_name(name), given, name.strip())


def _read_nested(source: str, show_nested: Callable[[Call], str]) -> Call | None:
    import mwparserfromhell
    from mwparserfromhell.nodes import Argument, Template

    nodes = mwparserfromhell.parse(source, skip_style_tags=True).nodes
    if len(nodes) != 1:
        return None
    if isinstance(nodes[0], Argument):
        default = nodes[0].default
        return Call("{", {"1": _text(default, show_nested) if default is not None else ""})
    if not isinstance(nodes[0], Template):
        return None
    return _call_of(nodes[0], show_nested)


def _call_of(template: Any, show_nested: Callable[[Call], str]) -> Call:
    arguments: dict[str, str] = {}
    number = 0
    for parameter in template.params:
        value = _text(parameter.value, show_nested)
        if parameter.showkey:
            key = _text(parameter.name, show_nested).translate(_MARKS).strip().casefold()
        else:
            number += 1
            key = str(number)
        arguments[key] = value
    name = _text(template.name, show_nested)
    return Call(normal_name(name), arguments, name.strip())


def _text(code: Wikicode, show_nested: Callable[[Call], str]) -> str:
    from mwparserfromhell.nodes import Argument, Template

    pieces: list[str] = []
    for node in code.nodes:
        if isinstance(node, Template):
            pieces.append(show_nested(_call_of(node, show_nested)))
        elif isinstance(node, Argument):
            pieces.append("" if node.default is None else _text(node.default, show_nested))
        else:
            source = str(node)
            pieces.append(_inner(node, source, show_nested) if "{{" in source else source)
    return "".join(pieces)


def _inner(node: Any, source: str, show_nested: Callable[[Call], str]) -> str:
    """A link, tag or heading that holds templates: those are shown, its own markup stays."""
    from mwparserfromhell.nodes import ExternalLink, Wikilink

    if isinstance(node, Wikilink):
        text = "" if node.text is None else f"|{_text(node.text, show_nested)}"
        return f"[[{_text(node.title, show_nested)}{text}]]"
    if isinstance(node, ExternalLink) and node.brackets:
        title = "" if node.title is None else f" {_text(node.title, show_nested)}"
        return f"[{node.url}{title}]"
    return HOLE
