"""Tables and passages as they are published."""

import pytest

from pipeline.tables.reading import BadTableError, Cell, passages_of, row_links, table_of
from tests.tables.made import PORTS, cell, table


def test_a_table_has_its_title_section_header_and_rows_of_cells_with_links() -> None:
    made = table_of(PORTS, "Ports_0")
    assert (made.table_id, made.title, made.section) == (
        "Ports_0", "Ports of the north", "Open ports",
    )  # fmt: skip
    assert made.header == ("Place", "Year")
    assert made.rows[0] == (Cell("Lund", ("/wiki/Lund_Harbour",)), Cell("1862", ()))


def test_white_space_in_cells_is_single_and_missing_titles_are_empty() -> None:
    made = table_of({"header": [" A \n b "], "data": [[cell(" x\u00a0 y ")]]}, "t")
    assert made.header == ("A b",)
    assert made.rows[0][0].text == "x y"
    assert made.title == made.section == ""


def test_links_of_a_row_come_once_in_the_order_of_the_cells() -> None:
    row = table_of(table([cell("a", "/wiki/B", "/wiki/A"), cell("b", "/wiki/B")]), "t").rows[0]
    assert row_links(row) == ("/wiki/B", "/wiki/A")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([], "not an object"),
        ({"header": []}, "no lists named"),
        (table({"a": 1}), "a row that is no list of cells"),  # type: ignore[arg-type]
        (table([["a", "/wiki/A"]]), "a cell that is no text with its links"),
        (table([[1, []]]), "a cell that is no text with its links"),
    ],
)
def test_what_is_no_table_says_why(value: object, reason: str) -> None:
    with pytest.raises(BadTableError, match=reason):
        table_of(value, "t")


def test_passages_are_texts_by_link() -> None:
    assert passages_of({"/wiki/A": " a  b "}) == {"/wiki/A": "a b"}
    with pytest.raises(BadTableError):
        passages_of({"/wiki/A": None})
