"""Blocks to passages: ids, reasons, pieces of about N words."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.files import text_sha1
from pipeline.records import Article, Block, Passage
from pipeline.wikipedia.segmentation.passages import (
    Dropped,
    Rules,
    cut_spans,
    passages_of,
    rules_of,
)
from pipeline.wikipedia.segmentation.sentences import make_splitter

SPLIT = make_splitter("rules", "en")
LONG = "The first sentence stands here. The second one follows it. A third one ends it."


def article(*blocks: tuple[str, str]) -> Article:
    return Article(
        page_id=12,
        revision_id=34,
        title="T",
        blocks=tuple(Block(kind=kind, section="A > B", text=text) for kind, text in blocks),
    )


def rules(
    unit: str = "paragraph", least: int = 1, kinds: tuple[str, ...] = ("paragraph",)
) -> Rules:
    return rules_of(kinds, least, unit)


def test_an_id_counts_all_blocks_whatever_is_chosen() -> None:
    blocks = article(("caption", "A caption."), ("paragraph", "Short."), ("paragraph", LONG))
    few = list(passages_of(blocks, rules(least=20), SPLIT))
    assert [(row.passage_id, type(row)) for row in few] == [
        ("12-0", Dropped),
        ("12-1", Dropped),
        ("12-2", Passage),
    ]
    assert [row.reason for row in few[:2] if isinstance(row, Dropped)] == [
        "kind caption",
        "too short",
    ]
    more = list(passages_of(blocks, rules(kinds=("paragraph", "caption")), SPLIT))
    assert [row.passage_id for row in more] == ["12-0", "12-1", "12-2"]


def test_a_passage_carries_its_page_section_hash_and_sentences() -> None:
    (row,) = passages_of(article(("paragraph", f"  {LONG} ")), rules(), SPLIT)
    assert isinstance(row, Passage)
    assert (row.page_id, row.revision_id, row.title, row.section) == (12, 34, "T", "A > B")
    assert (row.text, row.text_sha1) == (LONG, text_sha1(LONG))
    assert row.sentences() == [
        "The first sentence stands here.",
        "The second one follows it.",
        "A third one ends it.",
    ]


def test_a_block_of_white_space_is_dropped_as_empty() -> None:
    (row,) = passages_of(article(("paragraph", " \n ")), rules(), SPLIT)
    assert isinstance(row, Dropped)
    assert row.reason == "empty"


def test_words_cut_a_block_at_ends_of_sentences() -> None:
    rows = list(passages_of(article(("paragraph", LONG)), rules("words:10"), SPLIT))
    assert [(row.passage_id, row.text) for row in rows] == [
        ("12-0.1", "The first sentence stands here. The second one follows it."),
        ("12-0.2", "A third one ends it."),
    ]
    assert all(isinstance(row, Passage) and row.sentences()[0][0].isupper() for row in rows)


def test_a_block_under_the_wanted_words_is_one_piece() -> None:
    (row,) = passages_of(article(("paragraph", LONG)), rules("words:100"), SPLIT)
    assert row.passage_id == "12-0.1"


def test_a_sentence_longer_than_the_wanted_words_is_not_cut() -> None:
    text = "word " * 50 + "end. The next one."
    rows = list(passages_of(article(("paragraph", text)), rules("words:5"), SPLIT))
    assert [len(row.text.split()) for row in rows] == [51, 3]


@given(st.lists(st.integers(1, 30), min_size=1, max_size=30), st.integers(1, 60))
def test_pieces_hold_every_sentence_once_and_stay_near_the_wanted_length(
    lengths: list[int], words: int
) -> None:
    text, spans = "", []
    for length in lengths:
        sentence = " ".join(["w"] * length)
        spans.append((len(text), len(text) + len(sentence)))
        text += sentence + " "
    pieces = cut_spans(text, spans, words)
    assert [span for piece in pieces for span in piece] == spans
    for piece in pieces:
        counted = sum(len(text[start:end].split()) for start, end in piece)
        assert len(piece) == 1 or counted <= words + max(lengths) / 2
