"""Ten real pages, block by block: every paragraph and list item is there, as it was read."""

from pathlib import Path

import pytest
import yaml

from tests.wikipedia.golden_pages import GOLDEN, PAGES, chosen, rows_of

ENTRIES = yaml.safe_load(GOLDEN.read_text(encoding="utf-8"))


def test_the_golden_file_has_ten_pages_and_no_more_text_than_six_words_a_block() -> None:
    assert {entry["title"] for entry in ENTRIES} == {t for titles in PAGES.values() for t in titles}
    assert len(ENTRIES) == 10
    for entry in ENTRIES:
        for _, _, first, last, sha1 in entry["blocks"]:
            assert len(first.split()) <= 3
            assert len(last.split()) <= 3
            assert len(sha1) == 40


@pytest.mark.real
def test_every_block_of_ten_pages_is_as_it_was_read(real_data: Path) -> None:
    found = {
        (name, article.page_id, article.title): [list(row) for row in rows_of(article)]
        for name, article in chosen(real_data)
    }
    for entry in ENTRIES:
        blocks = found.pop((entry["excerpt"], entry["page_id"], entry["title"]))
        assert blocks == entry["blocks"], entry["title"]
    assert not found
