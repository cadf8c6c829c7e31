"""A table as OTT-QA publishes it, one JSON file each: a header and rows of cells with links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class BadTableError(ValueError):
    """A file that is no such table; the message is the reason for which it is dropped."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of a cell, its white space made single, and the links in it, each once."""

    text: str
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of an article; ``table_id`` is the name of its file, by which questions name it."""

    table_id: str
    title: str
    section: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def table_of(value: Any, table_id: str) -> Table:
    """A checked table of the JSON that a file holds."""
    if not isinstance(value, dict):
        raise BadTableError("not an object")
    header, rows = value.get("header"), value.get("data")
    if not isinstance(header, list) or not isinstance(rows, list):
        raise BadTableError("no lists named 'header' and 'data'")
    return Table(
        table_id=table_id,
        title=_plain(value.get("title")),
        section=_plain(value.get("section_title")),
        header=tuple(cell.text for cell in _cells(header)),
        rows=tuple(_cells(row) for row in rows),
    )


def _cells(row: Any) -> tuple[Cell, ...]:
    if not isinstance(row, list):
        raise BadTableError("a row that is no list of cells")
    return tuple(_cell(item) for item in row)


def _cell(item: Any) -> Cell:
    """``[text, [link, …]]``; a text alone is a cell without links."""
    match item:
        case str():
            return Cell(_plain(item), ())
        case [str(text), [*links]] if all(isinstance(link, str) for link in links):
            return Cell(_plain(text), tuple(dict.fromkeys(links)))
    raise BadTableError("a cell that is no text with its links")


def passages_of(value: Any) -> dict[str, str]:
    """The linked passages of a table by link, as its file of passages has them."""
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise BadTableError("no object of texts by link")
    return {link: _plain(text) for link, text in value.items()}


def row_links(row: Sequence[Cell]) -> tuple[str, ...]:
    """The links of a row in the order of its cells, each once."""
    return tuple(dict.fromkeys(link for cell in row for link in cell.links))


def _plain(value: Any) -> str:
    """A text with single spaces; what is no text is none. Halves of surrogate pairs go."""
    if not isinstance(value, str):
        return ""
    return " ".join(value.encode("utf-8", "replace").decode("utf-8").split())
