"""Real pages and MediaWiki's own cases: no markup is left, no hole is left, the words are right."""

import bz2
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.records import Block
from pipeline.wikipedia.dump.languages import wikitext_site
from pipeline.wikipedia.dump.page_xml import SiteInfo
from pipeline.wikipedia.wikitext.page import Site, read_page

pytestmark = pytest.mark.real

ENGLISH_EXCERPTS = ("enwiki-2016", "enwiki-modern")
OTHER_EXCERPTS = ("de", "fr", "es", "ru", "ja", "zh", "ar")
MARKUP = re.compile(
    r"\{\{|\}\}|\[\[|\]\]|<ref|</\w|''|\|thumb|&nbsp;|\{\||\|\}|__[A-Z]+__|style=|<br|-\{|<!--|-->"
)
HOLES = re.compile(
    r"(?<=\s)\(\s*\)|\(\s*[,;]| ,(?=\s|$)|(?<![.\s]) \.(?=\s[^.]|$)|,\s*\)|  |\( | \)|, ?,"
)


def pages(path: Path) -> Iterator[tuple[str, str]]:
    title = ""
    with bz2.open(path) as dump:
        for _, element in ET.iterparse(dump):
            tag = element.tag.rpartition("}")[2]
            if tag == "title":
                title = element.text or ""
            elif tag == "text":
                yield title, element.text or ""


def site_of(name: str) -> Site:
    language = "en" if name.startswith("enwiki") else name
    return wikitext_site(SiteInfo(language=language))


def blocks(folder: Path, name: str) -> list[tuple[str, Block]]:
    site = site_of(name)
    found = []
    for title, wikitext in pages(folder / "dumps" / f"{name}-excerpt.xml.bz2"):
        read = read_page(title, wikitext, site, max_characters=10**7, max_seconds=60)
        assert read.fallback is None
        found += [(title, block) for block in read.blocks]
    return found


@pytest.mark.parametrize("name", ENGLISH_EXCERPTS + OTHER_EXCERPTS)
def test_no_markup_is_left_in_real_pages(real_data: Path, name: str) -> None:
    left = [
        (title, found[0])
        for title, block in blocks(real_data, name)
        for found in MARKUP.finditer(block.text)
    ]
    assert left == []


@pytest.mark.parametrize("name", ENGLISH_EXCERPTS)
def test_no_hole_is_left_in_real_pages(real_data: Path, name: str) -> None:
    left = [
        (title, found[0])
        for title, block in blocks(real_data, name)
        for found in HOLES.finditer(block.text)
    ]
    assert left == []


def test_the_words_are_those_of_mediawikis_own_cases(real_data: Path) -> None:
    lines = (real_data / "parsertests" / "given.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    wrong = []
    for case in cases:
        read = read_page("Parser test", case["wikitext"], max_characters=10**6, max_seconds=60)
        if "\n".join(block.text for block in read.blocks).split() != case["words"]:
            wrong.append(case["name"])
    assert len(wrong) <= 0.03 * len(cases), wrong
