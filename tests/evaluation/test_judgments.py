"""Reading judgments, from CSV and JSON lines alike."""

import csv
import io
import json
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.evaluation.judgments import (
    ROLES,
    article_role,
    merged,
    pair_id,
    pair_key,
    parse_judgments,
    read_judgments,
    role_of,
)
from pipeline.evaluation.robustness import JudgedPair
from pipeline.files import text_sha1

ROWS = [
    {"answer_sentence": 'He said "no", twice.', "passage": "One.\nTwo, three.", "label": "1",
     "passage_title": "Lune", "role": "tune"},
    {"answer_sentence": "It fell.", "passage": "It fell in 1901.", "label": "?",
     "passage_title": "Orvik", "role": "report"},
]  # fmt: skip


def parse(text: str, *, is_csv: bool) -> list:
    return list(parse_judgments(text.split("\n"), "judged", is_csv=is_csv))


def test_csv_and_json_lines_give_the_same_pairs() -> None:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(ROWS[0]))
    writer.writeheader()
    writer.writerows(ROWS)
    from_csv = parse(out.getvalue().replace("\r\n", "\n"), is_csv=True)
    assert from_csv == parse("\n".join(map(json.dumps, ROWS)), is_csv=False)
    assert from_csv[0].key == (text_sha1(ROWS[0]["answer_sentence"]), text_sha1(ROWS[0]["passage"]))
    assert [(pair.label, pair.role) for pair in from_csv] == [("1", "tune"), ("?", "report")]


def test_a_hash_stands_for_a_text_of_restricted_licence() -> None:
    row = ROWS[1] | {"answer_sentence": f"sha1:{text_sha1('It fell.')}"}
    (pair,) = parse(json.dumps(row), is_csv=False)
    assert pair.key[0] == text_sha1("It fell.")


@pytest.mark.parametrize("label", [1, 0, "1", "0", "?", " 1 "])
def test_labels_may_be_numbers(label: object) -> None:
    (pair,) = parse(json.dumps(ROWS[0] | {"label": label}), is_csv=False)
    assert pair.label == str(label).strip()


def test_the_role_follows_from_the_article_where_it_is_not_given() -> None:
    (pair,) = parse(json.dumps(ROWS[0] | {"role": None}), is_csv=False)
    assert pair.role == article_role("Lune")
    roles = [article_role(f"Article {n}") for n in range(1000)]
    assert 400 < roles.count(ROLES[0]) < 600


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "judged, line 1: not JSON"),
        ("[]", "judged, line 1: expected a JSON object"),
        (json.dumps(ROWS[0] | {"label": "yes"}), "label 'yes'; expected 1, 0 or ?"),
        (json.dumps(ROWS[0] | {"label": True}), "label 'True'"),
        (json.dumps(ROWS[0] | {"passage": ""}), "no 'passage'"),
        (json.dumps(ROWS[0] | {"role": "test"}), "role 'test'"),
    ],
)
def test_a_wrong_line_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text, is_csv=False)
    assert message in str(caught.value)


def test_a_csv_file_without_the_columns_is_refused() -> None:
    with pytest.raises(InputError, match="judged, line 2: no 'passage'"):
        parse("answer_sentence,label\nIt fell.,1", is_csv=True)


def test_a_field_of_a_csv_file_may_be_as_long_as_a_passage() -> None:
    (pair,) = parse("answer_sentence,passage,label\nx," + "y" * 200_000 + ",1", is_csv=True)
    assert pair.key == pair_key("x", "y" * 200_000)


def test_a_folder_is_read_file_by_file_and_each_judge_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(ROWS[0] | {"judge": "x", "judge_kind": "program"}))
    (tmp_path / "b.jsonl").write_text(json.dumps(ROWS[0] | {"judge": "Ann", "label": "0"}))
    (tmp_path / "README.md").write_text("no judgments")
    found = read_judgments(tmp_path)
    assert [(pair.judge, pair.judge_kind, pair.label) for pair in found] == [
        ("x", "program", "1"), ("Ann", "", "0"),
    ]  # fmt: skip
    with pytest.raises(InputError, match="no such folder of judgments"):
        read_judgments(tmp_path / "none")


def judged(label: str, role: str = "report", *, known_wrong: bool = False) -> JudgedPair:
    return JudgedPair(key=("a", "p"), label=label, role=role, known_wrong=known_wrong)


def test_judges_who_differ_leave_a_pair_undecided_and_tune_wins_over_report() -> None:
    assert merged([judged("1"), judged("1")])["a", "p"].label == "1"
    assert merged([judged("1"), judged("0"), judged("1")])["a", "p"].label == "?"
    assert merged([judged("1"), judged("1", "tune")])["a", "p"].role == "tune"
    assert merged([judged("0", known_wrong=True)]) == {}


def test_a_known_wrong_pair_shows_only_to_who_hashes_its_texts() -> None:
    texts = (ROWS[0]["answer_sentence"], ROWS[0]["passage"])
    key = pair_key(*texts)
    hidden, drawn = pair_id(key, known_wrong=True), pair_id(key)
    assert hidden != drawn and len(hidden) == len(drawn)
    for name, expected in ((hidden, True), (drawn, False), ("dev-1", False)):
        (pair,) = parse(json.dumps(ROWS[0] | {"pair_id": name}), is_csv=False)
        assert pair.known_wrong is expected


def test_a_pair_has_the_role_that_was_stated_or_that_of_its_article() -> None:
    title = next(name for name in map(str, range(99)) if article_role(name) == "tune")
    assert role_of(("a", "p"), title, {}) == "tune"
    assert role_of(("a", "p"), title, {("a", "p"): judged("1")}) == "report"
    assert article_role("new_York") == article_role("New York")
