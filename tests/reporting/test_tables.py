"""The tables of the report: their shape, their figures, and cells that break no table."""

import pytest

from pipeline.evaluation.paired import PairedSuccess
from pipeline.reporting.reference import published_row
from pipeline.reporting.tables import (
    Table,
    absent_note,
    active_table,
    baseline_table,
    loss_table,
    main_table,
    short_table,
    split_table,
)

KS = (1, 5)
SECTION = {
    "coverage_t030_count": 1234, "coverage_t030_percent": 95.5, "coverage_t040_count": 900,
    "coverage_t040_percent": 70.0, "top_1": 20.0, "top_5": 34.5, "top_n": 900,
}  # fmt: skip
ACTIVE = SECTION | {
    "top_1_all": 15.0, "top_5_all": 25.0, "coverage_percent": 70.0,
    "coverage_by_answer_percent": 68.0, "coverage_present_percent": 0.0, "present": 0,
    "decoy_percent": 12.5, "named": 8,
}  # fmt: skip
COVERAGE = {"sentences": 1300, "coverage_percent": 68.0, "reference_t040_percent": 70.5}
FIGURES = {
    "questions": 1500, "answerable": 1292, "mapped": 900, "reference": SECTION, "active": ACTIVE,
    "answer_sentences": {"short": COVERAGE | {"sentences": 0}, "longer": COVERAGE},
}  # fmt: skip
METRICS = {"selqa": {"all": FIGURES, "dev": FIGURES}, "own": {"all": FIGURES}}


def rows_of(table: Table) -> dict[str, tuple[str, ...]]:
    assert all(len(row) == len(table.head) for row in table.rows)
    return {row[0]: row[1:] for row in table.rows}


def test_the_main_table_has_a_row_a_threshold_and_a_column_a_corpus() -> None:
    table = main_table(METRICS, (0.3, 0.4), KS, reference=False)
    assert table.head == ("", "selqa", "own")
    rows = rows_of(table)
    assert rows["(ρ, γc, γp) at t ≥ 0.3"] == ("–, 1,234, 95.50",) * 2
    assert rows["top-k accuracy %, k = 1, 5 (dataset at t ≥ 0.4)"] == ("20.00, 34.50 (900)",) * 2
    assert len(rows) == 3


def test_robustness_stands_with_its_interval() -> None:
    judged = {"t030_percent": 92.0, "t030_low": 81.2, "t030_high": 96.8, "t030_judged": 50}
    metrics = {"own": {"all": FIGURES | {"robustness": judged}}}
    rows = rows_of(main_table(metrics, (0.3, 0.4), KS, reference=False))
    assert rows["(ρ, γc, γp) at t ≥ 0.3"] == ("92.00 [81–97], 1,234, 95.50",)
    assert rows["(ρ, γc, γp) at t ≥ 0.4"] == ("–, 900, 70.00",)


def test_published_rows_stand_beside_ours_only_where_asked_for() -> None:
    table = main_table({"selqa": {"all": FIGURES}}, (0.3,), KS, reference=True)
    assert table.head == ("", "selqa", "selqa, published")
    assert rows_of(table)["(ρ, γc, γp) at t ≥ 0.3"][1] == "90.00, 7,446, 94.28"


@pytest.mark.parametrize(
    ("corpus", "count"),
    [("wikiqa", 1139), ("selqa", 7133), ("squad", 93928), ("selqa-dev", 7133), ("squad_v2", 93928)],
)
def test_the_published_figures_are_those_of_the_paper(corpus: str, count: int) -> None:
    row = published_row(corpus)
    assert row is not None
    assert row.coverage[0.4][1] == count


@pytest.mark.parametrize("corpus", ["own", "selqa2", "myselqa", ""])
def test_other_corpora_have_no_published_row(corpus: str) -> None:
    assert published_row(corpus) is None


def test_the_active_table_states_denominators_and_a_dash_for_a_share_of_nothing() -> None:
    rows = rows_of(active_table(METRICS, KS, "cosine", 0.4))
    assert rows["answerable"] == ("1,292", "1,292")
    assert rows["decoy rate % (n)"][0] == "12.50 (8)"
    assert rows["coverage % where the article is present (n)"][0] == "–"
    assert rows["top-k accuracy %, k = 1, 5, mapped questions (n)"][0] == "20.00, 34.50 (900)"
    assert rows["the same, all answerable questions"][0] == "15.00, 25.00"
    assert "precision" not in rows


