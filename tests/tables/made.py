"""Small tables in the published form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipeline.records import BlockContents, Passage, Question
from pipeline.tables.blocks import Linked, linked, row_block
from pipeline.tables.reading import table_of

PASSAGES = {
    "/wiki/Lund_Harbour": "Lund Harbour is a port . It was opened in 1862 by Ada Berg .",
    "/wiki/Stone_Bridge_(Vik)": "The bridge was built in 1724 .",
}


def cell(text: str, *links: str) -> list:
    return [text, list(links)]


def table(*rows: list, header: tuple[str, ...] = ("Place", "Year"), **more: Any) -> dict[str, Any]:
    """A table's JSON."""
    values = {
        "title": "Ports of the north",
        "section_title": "Open ports",
        "section_text": "",
        "uid": "Ports_0",
        "url": "https://example.org/Ports",
        "intro": "",
        "header": [cell(name) for name in header],
        "data": list(rows),
    }
    return values | more


PORTS = table(
    [cell("Lund", "/wiki/Lund_Harbour"), cell("1862")],
    [cell("", ), cell("")],
    [cell("Vik and Lund", "/wiki/Stone_Bridge_(Vik)", "/wiki/Lund_Harbour"), cell("")],
)  # fmt: skip


def write_tables(folder: Path, **tables: object) -> Path:
    """One JSON file each; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in tables.items():
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return folder


def block(row: int, *links: str, value: object = PORTS) -> tuple[Passage, BlockContents]:
    """A row of the table as a block with some of the passages."""
    found: list[Linked] = [linked(link, PASSAGES[link]) for link in links]
    made = row_block(table_of(value, "Ports_0"), row, found, None)
    assert made is not None
    return made


def asked(own_id: str, answer: str, *nodes: list, table_id: str = "Ports_0") -> Question:
    """A question of OTT-QA as it is read; nodes are [row, column, link or None]."""
    kinds = sorted({"passage" if link else "table" for _, _, link in nodes})
    attributes = {"table_id": table_id, "answer_in": kinds[0] if len(kinds) == 1 else "both"}
    if nodes:
        attributes["answer_nodes"] = json.dumps(nodes)
    return Question(
        question_id=f"ottqa-{own_id}", corpus="ottqa", split="dev", question="Who opened Lund ?",
        title="Lund Harbour", answers=(answer,) if answer else (), attributes=attributes,
    )  # fmt: skip
