"""What a sample holds, read by the rules of its formats and with none of the project's readers."""

import bz2
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from pipeline.stages.sample import DUMP, DUMP_INDEX

SCHEMA = "{http://www.mediawiki.org/xml/export-0.11/}"


def index_lines(folder: Path) -> list[tuple[int, int, str]]:
    """The lines of the dump's index: offset, page number, title."""
    lines = bz2.decompress((folder / DUMP_INDEX).read_bytes()).decode().splitlines()
    rows = [line.split(":", 2) for line in lines]
    return [(int(offset), int(page), title) for offset, page, title in rows]


def pages(folder: Path) -> Iterator[ET.Element]:
    """The page elements of the whole dump."""
    root = ET.fromstring(bz2.decompress((folder / DUMP).read_bytes()))
    yield from root.iter(f"{SCHEMA}page")


def field(page: ET.Element, name: str) -> str:
    """The text of an element below a page."""
    found = page.find(f".//{SCHEMA}{name}")
    assert found is not None
    return found.text or ""


def gold(folder: Path) -> list[dict[str, object]]:
    """The lines of the gold standard."""
    lines = (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]
