"""The triggering set of a silver standard, and the report of the benchmarks."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline import files
from pipeline.corpora import selqa
from pipeline.corpora.rows import Rejected
from pipeline.errors import InputError
from pipeline.records import Silver
from pipeline.stages import triggering_set
from pipeline.stages.benchmarks import BenchmarkInputs, run_benchmarks
from tests.fakes import compute, config, passage, question, use_fake_index, write_questions

PASSAGES = [
    passage("1-0", "Salt was traded here.", "Tin was not.", title="Lune", section="Trade"),
    passage("2-0", "The bridge is old.", title="Vik"),
]
QUESTIONS = (
    question("own-dev-1", "Salt was traded here.", title="Lune",
             attributes={"q_types": "what;who", "topic": "TRAVEL", "is_paraphrase": "true"}),
    question("own-dev-2", "Nobody knows."),
    question("own-test-1", "The bridge is old.", split="test"),
)  # fmt: skip


def silver(question_id: str, passage_id: str, sentence: int, *, matched: bool = True) -> Silver:
    return Silver(
        question_id=question_id, answer_index=0, passage_id=passage_id, sentence_index=sentence,
        sentence_count=1, similarity=0.9, cosine_similarity=0.9, rank=1, matched=matched, loss=None,
    )  # fmt: skip


def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: list[str]) -> dict[str, Any]:
    index = use_fake_index(monkeypatch, triggering_set, PASSAGES)
    rows = [silver("own-dev-1", "1-0", 0), silver("own-dev-1", "2-0", 0, matched=False)]
    files.write_records(tmp_path / "silver.parquet", Silver, rows)
    files.write_lines(tmp_path / "run.trec", run)
    return triggering_set.run_triggering_set(
        write_questions(tmp_path / "q.parquet", *QUESTIONS), tmp_path / "silver.parquet",
        tmp_path / "run.trec", index, 5, tmp_path / "out", config(), compute(),
    )  # fmt: skip


RUN = ["own-dev-1 Q0 2-0 1 3 x", "own-dev-1 Q0 1-0 2 2 x", "own-test-1 Q0 2-0 1 1 x"]


def test_the_first_passages_are_sections_and_matched_sentences_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = make(tmp_path, monkeypatch, RUN)
    assert (counts["questions"], counts["written"], counts["answerable"]) == (3, 2, 1)
    assert counts["dropped"] == {"question without hits": 1}
    assert counts["splits"] == {"dev": 1, "test": 1}
    (read,) = selqa.read_triggering_json(tmp_path / "out" / "selqa-at-dev.json", "own", "dev")
    assert not isinstance(read, Rejected)
    assert read.candidates == ("The bridge is old.", "Salt was traded here.", "Tin was not.")
    assert read.labels == (0, 1, 0)
    assert read.attributes["q_types"] == "what;who"
    assert read.attributes["is_paraphrase"] == "true"
    assert read.title == "Lune"


def test_a_run_of_other_questions_makes_no_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="has a hit"):
        make(tmp_path, monkeypatch, ["other-1 Q0 1-0 1 1 x"])
    assert not (tmp_path / "out").exists()


def test_a_silver_standard_of_other_questions_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.stages.test_benchmarks.QUESTIONS", QUESTIONS[1:])
    with pytest.raises(InputError, match="question 'own-dev-1' is not in"):
        make(tmp_path, monkeypatch, RUN)


# ---------------------------------------------------------------- the report


def measures(*names: str) -> dict[str, Any]:
    return {name: {"value": 0.5, "low": 0.25, "high": 0.75} for name in names}


def blocks_report(path: Path, **more: Any) -> Path:
    names = ("answer_recall_1", "hits_4k", "node_hits_4k")
    values = {
        "task": "blocks", "n": 2, "tokenizer": "estimate", "measures": measures(*names),
        "notes": ["2 tables, closed collection"], **dict.fromkeys(names, 0.5),
    }  # fmt: skip
    files.write_json(path, values | more)
    return path


def baseline_report(folder: Path, task: str) -> Path:
    system = {"n": 3, "measures": measures("map", "mrr"), "map": 0.5, "mrr": 0.5}
    level = {"systems": {"bm25": system}}
    folder.mkdir()
    files.write_json(
        folder / "metrics.json",
        {"task": task, "splits": {"dev": {"how": "cross-validated", "all": level}}},
    )
    return folder


def test_the_report_has_a_table_a_benchmark_and_its_banners(tmp_path: Path) -> None:
    counts = {"written": 2, "ceiling": 0.5, "ceiling_low": 0.1, "ceiling_high": 0.9,
              "blocks": 20, "tokens": 8000}  # fmt: skip
    files.write_json(tmp_path / "in.stats.json", {"counts": counts})
    made = run_benchmarks(
        BenchmarkInputs(
            selection=baseline_report(tmp_path / "selection", "selection"),
            triggering=baseline_report(tmp_path / "triggering", "triggering"),
            synthetic_triggering=True,
            blocks=(("oracle", blocks_report(tmp_path / "oracle.json")),),
            readers=(("oracle", tmp_path / "in.stats.json"),),
        ),
        tmp_path / "reports",
    )
    assert made == {"tables": 4, "banners": 2}
    text = (tmp_path / "reports" / "table.md").read_text(encoding="utf-8")
    assert "> OTT-QA: 2 tables, closed collection." in text
    assert "| oracle | 2 | 50.0 [25.0, 75.0] |" in text
    page = (tmp_path / "reports" / "report.html").read_text(encoding="utf-8")
    assert page.count('class="banner"') == 2
    assert json.loads((tmp_path / "reports" / "metrics.json").read_text()) == {
        "selection": {"dev": {"all": {"bm25": {"map": 0.5, "mrr": 0.5}}}},
        "triggering": {"dev": {"all": {"bm25": {"map": 0.5, "mrr": 0.5}}}},
        "ottqa": {
            "oracle": {
                "answer_recall_1": 0.5, "hits_4k": 0.5, "node_hits_4k": 0.5, "ceiling": 0.5,
            }
        },
    }  # fmt: skip


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "none is given"),
        ({"blocks": (("a", Path("none.json")),)}, "none.json: no such file"),
        ({"selection": Path("none")}, r"metrics\.json: no such file"),
    ],
)
def test_a_report_of_nothing_is_refused(tmp_path: Path, inputs: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        run_benchmarks(BenchmarkInputs(**inputs), tmp_path / "reports")
    assert not (tmp_path / "reports").exists()


def test_figures_of_another_task_are_refused(tmp_path: Path) -> None:
    folder = baseline_report(tmp_path / "selection", "selection")
    with pytest.raises(InputError, match="no figures of triggering"):
        run_benchmarks(BenchmarkInputs(triggering=folder), tmp_path / "reports")
    strange = blocks_report(tmp_path / "a.json", task="reading")
    with pytest.raises(InputError, match="no report of silver evaluate blocks"):
        run_benchmarks(BenchmarkInputs(blocks=(("a", strange),)), tmp_path / "reports")
