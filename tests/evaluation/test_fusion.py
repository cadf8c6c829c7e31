"""Reciprocal rank fusion."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.fusion import fused_scores


def test_scores_are_sums_of_reciprocal_ranks_and_ties_go_by_id() -> None:
    found = fused_scores([["a", "b"], ["b", "c"], ["d"]], depth=10, k=60)
    assert [name for name, _ in found] == ["b", "a", "d", "c"]
    assert dict(found)["b"] == 1 / 62 + 1 / 61


rankings = st.lists(st.permutations("abcde").map(list), max_size=3)


@given(rankings, st.integers(1, 6))
def test_the_order_of_the_rankings_does_not_matter(given_: list[list[str]], depth: int) -> None:
    one = [name for name, _ in fused_scores(given_, depth)]
    other = [name for name, _ in fused_scores(reversed(given_), depth)]
    assert one == other
    assert len(one) <= depth


@given(st.permutations("abcde"))
def test_one_ranking_is_left_as_it_is(ranking: list[str]) -> None:
    assert [name for name, _ in fused_scores([ranking], 5)] == ranking
