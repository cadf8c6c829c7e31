"""The golden file of ten real pages: what stands in it of each block, and how it is written anew.

``SILVER_REAL_DATA=… python -m tests.wikipedia.golden_pages`` writes it; read every page that
changed against its wikitext (``silver inspect --dump … --title …``) before you keep the new file.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from pipeline.records import Article
from tests.wikipedia.excerpts import articles, excerpt

GOLDEN = Path(__file__).parents[1] / "golden" / "pages.yaml"
_WORDS = 3

PAGES: Mapping[str, Mapping[str, str]] = {
    "enwiki-2016": {
        "A Modest Proposal": "quotations, essays and letters",
        "Ada": "a page of lists in nested sections",
        "Albedo": "formulas, a table beside the text, captions",
        "America the Beautiful": "poems in the cells of a table",
        "Ampere": "units, formulas, lists after a colon",
        "Arithmetic mean": "formulas within sentences and on lines of their own",
        "Transport in Angola": "definition lists, headings without text",
    },
    "enwiki-modern": {
        "Mini (Mark I)": "many measures, an infobox, lists by year",
        "N.EX.T": "an infobox, tables with lists in their cells",
        "Ranma ½": "many templates, Japanese names",
    },
}

Row = tuple[int, str, str, str, str]


def rows_of(article: Article) -> list[Row]:
    """Index, kind, first and last words and SHA-1 of each block."""
    rows = []
    for number, block in enumerate(article.blocks):
        words = block.text.split()
        first, last = " ".join(words[:_WORDS]), " ".join(words[-_WORDS:])
        sha1 = hashlib.sha1(block.text.encode(), usedforsecurity=False).hexdigest()
        rows.append((number, block.kind, first, last, sha1))
    return rows


def chosen(real_data: Path) -> Iterator[tuple[str, Article]]:
    """The ten pages, each with the excerpt it is from."""
    for name, titles in PAGES.items():
        for article in articles(excerpt(real_data, name)):
            if article.title in titles:
                yield name, article


def write(real_data: Path) -> None:
    """Write the golden file from what extraction gives now."""
    lines = [
        "# Every block of ten real pages, as they were read against their wikitext: index, kind,",
        "# first and last three words, SHA-1 of the text. Written by golden_pages.py (tests).",
    ]
    for name, article in chosen(real_data):
        lines += [
            "",
            f"- excerpt: {name}",
            f"  page_id: {article.page_id}",
            f"  title: {json.dumps(article.title, ensure_ascii=False)}",
            f"  why: {PAGES[name][article.title]}",
            "  blocks:",
            *(f"    - {json.dumps(row, ensure_ascii=False)}" for row in rows_of(article)),
        ]
    GOLDEN.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(os.environ["SILVER_REAL_DATA"]))
