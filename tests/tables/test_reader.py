"""What a reader is given of ranked blocks."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.tables.reader import reader_line, within_budget
from pipeline.tables.subwords import Estimate, count
from tests.tables.made import asked, block

BLOCKS = [block(2, "/wiki/Stone_Bridge_(Vik)")[0], block(0, "/wiki/Lund_Harbour")[0]]
SUBWORDS = Estimate()
ALL = sum(count(SUBWORDS, made.text) for made in BLOCKS)


def test_blocks_are_given_in_order_until_the_budget_ends_and_the_last_is_cut_there() -> None:
    given = within_budget(BLOCKS, SUBWORDS, ALL - 1)
    assert [item.block.passage_id for item in given] == ["Ports_0-2", "Ports_0-0"]
    assert [item.whole for item in given] == [True, False]
    assert given[1].text == BLOCKS[1].text.removesuffix(" .")


def test_the_answer_counts_only_where_it_is_in_what_is_given() -> None:
    question = asked("1", "Ada Berg")
    whole = reader_line(question, within_budget(BLOCKS, SUBWORDS, ALL))
    assert whole["answer_in_input"] is True
    assert whole["tokens"] == ALL
    assert [part["whole"] for part in whole["blocks"]] == [True, True]
    assert (
        reader_line(question, within_budget(BLOCKS, SUBWORDS, ALL - 3))["answer_in_input"] is False
    )
    assert reader_line(asked("1", ""), [])["answer_in_input"] is None


@given(st.integers(1, 2 * ALL))
def test_a_larger_budget_gives_no_less_and_never_more_than_it_is(budget: int) -> None:
    given, more = (within_budget(BLOCKS, SUBWORDS, size) for size in (budget, budget + 1))
    assert sum(item.tokens for item in given) <= budget
    assert sum(item.tokens for item in given) <= sum(item.tokens for item in more)
    assert all(item.whole for item in given[:-1])
