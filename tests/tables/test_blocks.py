"""Segments and fused blocks."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.tables.blocks import linked, passage_block, row_block, segment_text
from pipeline.tables.reading import table_of
from tests.tables.made import PASSAGES, PORTS, block, cell, table


def test_a_segment_is_a_row_with_title_section_and_header() -> None:
    made, contents = block(0)
    assert made.text == "Ports of the north | Open ports | Place: Lund | Year: 1862"
    assert made.passage_id == "Ports_0-0"
    assert (made.title, made.section) == ("Ports of the north", "Open ports")
    assert made.sentences() == [made.text]
    assert (contents.table_id, contents.row, contents.links) == ("Ports_0", 0, ())


def test_a_fused_block_is_a_segment_and_its_passages_each_a_sentence() -> None:
    made, contents = block(2, "/wiki/Stone_Bridge_(Vik)", "/wiki/Lund_Harbour")
    assert made.sentences() == [
        "Ports of the north | Open ports | Place: Vik and Lund",
        "Stone Bridge (Vik): The bridge was built in 1724 .",
        "Lund Harbour: Lund Harbour is a port . It was opened in 1862 by Ada Berg .",
    ]
    assert made.text == " ".join(made.sentences())
    assert contents.links == ("/wiki/Stone_Bridge_(Vik)", "/wiki/Lund_Harbour")


def test_passages_are_cut_to_so_many_words() -> None:
    passage = linked("/wiki/Lund_Harbour", PASSAGES["/wiki/Lund_Harbour"])
    made = row_block(table_of(PORTS, "Ports_0"), 0, [passage], 3)
    assert made is not None
    assert made[0].sentences()[1] == "Lund Harbour: Lund Harbour is"


def test_a_row_without_text_is_no_block() -> None:
    assert row_block(table_of(PORTS, "Ports_0"), 1, [], None) is None


def test_cells_beyond_the_header_stand_by_themselves() -> None:
    made = table_of(table([cell("a"), cell("b"), cell("c")], title="T", section_title=""), "t")
    assert segment_text(made, made.rows[0]) == "T | Place: a | Year: b | c"


def test_ids_hold_no_white_space_and_a_table_keeps_its_number() -> None:
    one = row_block(table_of(PORTS, "Two words_0"), 0, [], None)
    other = row_block(table_of(PORTS, "Two words_0"), 2, [], None)
    assert one is not None
    assert other is not None
    assert one[0].passage_id == "Two%20words_0-0"
    assert one[0].page_id == other[0].page_id != block(0)[0].page_id


def test_a_passage_alone_is_a_block_of_its_own() -> None:
    made, contents = passage_block(linked("/wiki/Lund_Harbour", "A port ."))
    assert (made.passage_id, made.title, made.text) == (
        "/wiki/Lund_Harbour", "Lund Harbour", "A port .",
    )  # fmt: skip
    assert (contents.table_id, contents.row) == (None, None)
    assert contents.links == ("/wiki/Lund_Harbour",)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(st.lists(st.lists(texts, max_size=4), min_size=1, max_size=3), st.lists(texts, max_size=3))
def test_spans_are_ordered_disjoint_and_cover_every_visible_character(
    rows: list[list[str]], passages: list[str]
) -> None:
    made = table_of(table(*[[cell(text) for text in row] for row in rows]), "t")
    joined = [linked(f"/wiki/{number}", text) for number, text in enumerate(passages)]
    for number in range(len(rows)):
        found = row_block(made, number, joined, None)
        if found is None:
            continue
        block, _ = found
        spans = list(zip(block.sentence_starts, block.sentence_ends, strict=True))
        assert spans == sorted(spans)
        assert all(text and text == text.strip() for text in block.sentences())
        left = list(block.text)
        for start, end in reversed(spans):
            del left[start:end]
        assert not "".join(left).strip()
