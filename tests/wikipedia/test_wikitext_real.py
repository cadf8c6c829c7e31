"""Real pages and MediaWiki's own cases: no markup is left, no hole is left, the words are right."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from pipeline.config import load_config
from pipeline.records import Passage
from pipeline.wikipedia.segmentation.passages import passages_of, rules_of
from pipeline.wikipedia.segmentation.sentences import make_splitter
from pipeline.wikipedia.wikitext.page import read_page
from tests.wikipedia.excerpts import ENGLISH, OTHERS, articles, excerpt

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[2]
LEFT = ROOT / "tests" / "golden" / "left_in_passages.yaml"

# In no block at all, of whatever kind: also what only our own reading could leave.
MARKUP = re.compile(
    r"\{\{|\}\}|\[\[|\]\]|<ref|</\w|''|\|thumb|&nbsp;|\{\||\|\}|__[A-Z]+__|style=|(?:row|col)span="
    r"|<br|-\{|<!--|-->"
)
HOLES = re.compile(
    r"(?<=\s)\(\s*\)|\(\s*[,;]| ,(?=\s|$)|(?<![.\s]) \.(?=\s[^.]|$)|,\s*\)|  |\( | \)|, ?,"
)
# In no passage, to the letter, but for the exceptions that are listed with a reason. The mark of
# an omission, " ..." or " . . .", is no hole.
CONSUMED = ("{{", "}}", "[[", "]]", "<ref", "'''", "|thumb", "&nbsp;", "{|", "__")
HOLLOW = ("( )", "(,", " ,", " .", "of .")
OMISSION = re.compile(r" ?\.(?: ?\.){2,}")


@pytest.mark.parametrize("name", ENGLISH + OTHERS)
def test_no_markup_is_left_in_real_pages(real_data: Path, name: str) -> None:
    left = [
        (article.title, found[0])
        for article in articles(excerpt(real_data, name))
        for block in article.blocks
        for found in MARKUP.finditer(block.text)
    ]
    assert left == []


@pytest.mark.parametrize("name", ENGLISH)
def test_no_hole_is_left_in_real_pages(real_data: Path, name: str) -> None:
    left = [
        (article.title, found[0])
        for article in articles(excerpt(real_data, name))
        for block in article.blocks
        for found in HOLES.finditer(block.text)
    ]
    assert left == []


def passages(real_data: Path, name: str) -> Iterator[Passage]:
    """The passages of an excerpt under the recommended settings, short ones too."""
    settings = load_config(ROOT / "configs" / "profiles" / "enwiki.yaml").segment
    rules = rules_of(settings.kinds, 1, settings.unit)
    language = "en" if name in ENGLISH else name
    split = make_splitter(settings.splitter, language)
    for article in articles(excerpt(real_data, name)):
        for row in passages_of(article, rules, split):
            if isinstance(row, Passage):
                yield row


@pytest.mark.parametrize("name", ENGLISH + OTHERS)
def test_passages_hold_no_markup_and_no_hole_but_those_listed(real_data: Path, name: str) -> None:
    sought = CONSUMED + HOLLOW if name in ENGLISH else CONSUMED
    found: Counter[tuple[str, str, str]] = Counter()
    for passage in passages(real_data, name):
        text = OMISSION.sub("…", passage.text)
        for mark in sought:
            if mark in text:
                found[passage.title, passage.passage_id, mark] += text.count(mark)
    listed = yaml.safe_load(LEFT.read_text(encoding="utf-8"))
    assert all(entry["reason"] for entry in listed)
    assert dict(found) == {
        (entry["page"], entry["passage"], entry["mark"]): entry["times"]
        for entry in listed
        if entry["excerpt"] == name
    }


def test_the_words_are_those_of_mediawikis_own_cases(real_data: Path) -> None:
    lines = (real_data / "parsertests" / "given.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    wrong = []
    for case in cases:
        read = read_page(
            "Parser test", case["wikitext"], max_characters=10**6, max_template_characters=10**7
        )
        if "\n".join(block.text for block in read.blocks).split() != case["words"]:
            wrong.append(case["name"])
    assert len(cases) == 162
    assert wrong == ["External links: invalid character backspace (preserved)"]
