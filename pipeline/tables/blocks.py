"""Evidence blocks: a row of a table with what names its columns, and the passages it links to.

A *segment* is one row with the table's title, its section and its header. A *fused block* is a
segment followed by the passages that its cells link to (Chen, Chang, Schlinger, Wang and Cohen,
Open Question Answering over Tables and Text, ICLR 2021). Blocks are written as passages, so that
everything that indexes and searches passages takes them: the sentences of a block are its pieces,
the segment and then one a passage.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from pipeline.corpora.links import title_of_link
from pipeline.files import text_sha1
from pipeline.records import BlockContents, Passage
from pipeline.tables.reading import Cell, Table

_WHITE_SPACE = re.compile(r"\s")
_BETWEEN = " | "

Block = tuple[Passage, BlockContents]


@dataclass(frozen=True, slots=True)
class Linked:
    """A passage that a cell links to: its id, which is the link, its title, and its text."""

    passage_id: str
    title: str
    text: str


def linked(link: str, text: str) -> Linked:
    """A passage by the link that leads to it."""
    return Linked(id_of(link), title_of_link(link), text)


def block_id(table_id: str, row: int) -> str:
    """``<table>-<row>``, rows counted from 0 with the empty ones, without white space."""
    return f"{id_of(table_id)}-{row}"


def id_of(name: str) -> str:
    """A name or link as an id: white space in it is percent-encoded."""
    return _WHITE_SPACE.sub(lambda match: quote(match.group()), name)


def segment_text(table: Table, row: Sequence[Cell]) -> str:
    """``Title | Section | Column: cell | …``; empty cells are left out, "" when all are empty."""
    pairs = itertools.zip_longest(table.header, (cell.text for cell in row), fillvalue="")
    told = [f"{name}: {text}" if name else text for name, text in pairs if text]
    if not told:
        return ""
    return _BETWEEN.join([*filter(None, (table.title, table.section)), *told])


def row_block(
    table: Table, number: int, passages: Sequence[Linked], passage_words: int | None
) -> Block | None:
    """One row as a block with these passages; None for a row without text.

    Of each passage the first ``passage_words`` words are kept, all where that is None.
    """
    segment = segment_text(table, table.rows[number])
    if not segment:
        return None
    pieces = [segment]
    for passage in passages:
        words = passage.text.split()[:passage_words]
        pieces.append(" ".join([f"{passage.title}:", *words]))
    name = block_id(table.table_id, number)
    return (
        _passage(name, table.table_id, table.title, table.section, pieces),
        BlockContents(
            passage_id=name,
            table_id=table.table_id,
            row=number,
            links=tuple(passage.passage_id for passage in passages),
        ),
    )


def passage_block(passage: Linked) -> Block:
    """One linked passage as a block of its own."""
    name = passage.passage_id
    return (
        _passage(name, name, passage.title, "", [passage.text]),
        BlockContents(passage_id=name, table_id=None, row=None, links=(name,)),
    )


def _passage(name: str, page: str, title: str, section: str, pieces: Sequence[str]) -> Passage:
    text = " ".join(pieces)
    starts = list(itertools.accumulate((len(piece) + 1 for piece in pieces[:-1]), initial=0))
    return Passage(
        passage_id=name,
        page_id=_number(page),
        revision_id=0,
        title=title,
        section=section,
        text=text,
        text_sha1=text_sha1(text),
        sentence_starts=tuple(starts),
        sentence_ends=tuple(
            start + len(piece) for start, piece in zip(starts, pieces, strict=True)
        ),
    )


def _number(name: str) -> int:
    """A page number for what has none, the same in every run: 60 bits of the name's SHA-1."""
    digest = hashlib.sha1(name.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
    return int(digest[:15], 16)
