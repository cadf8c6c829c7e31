"""The three corpora stand in the formats in which they are published."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pipeline.sample.corpora import spaced
from tests.sample.reading import gold

SELQA_KEYS = {
    "section", "question", "article", "is_paraphrase", "topic", "answers", "candidates", "q_types",
}  # fmt: skip


def selqa(folder: Path) -> list[dict[str, Any]]:
    paths = [folder / "selqa" / f"{split}.json" for split in ("train", "dev", "test")]
    return [row for path in paths for row in json.loads(path.read_text(encoding="utf-8"))]


def squad(folder: Path, split: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "squad" / f"{split}.json").read_bytes())
    return found


def wikiqa(folder: Path) -> list[list[str]]:
    rows = []
    for split in ("train", "dev", "test"):
        lines = (folder / "wikiqa" / f"{split}.tsv").read_bytes().decode().split("\r\n")
        assert lines.pop() == ""
        assert lines.pop(0).split("\t") == [
            "QuestionID", "Question", "DocumentID", "DocumentTitle", "SentenceID", "Sentence",
            "Label",
        ]  # fmt: skip
        assert not any("\n" in line or "\r" in line for line in lines)
        rows += [line.split("\t") for line in lines]
    return rows


def test_selqa_is_a_list_of_questions_with_the_sentences_of_a_section(sample: Path) -> None:
    rows = selqa(sample)
    assert len(rows) >= 20
    for row in rows:
        assert set(row) == SELQA_KEYS
        assert row["answers"]
        assert all(0 <= index < len(row["candidates"]) for index in row["answers"])
        assert isinstance(row["is_paraphrase"], bool)
        assert row["topic"].isupper()
    assert {row["is_paraphrase"] for row in rows} == {True, False}


def test_selqa_has_all_that_its_extractor_left_of_a_page(larger: Path) -> None:
    rows = selqa(larger)
    sentences = [sentence for row in rows for sentence in row["candidates"]]
    assert not any("{{" in sentence or "''" in sentence for sentence in sentences)
    assert any('""' in sentence for sentence in sentences)
    assert any(re.search(r"\b(is|are) (long|wide)\b|\bof,|\bof\.$", text) for text in sentences)
    assert any(len(row["answers"]) == 2 for row in rows)


def test_wikiqa_has_seven_columns_and_one_document_a_question(sample: Path) -> None:
    rows = wikiqa(sample)
    assert all(len(row) == 7 for row in rows)
    questions: dict[str, set[tuple[str, str]]] = {}
    for row in rows:
        questions.setdefault(row[0], set()).add((row[1], row[2]))
        assert row[4].startswith(f"{row[2]}-")
        assert row[6] in ("0", "1")
    assert all(len(found) == 1 for found in questions.values())
    assert len({(row[0], row[4]) for row in rows}) == len(rows)


def test_wikiqa_has_questions_without_an_answer(sample: Path) -> None:
    labels: dict[str, set[str]] = {}
    for row in wikiqa(sample):
        labels.setdefault(row[0], set()).add(row[6])
    assert {"0"} in labels.values()
    assert sum("1" in found for found in labels.values()) >= 20


@pytest.mark.parametrize(
    ("sentence", "as_in_wikiqa"),
    [
        ("It is old, and large.", "It is old , and large ."),
        ("The town's fair (in May) drew 1,200.", "The town 's fair ( in May ) drew 1,200 ."),
        ("It is 3.5 km long; then it ends.", "It is 3.5 km long ; then it ends ."),
    ],
)
def test_wikiqa_sets_a_space_before_punctuation(sentence: str, as_in_wikiqa: str) -> None:
    assert spaced(sentence) == as_in_wikiqa


def test_squad_spans_are_where_the_contexts_have_them(sample: Path) -> None:
    ids = []
    for split, version in (("train", "v2.0"), ("dev", "1.1")):
        tree = squad(sample, split)
        assert tree["version"] == version
        for article in tree["data"]:
            assert " " not in article["title"]
            for paragraph in article["paragraphs"]:
                for row in paragraph["qas"]:
                    ids.append(row["id"])
                    assert re.fullmatch(r"[0-9a-f]{24}", row["id"])
                    assert ("is_impossible" in row) == (split == "train")
                    spans = row["answers"] + row.get("plausible_answers", [])
                    assert spans
                    for span in spans:
                        start = span["answer_start"]
                        assert paragraph["context"][start:].startswith(span["text"])
                    assert bool(row["answers"]) != row.get("is_impossible", False)
    assert len(set(ids)) == len(ids)


def test_squad_train_has_impossible_questions(sample: Path) -> None:
    rows = [
        row
        for article in squad(sample, "train")["data"]
        for paragraph in article["paragraphs"]
        for row in paragraph["qas"]
    ]
    assert any(row["is_impossible"] for row in rows)


def test_the_gold_standard_has_a_line_for_every_answer_sentence(sample: Path) -> None:
    keys = [(row["corpus"], row["question_id"], row["answer_index"]) for row in gold(sample)]
    assert len(set(keys)) == len(keys)
    expected: set[tuple[str, str, int]] = set()
    for split in ("train", "dev", "test"):
        rows = json.loads((sample / "selqa" / f"{split}.json").read_bytes())
        for position, row in enumerate(rows):
            expected |= {
                ("selqa", f"selqa-{split}-{position}", n) for n in range(len(row["answers"]))
            }
    expected |= {("wikiqa", f"wikiqa-{row[0]}", 0) for row in wikiqa(sample) if row[6] == "1"}
    for split in ("train", "dev"):
        for article in squad(sample, split)["data"]:
            for paragraph in article["paragraphs"]:
                expected |= {
                    ("squad", f"squad-{row['id']}", 0) for row in paragraph["qas"] if row["answers"]
                }
    assert set(keys) == expected
