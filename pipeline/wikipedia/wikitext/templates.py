"""Templates: what a reader sees where the page calls one.

Wikipedia's templates are not in the dump's pages, so what they show is told by a table,
``templates.yaml``. A template that the table lacks is read by rule: a phrase that it was given is
kept, and what looks like apparatus is dropped; its name is counted either way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from pipeline.wikipedia.wikitext import template_rules
from pipeline.wikipedia.wikitext.braces import Span, outermost_templates
from pipeline.wikipedia.wikitext.calls import Call, read_call, template_name
from pipeline.wikipedia.wikitext.magic import read_magic
from pipeline.wikipedia.wikitext.marks import HOLE, QUOTE_CLOSE, QUOTE_OPEN
from pipeline.wikipedia.wikitext.patterns import Pattern, compile_pattern

Shower = Callable[[Call], str | None]

_DEEPEST = 24
_OPEN_LINKS = 5
_LONGEST = 200_000
_LONGEST_NAME = 255  # of any page of MediaWiki
_PHRASE = re.compile(r"[^\W_]")
_APPARATUS = re.compile(
    r"(?:\.(?:jpe?g|png|svg|gif|og[gv]|webm|pdf|djvu)\s*$)|^\s*(?:#[0-9a-f]{3,6}|\d+(?:px|em|%))\s*$"
    r"|^\s*(?:https?:)?//",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。”\"]['\s]*$")


class PageTooCostlyError(Exception):
    """A page's templates have more characters than its budget; it is read simply instead."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the table says about one template: how it shows, or that it shows nothing."""

    show: Pattern | Shower | None
    quotation: bool = False


class TemplateTable:
    """The templates that are known by name, by the start of it or by its end."""

    def __init__(self, entries: Sequence[dict[str, Any]]) -> None:
        self._exact: dict[str, Entry] = {}
        self._starts: dict[str, Entry] = {}
        self._ends: dict[str, Entry] = {}
        self._found: dict[str, Entry | None] = {}
        for entry in entries:
            made = _entry(entry)
            for name in entry["names"]:
                if name.endswith("*") and len(name) > 1:
                    self._starts[name[:-1]] = made
                elif name.startswith("*") and len(name) > 1:
                    self._ends[name[1:]] = made
                else:
                    self._exact[name] = made

    def find(self, name: str) -> Entry | None:
        """The entry of a template, by its casefolded name; None when the table lacks it."""
        if name in self._exact:
            return self._exact[name]
        if len(name) > _LONGEST_NAME:
            return self._search(name)
        if name not in self._found:
            if len(self._found) > 50_000:
                self._found.clear()
            self._found[name] = self._search(name)
        return self._found[name]

    def _search(self, name: str) -> Entry | None:
        for length in range(min(len(name), _LONGEST_NAME), 0, -1):
            if name[:length] in self._starts:
                return self._starts[name[:length]]
        for start in range(max(0, len(name) - _LONGEST_NAME), len(name)):
            if name[start:] in self._ends:
                return self._ends[name[start:]]
        return None


def _entry(entry: dict[str, Any]) -> Entry:
    if "drop" in entry:
        return Entry(None)
    if "rule" in entry:
        return Entry(template_rules.RULES[entry["rule"]])
    quotation = "quote" in entry
    return Entry(compile_pattern(entry["quote" if quotation else "show"]), quotation)


@cache
def known_templates() -> TemplateTable:
    """The table that comes with the program."""
    text = files(__package__).joinpath("templates.yaml").read_text(encoding="utf-8")
    # The parser in C, where PyYAML has it: the table is read once in every process.
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return TemplateTable(yaml.load(text, Loader=loader))  # noqa: S506 - it is a safe one