def test_short_answer_sentences_stand_beside_the_longer_ones_with_their_numbers() -> None:
    few = {"short": COVERAGE | {"sentences": 4, "coverage_percent": 25.0}, "longer": COVERAGE}
    metrics = {"own": {"all": FIGURES | {"answer_sentences": few}}, "other": {"all": FIGURES}}
    table = short_table(metrics, (0.4,))
    assert table is not None
    assert rows_of(table) == {
        "answer sentences": ("4 / 1,300", "0 / 1,300"),
        "plain cosine, t ≥ 0.4": ("70.50 / 70.50", "– / 70.50"),
        "active settings": ("25.00 / 68.00", "– / 68.00"),
    }


def test_without_a_short_answer_sentence_there_is_no_table_of_them() -> None:
    assert short_table(METRICS, (0.4,)) is None


def test_questions_whose_named_article_is_absent_are_counted() -> None:
    none = {"all": FIGURES | {"active": ACTIVE | {"named": 0}}}
    note = absent_note({"selqa": {"all": FIGURES}, "own": none})
    assert note.startswith("Answerable questions that name an article which the collection lacks: ")
    assert "selqa 8 of 8 (100.0%); " in note and "own" not in note
    assert absent_note({"own": none}) == ""


def test_captions_speak_of_what_the_tables_hold() -> None:
    plain = main_table(METRICS, (0.3,), KS, reference=False)
    assert "Published" not in plain.note
    assert "silver judge page" in plain.note
    assert "arXiv 1801.02073" in main_table(METRICS, (0.3,), KS, reference=True).note
    assert "Precision" not in active_table(METRICS, KS, "cosine", 0.4).note
    assert "Ours: " in baseline_table({}).note


def test_a_scorer_that_sees_short_answers_is_flagged() -> None:
    assert "Circular" not in active_table(METRICS, KS, "learned", 0.6).note
    flagged = active_table(METRICS, KS, "learned", 0.6, circular=True)
    assert "Circular in part" in flagged.note


def test_precision_and_recall_stand_where_the_truth_is_known() -> None:
    gold = ACTIVE | {"precision": 0.9, "recall": 0.8, "f1": 0.847059, "false_map_percent": 3.0,
                     "gold_absent": 40,
                     "cosine_best_f1": 0.85}  # fmt: skip
    metrics = {"own": {"all": FIGURES | {"active": gold}}, "other": {"all": FIGURES}}
    rows = rows_of(active_table(metrics, KS, "cosine", 0.4))
    assert rows["precision"] == ("0.900", "–")
    assert rows["recall"] == ("0.800", "–")
    assert rows["mapped although no right passage exists, %"] == ("3.00", "–")


def test_the_baseline_table_corrects_over_all_its_tests() -> None:
    entry = PairedSuccess(
        k=1, questions=100, ours=30, theirs=20, only_ours=15, only_theirs=5, p=0.02
    )
    rows = rows_of(baseline_table({"own": [entry, entry]}))
    assert rows["own, k = 1"] == ("100", "30.00", "20.00", "+10.00", "15 / 5", "0.040")
    assert rows_of(baseline_table({})) == {}


def test_losses_and_splits_have_a_row_each() -> None:
    losses = {"own": {"below threshold": 1200}, "selqa": {"article absent": 3}}
    assert rows_of(loss_table(losses)) == {
        "article absent": ("0", "3"),
        "below threshold": ("1,200", "0"),
    }
    assert rows_of(split_table(METRICS)) == {"selqa, dev": ("1,500", "1,292", "900", "70.00")}


def test_a_bar_in_a_cell_breaks_no_markdown_table() -> None:
    text = Table("T", "note", ("", "a|b"), (("x|y", "1"),)).markdown()
    assert text == "## T\n\nnote\n\n|  | a\\|b |\n| --- | ---: |\n| x\\|y | 1 |\n"
