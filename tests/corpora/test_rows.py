"""Rows as values: ids, and what is kept of a dropped row."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpora.rows import excerpt, make_id

IDS = st.text(st.sampled_from("a%25 2\t\u00a0\u2028é"), min_size=1).filter(str.strip)


@given(st.lists(IDS, unique_by=str.strip, min_size=2, max_size=6))
def test_different_ids_stay_different_and_hold_no_white_space(ids: list[str]) -> None:
    made = [make_id("c", own_id) for own_id in ids]
    assert len(set(made)) == len(made)
    assert all(len(text.split()) == 1 for text in made)


def test_an_ordinary_id_is_left_as_it_is() -> None:
    assert make_id("squad", "56be4db0acb8001400a502ec") == "squad-56be4db0acb8001400a502ec"
    assert make_id("own", "100%-sure_é/1") == "own-100%-sure_é/1"


def test_an_excerpt_is_short_and_valid_unicode() -> None:
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert excerpt(deep) == "nested too deeply"
    assert len(excerpt({"text": "x" * 1000})) == 120
    excerpt("\ud800").encode()
