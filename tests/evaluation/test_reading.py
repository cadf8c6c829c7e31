"""Reading: the normal form, exact match and F1, and what each format does with a missing id."""

import json
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.evaluation.figures import figures
from pipeline.evaluation.reading import (
    ReadingGold,
    exact_match,
    golds_to_compare,
    normal_form,
    reading_measures,
    reading_units,
    simple_f1,
    simple_match,
    token_f1,
)
from pipeline.evaluation.reading_gold import reference_gold, squad_gold


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("U.S.", "US"), ("1,000", "1000"), ("5 %", "5"), ("3-4", "34"), ("The Nile", "nile"),
        ("a  b\tc", "b c"), ("a", ""), ("The", "a"), ("", "an."), ("$!", ""), ("an apple", "Apple"),
    ],
)  # fmt: skip
def test_answers_of_one_normal_form_are_equal(one: str, other: str) -> None:
    assert exact_match(one, other) == exact_match(other, one) == 1.0


@pytest.mark.parametrize(
    ("one", "other"),
    [("3–4", "34"), ("“x”", "x"), ("café", "cafe"), ("3–4", "3-4"), ("theory", "ory")],
)  # fmt: skip
def test_dashes_curly_quotes_and_accents_stay(one: str, other: str) -> None:
    assert exact_match(one, other) == 0.0


def test_articles_are_words_of_their_own() -> None:
    assert normal_form("The theatre, an anthem; a-z") == "theatre anthem az"
    assert normal_form("Théa the") == "théa"


def test_f1_is_of_bags_of_tokens() -> None:
    assert token_f1("red red blue", "red red green") == pytest.approx(2 / 3)
    assert token_f1("red red", "red") == pytest.approx(2 / 3)
    assert token_f1("the red", "red") == 1.0
    assert token_f1("blue", "red") == 0.0


def test_f1_of_answers_without_tokens() -> None:
    assert token_f1("", "the") == 1.0
    assert token_f1("", "the", both_empty=0.0) == 0.0
    assert token_f1("", "red") == token_f1("red", "") == 0.0


def test_the_simple_recipe_strips_and_compares_sets() -> None:
    assert simple_match(" Nile\n", "Nile") == 1.0
    assert simple_match("nile", "Nile") == simple_match("Nile.", "Nile") == 0.0
    assert simple_f1("red red Blue", "RED") == pytest.approx(2 / 3)
    assert simple_f1("", "") == simple_f1("", "a") == simple_f1("a", " ") == 0.0
    assert simple_f1("the red", "red") == pytest.approx(2 / 3)


def score(
    gold: ReadingGold, predictions: dict[str, str], format_name: str, recipe: str = "official"
) -> dict[str, float]:
    units = reading_units(gold, predictions, format_name, recipe)
    found = figures(units, reading_measures(gold, format_name, recipe))
    return {name: entry.value for name, entry in found.items()}


OTTQA = ReadingGold(
    answers={"t1": ("Nile",), "t2": ("Rhine",), "p1": ("Po",), "p2": ("the Ob",)},
    subgroups={"table": ("t1", "t2"), "passage": ("p1", "p2")},
)


@pytest.mark.parametrize("format_name", ["ottqa", "hybridqa"])
def test_a_missing_id_is_0_but_the_official_subgroups_drop_it(format_name: str) -> None:
    found = score(OTTQA, {"t1": "nile", "p1": "po river", "p2": "ob"}, format_name)
    assert found["em"] == pytest.approx(50)
    assert found["f1"] == pytest.approx(100 * (1 + 2 / 3 + 1) / 4)
    assert found["em_table_official"] == 100.0
    assert found["em_table_all_ids"] == 50.0
    assert found["em_passage_official"] == found["em_passage_all_ids"] == 50.0
    assert found["f1_passage_official"] == pytest.approx(100 * (2 / 3 + 1) / 2)


def test_squad_1_takes_the_best_gold_and_counts_missing_ids() -> None:
    gold = ReadingGold(answers={"a": ("Nile", "the river Nile"), "b": ("Ob",), "c": ("the",)})
    found = score(gold, {"a": "river nile", "c": ""}, "squad1")
    assert found["em"] == pytest.approx(100 * 2 / 3)  # both empty: equal …
    assert found["f1"] == pytest.approx(100 * 1 / 3)  # … but F1 is 0