class TemplateReader:
    """Reads the templates of one page, counts the unknown ones, and keeps to a budget."""

    def __init__(self, title: str, max_characters: int, *, render: bool = True) -> None:
        self.unknown: Counter[str] = Counter()
        self._title = title
        self._left = max_characters
        self._render = render
        self._table = known_templates()

    def expand(self, text: str) -> str:
        """The page with every template replaced by what it shows."""
        if "{{" not in text and "}}" not in text:
            return text
        spans = outermost_templates(text)
        return self._replace(text, spans, _alone_on_their_lines(text, spans))

    def _expand_argument(self, text: str) -> str:
        spans = outermost_templates(text)
        return self._replace(text, spans, [False] * len(spans))

    def _replace(self, text: str, spans: Sequence[Span], alone: Sequence[bool]) -> str:
        out: list[str] = []
        position = 0
        for span, own_line in zip(spans, alone, strict=True):
            out.append(text[position : span.start])
            shown = self._show_span(text[span.start : span.end], span, own_line=own_line)
            if shown[:1] == "\n" or shown.startswith("{|"):
                shown = _on_lines_of_its_own(text, span, shown)
            out.append(shown)
            position = span.end
        out.append(text[position:])
        return "".join(out).replace("{{", "").replace("}}", "")

    def _show_span(self, source: str, span: Span, *, own_line: bool) -> str:
        if not span.closed:
            return HOLE
        name = template_name(source)
        entry = self._table.find(name)
        if entry is not None and entry.show is None:
            return HOLE
        if not self._render:
            return HOLE
        if span.depth > _DEEPEST or len(source) > _LONGEST:
            self.unknown[f"{name} (too deep or too long)"] += 1
            return HOLE
        # A call that holds calls goes through a parser: it counts twice.
        self._left -= len(source) * (2 if span.depth > 1 else 1)
        if self._left < 0:
            raise PageTooCostlyError
        if source.count("[[") > source.count("]]") + _OPEN_LINKS:
            source = source.replace("[[", "")  # each of them would be tried in vain
        call = read_call(source, span.braces, self._expand_argument)
        if call is None:
            self.unknown[f"{name} (not parsed)"] += 1
            return HOLE
        return self._show(call, own_line=own_line) or HOLE

    def _show(self, call: Call, *, own_line: bool) -> str:
        entry = self._table.find(call.name)
        if entry is None:
            magic = read_magic(call, self._title)
            if magic is not None:
                return magic
            self.unknown[call.name] += 1
            return _read_by_rule(call, own_line=own_line)
        if entry.show is None:
            return ""
        shown = entry.show(call)
        if shown is None:
            return _read_by_rule(call, own_line=own_line)
        if entry.quotation and shown.strip():
            return f"{QUOTE_OPEN}{shown.strip(' ')}{QUOTE_CLOSE}"
        return shown


def _on_lines_of_its_own(text: str, span: Span, shown: str) -> str:
    """A list or table that a template shows: it begins a line, and adds no blank ones."""
    begins_line = not span.start or text[span.start - 1] == "\n"
    ends_line = text[span.end : span.end + 1] in ("", "\n")
    shown = shown.lstrip("\n") if begins_line else "\n" + shown.lstrip("\n")
    return shown.rstrip("\n") if ends_line else shown


def _read_by_rule(call: Call, *, own_line: bool) -> str:
    """What an unknown template shows: the phrase among its numbered arguments, if there is one.

    A template on a line of its own is a box or a note unless what it holds is a sentence.
    """
    phrases = [
        argument
        for argument in call.positional()
        if _PHRASE.search(argument) and not _APPARATUS.search(argument)
    ]
    if own_line:
        whole = [phrase for phrase in phrases if len(phrase.split()) >= 8]
        return next((phrase.strip() for phrase in whole if _SENTENCE_END.search(phrase)), "")
    if not phrases or len(phrases) > 3 or len(call.arguments) - len(phrases) > 3:
        return ""
    if len(phrases) == 3:
        return max(phrases, key=len)
    return phrases[-1]


def _alone_on_their_lines(text: str, spans: Sequence[Span]) -> list[bool]:
    """Whether each template stands on lines with nothing but templates."""
    alone: list[bool] = []
    line_open = 0  # index of the first span of the current group
    clean_start = True
    for number, span in enumerate(spans):
        before = spans[number - 1].end if number else 0
        gap = text[before : span.start]
        newline = gap.rfind("\n")
        if newline >= 0 or not number:
            line_open = number
            clean_start = not gap[newline + 1 :].strip()
        elif gap.strip():
            clean_start = False
        following = spans[number + 1].start if number + 1 < len(spans) else len(text)
        rest = text[span.end : following]
        end = rest.find("\n")
        ends_line = end >= 0 or number + 1 == len(spans)
        tail = rest[:end] if end >= 0 else rest
        alone.append(False)
        if ends_line and clean_start and not tail.strip():
            for member in range(line_open, number + 1):
                alone[member] = True
        elif tail.strip():
            clean_start = False
    return alone
