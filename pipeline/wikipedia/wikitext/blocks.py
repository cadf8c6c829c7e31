"""From lines to blocks: headings, paragraphs, lists, quotations, captions and tables."""

from __future__ import annotations

import re

from pipeline.records import Block
from pipeline.wikipedia.wikitext.apostrophes import strip_apostrophes
from pipeline.wikipedia.wikitext.characters import finish
from pipeline.wikipedia.wikitext.marks import (
    BREAK,
    CAPTION_CLOSE,
    CAPTION_OPEN,
    HOLE,
    JOIN,
    QUOTE_CLOSE,
    QUOTE_OPEN,
    SHELTERED_COLON,
    SPACE,
)
from pipeline.wikipedia.wikitext.tables import after_table, read_table, table_ends

_HEADING = re.compile(rf"(={{1,6}})(.+?)\1[\s{JOIN}{HOLE}]*$")
_RULE = re.compile(r"-{4,}")
_CAPTION = re.compile(f"{CAPTION_OPEN}([^{CAPTION_OPEN}{CAPTION_CLOSE}]*){CAPTION_CLOSE}")
_BREAKS = re.compile(f"[{BREAK}{QUOTE_OPEN}{QUOTE_CLOSE}]")
_LIST_STARTS = frozenset("*#:;")
_BLANK = f"{HOLE}{SPACE} \t"
_PROTOCOL_COLON = re.compile(r":(?=//)|(?<=\bnews):|(?<=\bmailto):", re.IGNORECASE)
_BETWEEN_JOINS = re.compile(f"{JOIN}[^{JOIN}:]*+:[^{JOIN}]*{JOIN}")


class BlockBuilder:
    """Collects lines into blocks and knows the section they stand in."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._headings: list[tuple[int, str]] = []
        self._section = ""
        self._lines: list[str] = []
        self._items: list[str] = []
        self._indented = False
        self._quotations = 0

    def read(self, text: str, *, tables: bool) -> None:
        """Read a page whose links, tags and templates are text already."""
        lines = [strip_apostrophes(line) if "''" in line else line for line in text.split("\n")]
        ends = table_ends(lines) if "{|" in text else {}
        number = 0
        while number < len(lines):
            line = lines[number]
            if ends and number in ends:
                self.flush()
                if tables:
                    self._add_table(lines[number : ends[number] + 1])
                number = ends[number]
                line = after_table(lines[number])
            self._read_line(line)
            number += 1
        self.flush()

    def _read_line(self, line: str) -> None:
        if line[:1] == HOLE:
            line = line.lstrip(HOLE)  # where a template shows nothing, the line begins after it
        first = line[:1]
        if first in _LIST_STARTS:
            if self._lines:
                self._flush_paragraph()
            self._add_item(line)
            return
        if self._items:
            self._flush_items()
        if not line.strip(_BLANK):
            if self._lines:
                self._flush_paragraph()
            return
        if first == "=":
            heading = _HEADING.match(line)
            if heading:
                self.flush()
                self._enter(len(heading[1]), heading[2])
                return
        if first == "-" and line.startswith("----"):
            self._flush_paragraph()
            line = _RULE.sub("", line, count=1)
        if BREAK in line or QUOTE_OPEN in line or QUOTE_CLOSE in line:
            self._read_broken(line)
            return
        indented = first == " "
        if indented != self._indented:
            self._flush_paragraph()
            self._indented = indented
        self._lines.append(line)

    def _read_broken(self, line: str) -> None:
        position = 0
        for mark in _BREAKS.finditer(line):
            self._lines.append(line[position : mark.start()])
            self._flush_paragraph()
            position = mark.end()
            if mark[0] == QUOTE_OPEN:
                self._quotations += 1
            elif mark[0] == QUOTE_CLOSE and self._quotations:
                self._quotations -= 1
        self._lines.append(line[position:])

    def _add_item(self, line: str) -> None:
        rest = line.lstrip("*#:;")
        marks = line[: len(line) - len(rest)]
        rest = _BREAKS.sub(" ", rest)
        if ";" in marks and ":" in rest:
            rest = _PROTOCOL_COLON.sub(SHELTERED_COLON, rest)
            rest = _BETWEEN_JOINS.sub(lambda m: m[0].replace(":", SHELTERED_COLON), rest)
            term, _, definition = rest.partition(":")
            self._items.extend((term, definition))
        else:
            self._items.append(rest)

    def _flush_paragraph(self) -> None:
        if self._lines:
            kind = "quote" if self._quotations else "paragraph"
            self._add(kind, " ".join(self._lines))
            self._lines = []

    def _flush_items(self) -> None:
        items, self._items = self._items, []
        texts = [finish(self._take_captions(item)) for item in items]
        text = "\n".join(item for item in texts if item)
        if text:
            self.blocks.append(Block(kind="list", section=self._section, text=text))

    def flush(self) -> None:
        """End the open paragraph or list."""
        self._flush_items()
        self._flush_paragraph()

    def _take_captions(self, text: str) -> str:
        if CAPTION_OPEN not in text:
            return text
        for caption in _CAPTION.finditer(text):
            shown = finish(caption[1])
            if shown:
                self.blocks.append(Block(kind="caption", section=self._section, text=shown))
        return _CAPTION.sub(HOLE, text)

    def _add(self, kind: str, text: str) -> None:
        text = finish(self._take_captions(text))
        if text:
            self.blocks.append(Block(kind=kind, section=self._section, text=text))

    def _add_table(self, lines: list[str]) -> None:
        rows = []
        for row in read_table(lines):
            cells = [finish(_BREAKS.sub(" ", self._take_captions(cell))) for cell in row if cell]
            shown = " | ".join(cell for cell in cells if cell)
            if shown:
                rows.append(shown)
        if rows:
            self.blocks.append(Block(kind="table", section=self._section, text="\n".join(rows)))

    def _enter(self, level: int, heading: str) -> None:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._headings.append((level, finish(self._take_captions(heading))))
        self._section = " > ".join(title for _, title in self._headings if title)
