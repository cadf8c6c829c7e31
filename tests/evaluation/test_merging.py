"""Downloaded judgments are checked, merged by text and judge, and counted."""

import pytest

from pipeline.errors import InputError
from pipeline.evaluation.judgments import COLUMNS, article_role, pair_id, pair_key
from pipeline.evaluation.merging import Merged, lines_of, merge


def row(number: int, label: str = "1", *, known_wrong: bool = False, **more: str) -> dict:
    answer, passage = f"Answer {number}.", f"Passage {number}."
    found = {
        "pair_id": pair_id(pair_key(answer, passage), known_wrong=known_wrong),
        "question_id": "own-1", "question": "Where?", "title": "Lune", "answer_sentence": answer,
        "passage_title": "Lune", "passage": passage, "label": label, "weight": "1.5",
        "threshold": "0.4", "judge": "Ann", "judge_kind": "person", "role": "",
    }  # fmt: skip
    return found | more


def merged(*rows: dict, hash_texts: bool = False) -> Merged:
    numbered = ((f"f, line {n}", entry) for n, entry in enumerate(rows, start=2))
    return merge(numbered, hash_texts=hash_texts)


def test_rows_are_sorted_by_the_hashes_of_their_texts_whatever_their_order() -> None:
    rows = [row(n) for n in range(20)]
    found = merged(*rows).rows
    assert found == merged(*reversed(rows)).rows
    keys = [pair_key(entry["answer_sentence"], entry["passage"]) for entry in found]
    assert keys == sorted(keys)
    assert all(tuple(entry) == COLUMNS for entry in found)


def test_what_is_read_is_written_or_counted() -> None:
    found = merged(row(1), row(1), row(1, "0"), row(2, ""), row(3, "0", known_wrong=True))
    counts = found.counts
    names = ("unjudged", "known_wrong", "repeated", "changed", "written")
    assert {name: counts[name] for name in names} == {
        "unjudged": 1, "known_wrong": 1, "repeated": 1, "changed": 1, "written": 1,
    }  # fmt: skip
    assert counts["read"] == sum(counts[name] for name in names)
    assert [entry["label"] for entry in found.rows] == ["0"]


def test_judges_who_differ_are_both_kept_and_counted_as_a_conflict() -> None:
    found = merged(row(1), row(1, "0", judge="Ben"), row(2), row(2, judge="Ben"))
    assert found.counts["conflicts"] == 1
    assert len(found.rows) == 4


def test_the_role_is_the_articles_whatever_the_file_says() -> None:
    for title in (f"Article {n}" for n in range(20)):
        wrong = {"tune": "report", "report": "tune"}[article_role(title)]
        found = merged(row(1, passage_title=title, role=wrong))
        assert found.rows[0]["role"] == article_role(title)
        assert found.counts["roles_fixed"] == 1


def test_known_wrong_pairs_are_counted_by_judge_and_not_written() -> None:
    found = merged(*(row(n, label, known_wrong=True) for n, label in enumerate("001?")))
    assert found.rows == []
    assert list(lines_of(found)) == ["Ann (person): 2 known-wrong pairs passed, 1 failed, "
                                     "1 undecided"]  # fmt: skip


def test_hashes_stand_for_texts_and_merge_with_them() -> None:
    (hashed,) = merged(row(1), hash_texts=True).rows
    for name in ("question", "answer_sentence", "passage"):
        assert hashed[name].startswith("sha1:") and len(hashed[name]) == 21
    again = merged(hashed, row(1, "0"), hash_texts=True)
    assert again.counts["changed"] == 1
    assert merged(hashed, hash_texts=True).rows == [hashed]
    wrong = row(2, "0", known_wrong=True)
    key = pair_key(wrong["answer_sentence"], wrong["passage"])
    texts = dict(zip(("answer_sentence", "passage"), (f"sha1:{key_}" for key_ in key), strict=True))
    assert merged(wrong | texts).counts["known_wrong"] == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": "yes"}, "label 'yes'; expected 1, 0, ? or nothing"),
        ({"judge": ""}, "no 'judge'; or give --judge NAME"),
        ({"judge_kind": "robot"}, "judge_kind 'robot'"),
        ({"passage": ""}, "no 'passage'"),
        ({"weight": "much"}, "weight 'much'"),
        ({"weight": "nan"}, "weight 'nan'"),
        ({"threshold": "-1"}, "threshold '-1'"),
        ({"passage": "Passage 1, edited by a spreadsheet."}, "expected them as downloaded"),
    ],
)
def test_a_wrong_row_is_refused_with_its_line(change: dict, message: str) -> None:
    with pytest.raises(InputError, match=r"^f, line 2: ") as caught:
        merged(row(1) | change)
    assert message in str(caught.value)


def test_pairs_of_other_origin_have_ids_of_their_own() -> None:
    found = merged(row(1, pair_id="dev-000"))
    assert found.counts["written"] == 1
