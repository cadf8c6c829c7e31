"""Blocks to passages: ids, reasons, pieces of about N words."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.files import text_sha1
from pipeline.records import Article, Block, Passage
from pipeline.wikipedia.segmentation.passages import (
    Dropped,
    Joined,
    Rules,
    cut_spans,
    passages_of,
    rules_of,
    split_lines,
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


# ---------------------------------------------------------------- lists and what announces them

LEAD_IN = ("paragraph", "Three rivers meet here. They are:")
RIVERS = ("list", "the Ame, from the north\nthe Bure\nthe Coll. It is dry in summer.")
BOTH = ("paragraph", "list")


def test_a_list_after_a_colon_is_one_passage_with_its_lead_in() -> None:
    after = ("paragraph", "The town lies below.")
    rows = list(passages_of(article(LEAD_IN, RIVERS, after), rules(kinds=BOTH), SPLIT))
    joined, marker, last = rows
    assert isinstance(joined, Passage)
    assert (joined.passage_id, joined.text) == ("12-0", f"{LEAD_IN[1]}\n{RIVERS[1]}")
    assert joined.sentences() == [
        "Three rivers meet here.",
        "They are:",
        "the Ame, from the north",
        "the Bure",
        "the Coll.",
        "It is dry in summer.",
    ]
    assert isinstance(marker, Joined)
    assert (marker.passage_id, marker.reason) == ("12-1", "joined to 12-0")
    assert last.passage_id == "12-2"


def test_a_short_lead_in_and_a_short_list_are_long_enough_together() -> None:
    blocks = article(("paragraph", "The branches are:"), ("list", "Berber\nChadic\nOmotic"))
    (joined, _) = passages_of(blocks, rules(kinds=BOTH, least=30), SPLIT)
    assert isinstance(joined, Passage)
    dropped = list(passages_of(blocks, rules(kinds=BOTH, least=90), SPLIT))
    assert [(row.passage_id, getattr(row, "reason", None)) for row in dropped] == [
        ("12-0", "too short"),
        ("12-1", "too short"),
    ]


def test_nothing_is_joined_where_lists_are_no_passages_or_nothing_announces_them() -> None:
    def ids(*blocks: tuple[str, str], kinds: tuple[str, ...] = BOTH) -> list[str]:
        found = passages_of(article(*blocks), rules(kinds=kinds), SPLIT)
        return [row.passage_id for row in found if isinstance(row, Passage)]

    assert ids(LEAD_IN, RIVERS, kinds=("paragraph",)) == ["12-0"]
    assert ids(("paragraph", "Three rivers meet here."), RIVERS) == ["12-0", "12-1"]
    assert ids(LEAD_IN, ("paragraph", "the Ame")) == ["12-0", "12-1"]
    assert ids(LEAD_IN, RIVERS, RIVERS) == ["12-0", "12-2"]
    moved = article(LEAD_IN, RIVERS)
    other = Block(kind="list", section="A > C", text=RIVERS[1])
    apart = Article(page_id=12, revision_id=1, title="T", blocks=(moved.blocks[0], other))
    assert len([r for r in passages_of(apart, rules(kinds=BOTH), SPLIT)
                if isinstance(r, Passage)]) == 2  # fmt: skip


def test_an_item_without_a_stop_is_a_sentence_of_its_own() -> None:
    (row,) = passages_of(article(RIVERS), rules(kinds=("list",)), SPLIT)
    assert isinstance(row, Passage)
    assert row.sentences()[:2] == ["the Ame, from the north", "the Bure"]


@given(st.text(st.sampled_from("abZ .!?:\n\t\u00a0。"), max_size=60))
def test_split_lines_covers_all_that_is_visible_and_crosses_no_line(text: str) -> None:
    spans = split_lines(text, SPLIT)
    assert all("\n" not in text[start:end] for start, end in spans)
    assert [a for span in spans for a in span] == sorted(a for span in spans for a in span)
    covered = "".join(text[start:end] for start, end in spans)
    assert "".join(covered.split()) == "".join(text.split())
