"""What became of the answer sentences is what is declared."""

from collections import Counter
from pathlib import Path

import pytest

from pipeline.sample.editions import EDITED, GONE, SHARES, TRAPS, UNCHANGED, WITHOUT_PASSAGE
from tests.sample.reading import field, gold, pages


def test_the_declared_shares_cover_every_kind_and_add_up() -> None:
    assert set(SHARES) == {*UNCHANGED, *EDITED, *GONE, *TRAPS}
    assert sum(SHARES.values()) == pytest.approx(1)
    assert sum(SHARES[kind] for kind in EDITED) >= 0.40
    assert sum(SHARES[kind] for kind in GONE) >= 0.15
    assert sum(SHARES[kind] for kind in TRAPS) >= 0.15


def test_the_answer_sentences_are_spread_as_declared_in_each_corpus(larger: Path) -> None:
    for corpus in ("selqa", "wikiqa", "squad"):
        kinds = Counter(row["edit"] for row in gold(larger) if row["corpus"] == corpus)
        total = kinds.total()
        assert total >= 80
        for kind, share in SHARES.items():
            assert kinds[kind] / total == pytest.approx(share, abs=0.025), (corpus, kind)


def test_gold_points_at_pages_of_the_dump_or_at_none_where_the_article_is_absent(
    larger: Path,
) -> None:
    ids = {int(field(page, "id")) for page in pages(larger) if field(page, "ns") == "0"}
    for row in gold(larger):
        assert (row["page_id"] is None) == (row["edit"] == "article_absent")
        assert row["page_id"] is None or row["page_id"] in ids
        assert (row["text"] is None) == (row["edit"] in WITHOUT_PASSAGE)
