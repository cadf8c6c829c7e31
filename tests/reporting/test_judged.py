"""The tables on robustness: every figure with its interval or denominator."""

from pipeline.evaluation.agreement import Agreement
from pipeline.reporting.judged import agreement_table, robustness_table, unjudged_table

NAMES = {"t040": "plain cosine, t ≥ 0.4", "active": "active settings, t ≥ 0.6"}
METRICS = {
    "own": {"all": {"robustness": {
        "t040_percent": 96.0, "t040_low": 86.541, "t040_high": 98.9, "t040_judged": 50,
        "t040_sample": 50, "active_judged": 0, "active_sample": 50,
        "t040_title_percent": 90.0, "t040_title_named": 1200,
        "t040_decoy_percent": 3.0, "t040_decoy_named": 1300,
        "active_decoy_percent": 1.0, "active_decoy_named": 1300,
    }}},
    "bare": {"all": {}},
}  # fmt: skip


def test_each_case_has_its_share_interval_and_how_many_are_judged() -> None:
    table = robustness_table(METRICS, NAMES, ["Ann (person)"])
    assert table.rows == (
        ("plain cosine, t ≥ 0.4", "96.00 [86.5–98.9], 50 of 50", "–"),
        ("active settings, t ≥ 0.6", "–, 0 of 50", "–"),
    )
    assert table.note.endswith("Judged by Ann (person).")
    assert "Judged by" not in robustness_table(METRICS, NAMES, []).note


def test_figures_without_judges_have_their_denominators_and_absent_ones_no_row() -> None:
    assert unjudged_table(METRICS, NAMES).rows == (
        ("plain cosine, t ≥ 0.4: title agreement", "90.00 (1,200)", "–"),
        ("plain cosine, t ≥ 0.4: decoy rate", "3.00 (1,300)", "–"),
        ("active settings, t ≥ 0.6: decoy rate", "1.00 (1,300)", "–"),
    )


def test_agreement_without_a_decided_pair_is_a_dash() -> None:
    none = Agreement(one="a", other="b", both_right=0, both_wrong=0, only_one=0, only_other=0,
                     undecided=3)  # fmt: skip
    assert agreement_table([none]).rows == (("a, b", "0", "3", "0 / 0", "0", "–", "–", "–"),)
