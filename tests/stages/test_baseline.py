"""silver baseline: files of real predictions that the evaluators read back."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.baselines.made import made_questions
from tests.corpora.support import write, write_json
from tests.stages.test_evaluate import Run, assert_refused, last, silver

__all__ = ["silver"]


def ass(path: Path, count: int, seed: int) -> Path:
    """A file of SelQA's selection task."""
    rows = [
        {
            "question": row.question,
            "article": row.title,
            "section": "S",
            "topic": "TRAVEL",
            "q_types": ["when"],
            "is_paraphrase": False,
            "candidates": list(row.candidates),
            "answers": [n for n, label in enumerate(row.labels) if label],
        }
        for row in made_questions(count, seed)
    ]
    return write_json(path, rows)


def at(path: Path, count: int, seed: int) -> Path:
    """A file of SelQA's triggering task, two sections a question."""
    rows: list[dict[str, Any]] = []
    for row in made_questions(count, seed, empty=0.4):
        halves = [(row.candidates[:2], row.labels[:2]), (row.candidates[2:], row.labels[2:])]
        listed = [
            {"article": row.title, "section": "S", "candidates": list(texts),
             "answers": [n for n, label in enumerate(labels) if label]}
            for texts, labels in halves
        ]  # fmt: skip
        rows.append({"question": row.question, "article": row.title, "candidate_list": listed})
    return write_json(path, rows)


def test_the_predictions_of_a_baseline_have_the_figures_it_reports(
    silver: Run, tmp_path: Path
) -> None:
    dev = ass(tmp_path / "selqa-ass-dev.json", 16, 1)
    out = tmp_path / "out"
    found = silver(
        "baseline", "selection", "--dev", dev, "--format", "selqa-ass-json", "--out", out
    )
    report = last(found)
    assert any(line.startswith("warning: dev: cross-validated") for line in found[1])
    assert "BM25: k1 0.4, b 0.6 (index.bm25)" in found[1]
    assert (out / "table.md").read_text(encoding="utf-8").startswith("BM25: k1 0.4, b 0.6")
    assert report["dev"]["all"]["learned"]["map"] > report["dev"]["all"]["position"]["map"]
    for ending in ("trec", "jsonl"):
        for system in ("word_overlap", "learned"):
            said = last(
                silver(
                    *("evaluate", "selection", "--gold", dev, "--format", "selqa-ass-json"),
                    *("--predictions", out / f"{system}.dev.{ending}", "--strict"),
                )
            )
            assert said["map"] == report["dev"]["all"][system]["map"]
    metrics = json.loads((out / "metrics.json").read_text())
    assert metrics["result"] == "none: dev only"
    assert "cross-validated" in metrics["splits"]["dev"]["how"]
    table = (out / "table.md").read_text()
    assert "map by word overlap" in table
    assert "| learned |" in table
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert silver("baseline", "selection", "--dev", dev, "--format", "selqa-ass-json", "--out", out)
    assert before == {path.name: path.read_bytes() for path in out.iterdir()}


def test_with_train_dev_and_test_the_result_is_tests(silver: Run, tmp_path: Path) -> None:
    train, dev, test = (
        at(tmp_path / f"selqa-at-{split}.json", 16, seed)
        for seed, split in enumerate(("train", "dev", "test"), start=1)
    )
    out = tmp_path / "out"
    found = silver("baseline", "triggering", "--train", train, "--dev", dev, "--test", test,
                   "--format", "selqa-at-json", "--out", out)  # fmt: skip
    report = last(found)
    warnings = [line for line in found[1] if line.startswith("warning")]
    assert warnings == [
        "warning: dev: thresholds and penalty were tuned on this file: no result"
    ]  # fmt: skip
    assert set(report) == {"dev", "test", "task"}
    gold = ("--gold", test, "--format", "selqa-at-json")
    said = last(silver("evaluate", "triggering", *gold, "--threshold", "0", "--predictions",
                       out / "bm25.test.jsonl"))  # fmt: skip
    assert said["f1"] == pytest.approx(report["test"]["question"]["bm25"]["f1"])
    said = last(silver("evaluate", "triggering", *gold, "--level", "section", "--predictions",
                       out / "bm25.test.sections.jsonl", "--strict"))  # fmt: skip
    assert said["f1"] == pytest.approx(report["test"]["section"]["bm25"]["f1"])
    metrics = json.loads((out / "metrics.json").read_text())
    assert metrics["shared_questions"] == {"train_dev": 0, "train_test": 0, "dev_test": 0}
    assert metrics["result"] == "test"


def test_questions_that_train_shares_with_another_file_are_warned_of(
    silver: Run, tmp_path: Path
) -> None:
    train, dev = (ass(tmp_path / f"{name}.json", 6, 1) for name in ("train", "dev"))
    code, lines, err = silver("baseline", "selection", "--train", train, "--dev", dev, "--format",
                              "selqa-ass-json", "--out", tmp_path / "out")  # fmt: skip
    assert code == 0, err
    assert "warning: 6 questions stand word for word in both train and dev" in lines


def test_what_no_baseline_can_learn_from_is_one_sentence(silver: Run, tmp_path: Path) -> None:
    dev = ass(tmp_path / "selqa-ass-dev.json", 2, 1)
    out = tmp_path / "out"
    command = ("baseline", "selection", "--format", "selqa-ass-json", "--out", out)
    assert_refused(silver(*command, "--dev", dev), "at least two are needed")
    more = ass(tmp_path / "more.json", 8, 1)
    assert_refused(silver(*command, "--dev", more, "--train", more), "the same file as --train")
    assert_refused(silver(*command, "--dev", tmp_path / "none.json"), "no such file")
    assert_refused(silver(*command, "--dev", write(tmp_path / "h.json", "<html>")), "web page")
    assert_refused(silver(*command, "--dev", more, "--format", "jsonl"), "no candidate sentences")
    assert not out.exists()