def test_squad_2_drops_empty_golds_and_skips_missing_ids() -> None:
    gold = ReadingGold(
        answers={"a": ("Nile", "the"), "b": (), "c": ("Ob",)},
        subgroups={"with_answer": ("a", "c"), "no_answer": ("b",)},
    )
    found = score(gold, {"a": "", "b": ""}, "squad2")
    assert (found["em"], found["f1"]) == (50.0, 50.0)
    assert found["em_all_ids"] == found["f1_all_ids"] == pytest.approx(100 / 3)
    assert found["em_no_answer_official"] == 100.0
    assert golds_to_compare(["the", "Nile"], "squad2") == ["Nile"]
    assert golds_to_compare(["the"], "squad2") == golds_to_compare([], "squad2") == [""]


def test_nothing_predicted_is_0_of_all() -> None:
    assert score(OTTQA, {}, "ottqa")["em"] == 0.0
    assert score(OTTQA, {}, "squad2")["em"] == 0.0


# ---------------------------------------------------------------- gold


def test_a_reference_file_has_answers_and_subgroups() -> None:
    value = {"reference": {"x": "1", "y": "2"}, "table": ["x"], "passage": ["y"]}
    gold = reference_gold(value, "r.json")
    assert gold.answers == {"x": ("1",), "y": ("2",)}
    assert gold.subgroups == {"table": ["x"], "passage": ["y"]}


def test_questions_with_their_answers_are_a_reference_too() -> None:
    rows = [{"question_id": "x", "answer-text": "1", "where": "table"},
            {"question_id": "y", "answer-text": "2"}]  # fmt: skip
    gold = reference_gold(rows, "dev.json")
    assert gold.answers == {"x": ("1",), "y": ("2",)}
    assert gold.subgroups == {"table": ["x"]}


@pytest.mark.parametrize(
    "value",
    [
        [], {}, 3, {"reference": []}, {"reference": {}}, {"reference": {"x": 1}},
        {"reference": {"x": "1"}, "table": ["z"]}, {"reference": {"x": "1"}, "table": "x"},
        [{"question_id": "x"}], [1],
        [{"question_id": "x", "answer-text": "1"}, {"question_id": "x", "answer-text": "2"}],
    ],
)  # fmt: skip
def test_what_is_no_reference_file_is_refused(value: object) -> None:
    with pytest.raises(InputError, match=r"r\.json"):
        reference_gold(value, "r.json")


def squad(*rows: dict[str, object]) -> dict[str, object]:
    return {"data": [{"title": "Nile", "paragraphs": [{"context": "…", "qas": list(rows)}]}]}


def test_squads_answers_are_taken_as_they_stand() -> None:
    gold = squad_gold(
        squad(
            {"id": "a", "answers": [{"text": "x"}, {"text": "x"}, {"text": "y"}]},
            {"id": "b", "answers": [], "is_impossible": True,
             "plausible_answers": [{"text": "z"}]},
        ),
        "s.json",
    )  # fmt: skip
    assert gold.answers == {"a": ("x", "x", "y"), "b": ()}
    assert gold.subgroups == {"with_answer": ["a"], "no_answer": ["b"]}
    assert gold.articles == {"a": "Nile", "b": "Nile"}


@pytest.mark.parametrize(
    "value",
    [
        [], {"data": [1]}, {"data": []}, squad({"id": "a"}), {"data": [{"paragraphs": 1}]},
        squad({"id": "a", "answers": []}, {"id": "a", "answers": []}),
    ],
)  # fmt: skip
def test_what_is_not_squads_form_is_refused(value: object) -> None:
    with pytest.raises(InputError, match=r"s\.json"):
        squad_gold(value, "s.json")


@pytest.mark.real
def test_the_published_predictions_have_the_published_figures(real_data: Path) -> None:
    reference = json.loads((real_data / "ottqa" / "dev_reference.json").read_text())
    listed = json.loads((real_data / "ottqa" / "predictions.dev.json").read_text())
    gold = reference_gold(reference, "reference")
    said = {row["question_id"]: row["pred"] for row in listed}
    found = score(gold, said, "ottqa")
    assert found == {"em": 10.930442637759711, "f1": 13.121268724249752}
    assert len(gold.answers) == 2214
    assert len(set(gold.answers) - set(said)) == 4
