"""Agreement of judges, against published worked examples and scikit-learn."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from pipeline.evaluation.agreement import Agreement, agreements, judge_name, pooled
from pipeline.evaluation.robustness import JudgedPair


def judged(judge: str, labels: str, kind: str = "person", first: int = 0) -> list[JudgedPair]:
    return [
        JudgedPair(key=(f"a{n}", f"p{n}"), label=label, role="report", judge=judge, judge_kind=kind)
        for n, label in enumerate(labels, start=first)
    ]


def test_nearly_all_right_is_where_kappa_fails_and_ac1_does_not() -> None:
    """Both right 118, apart on 5 and 2, both wrong on none: the paradox that AC1 answers."""
    table = Agreement(one="a", other="b", both_right=118, both_wrong=0, only_one=5, only_other=2,
                      undecided=0)  # fmt: skip
    assert table.raw == pytest.approx(0.944)
    assert table.kappa == pytest.approx(-0.0234, abs=1e-4)
    assert table.ac1 == pytest.approx(0.9408, abs=1e-4)


@settings(deadline=None)  # scikit-learn is slow on its first call
@given(st.lists(st.tuples(st.sampled_from("01"), st.sampled_from("01")), min_size=1, max_size=30))
def test_kappa_is_scikit_learns(pairs: list[tuple[str, str]]) -> None:
    one, other = zip(*pairs, strict=True)
    (table,) = agreements([*judged("a", "".join(one)), *judged("b", "".join(other))])
    assert table.decided == len(pairs)
    if len({*one, *other}) == 1:
        assert table.kappa is None
    else:
        assert table.kappa == pytest.approx(cohen_kappa_score(one, other))
    assert table.ac1 is not None and table.ac1 <= 1.0
    assert table.raw == sum(a == b for a, b in pairs) / len(pairs)


def test_undecided_pairs_and_pairs_of_one_judge_are_left_out() -> None:
    (table,) = agreements([*judged("a", "11?1"), *judged("b", "1??0"), *judged("b", "11", first=9)])
    assert (table.both_right, table.only_one, table.undecided) == (1, 1, 2)
    assert table.decided == 2


def test_judges_are_named_as_person_or_program() -> None:
    (table,) = agreements([*judged("x", "1", "program"), *judged("Ann", "1")])
    assert (table.one, table.other) == ("Ann (person)", "x (program)")
    assert judge_name(JudgedPair(key=("a", "p"), label="1", role="tune")) == (
        "unnamed (kind not said)"
    )


def test_a_judge_who_labels_a_pair_twice_otherwise_leaves_it_undecided() -> None:
    (table,) = agreements([*judged("a", "1"), *judged("a", "0"), *judged("b", "1")])
    assert (table.decided, table.undecided) == (0, 1)
    assert table.raw is table.kappa is table.ac1 is None


def test_known_wrong_pairs_make_no_agreement() -> None:
    wrong = [
        JudgedPair(key=("a", "p"), label="0", role="report", judge=name, known_wrong=True)
        for name in "ab"
    ]
    assert agreements(wrong) == []


def test_comparisons_are_pooled_into_one_table() -> None:
    found = agreements([*judged("a", "110"), *judged("b", "100"), *judged("c", "11")])
    assert len(found) == 3
    both = pooled(found)
    assert both.decided == 3 + 2 + 2
    assert both.raw == pytest.approx(5 / 7)
