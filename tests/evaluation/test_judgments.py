"""Reading judgments, from CSV and JSON lines alike."""

import csv
import io
import json

import pytest

from pipeline.errors import InputError
from pipeline.evaluation.judgments import ROLES, article_role, parse_judgments
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


def test_a_csv_file_without_the_columns_or_with_a_monstrous_field_is_refused() -> None:
    with pytest.raises(InputError, match="judged, line 2: no 'passage'"):
        parse("answer_sentence,label\nIt fell.,1", is_csv=True)
    with pytest.raises(InputError, match="not CSV"):
        parse("answer_sentence,passage,label\n" + "x" * 200_000 + ",y,1", is_csv=True)
