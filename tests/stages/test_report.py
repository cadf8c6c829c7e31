"""The report stage: metrics.json by its contract, and all files from the same figures."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline import files
from pipeline.config import Config
from pipeline.datasets.trec import run_lines
from pipeline.errors import InputError
from pipeline.evaluation.robustness import draw_sample
from pipeline.files import text_sha1
from pipeline.records import Score, arrow_schema
from pipeline.reporting import plots
from pipeline.stages.match import run_match
from pipeline.stages.report import ReportInputs, run_report
from tests.fakes import (
    compute,
    config,
    contents,
    passage,
    question,
    score,
    write_passages,
    write_questions,
)

PASSAGES = [passage(f"{n}-0", f"Text {n}.", title="<b>Lune</b>") for n in range(1, 7)]
QUESTIONS = (
    question("own-1", "Answer 1."),
    question("own-2", "Answer 2.", split="test"),
    question("own-3", "Answer 3.", split="test"),
    question("own-4", split="test"),
)
SCORES = [
    score("own-1", "1-0", 0.9),
    score("own-1", "2-0", 0.45, rank=2),
    score("own-2", "2-0", 0.35),
    score("own-3", None, article_present=False),
]
CORPUS = "corpora={own: {format: jsonl, input: x}}"


@pytest.fixture
def real_plots() -> None:
    """Ask for it to have the plots drawn, which takes most of the time."""


@pytest.fixture(autouse=True)
def _no_plots(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "real_plots" not in request.fixturenames:
        for name in ("coverage_plot", "top_k_plot"):
            monkeypatch.setattr(plots, name, lambda *figures: "<svg></svg>")


@pytest.fixture
def inputs(tmp_path: Path) -> ReportInputs:
    """What the other stages leave of one corpus; the folders that are not read are empty."""
    data = tmp_path / "data"
    write_passages(data / "passages", PASSAGES)
    files.write_json(data / "articles" / files.STATS, {"counts": {"articles": 6}})
    asked = write_questions(data / "questions" / "own.parquet", *QUESTIONS)
    (data / "scores").mkdir()
    table = pa.Table.from_pylist(SCORES, schema=arrow_schema(Score))
    pq.write_table(table, data / "scores" / "own.parquet")
    run_match(asked, data / "scores" / "own.parquet", data / "silver" / "own.parquet",
              config(), compute())  # fmt: skip
    files.write_lines(
        data / "runs" / "own.trec", run_lines("own-1", [("5-0", 3.0), ("2-0", 2.0), ("1-0", 1.0)])
    )
    names = ("articles", "passages", "index", "questions", "candidates", "scores", "silver", "runs",
             "datasets")  # fmt: skip
    for name in names:
        (data / name).mkdir(exist_ok=True)
    return ReportInputs(**{name: data / name for name in names})


def run(
    inputs: ReportInputs, *overrides: str, judgments: Path | None = None, gold: Path | None = None
) -> dict:
    """Make the report; its metrics."""
    out = inputs.questions.parents[1] / "reports"
    settings: Config = config(CORPUS, *overrides)
    run_report(inputs, judgments, gold, out, settings, compute())
    return json.loads((out / "metrics.json").read_text())


def leaves(tree: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from leaves(value, (*path, key))
    else:
        yield path, tree


def test_the_metrics_have_the_names_of_the_contract(inputs: ReportInputs) -> None:
    metrics = run(inputs)
    assert metrics.keys() == {"own"}
    assert metrics["own"].keys() == {"all", "dev", "test"}
    shares = {f"coverage_t0{t}_{kind}" for t in (30, 40, 50) for kind in ("percent", "count")}
    tops = {f"top_{k}" for k in (1, 5, 10, 20, 100, "n")}
    for figures in metrics["own"].values():
        assert {"questions", "answerable", "mapped", "reference", "active"} <= figures.keys()
        assert shares | tops == figures["reference"].keys()
        more = {"coverage_present_percent", "coverage_by_answer_percent", "top_1_all",
                "top_20_all", "decoy_percent"}  # fmt: skip
        assert shares | tops | more <= figures["active"].keys()


def test_every_leaf_of_the_metrics_is_a_number_and_no_key_holds_a_dot(
    inputs: ReportInputs, tmp_path: Path
) -> None:
    judged = write_judgments(tmp_path / "judged", [("Answer 1.", "Text 1.", "1")])
    metrics = run(inputs, judgments=judged, gold=write_gold(tmp_path / "gold.jsonl"))
    found = list(leaves(metrics))
    assert len(found) > 100
    for path, value in found:
        assert isinstance(value, int | float) and not isinstance(value, bool), path
        assert not any("." in key for key in path), path


def test_the_figures_are_those_worked_out_by_hand(inputs: ReportInputs) -> None:
    figures = run(inputs)["own"]["all"]
    assert (figures["questions"], figures["answerable"], figures["mapped"]) == (4, 3, 1)
    reference = figures["reference"]
    assert [reference[f"coverage_t0{t}_count"] for t in (30, 40, 50)] == [2, 1, 1]
    assert reference["coverage_t030_percent"] == pytest.approx(66.6667)
    assert (reference["top_1"], reference["top_5"], reference["top_n"]) == (0.0, 100.0, 1)
    assert figures["active"]["top_5_all"] == pytest.approx(33.3333)
    assert figures["active"]["coverage_present_percent"] == 50.0
    test = run(inputs)["own"]["test"]
    assert (test["questions"], test["answerable"], test["mapped"]) == (3, 2, 0)


def test_the_active_settings_do_not_touch_the_reference(inputs: ReportInputs) -> None:
    before = run(inputs)["own"]["all"]
    after = run(inputs, "match.threshold=0.3", "match.short_sentences=renormalize")["own"]["all"]
    assert after["reference"] == before["reference"]
    assert (before["mapped"], after["mapped"]) == (1, 2)


@pytest.mark.usefixtures("real_plots")
def test_the_report_holds_these_files_and_the_same_bytes_each_time(inputs: ReportInputs) -> None:
    run(inputs)
    out = inputs.questions.parents[1] / "reports"
    first = contents(out)
    assert first.keys() == {
        "metrics.json", "table.md", "report.html", "plots/coverage.svg", "plots/top_k.svg",
        "plots/coverage/own.csv", "plots/top_k/own.csv",
    }  # fmt: skip
    (out / "plots" / "coverage" / "old.csv").write_text("of a corpus that is no more")
    run(inputs)
    assert contents(out) == first


def test_curves_are_tables_that_dvc_can_plot(inputs: ReportInputs) -> None:
    run(inputs)
    out = inputs.questions.parents[1] / "reports"
    coverage = (out / "plots" / "coverage" / "own.csv").read_text().splitlines()
    assert coverage[0] == "threshold,percent,reference_percent,decoy_percent"
    assert len(coverage) == 101
    assert "0.35,66.6667,66.6667,0" in coverage
    top = (out / "plots" / "top_k" / "own.csv").read_text()
    assert top == "k,percent\n1,0\n5,100\n10,100\n20,100\n100,100\n"


def test_a_silver_standard_that_short_answers_made_is_flagged(inputs: ReportInputs) -> None:
    for model, flags in (("default", 0), ("answers", 2)):
        run(inputs, "match.scorer=learned", f"match.model={model}")
        page = inputs.questions.parents[1] / "reports" / "report.html"
        assert page.read_text().count("Circular in part") == flags
        assert ("Circular in part" in table_of(inputs)) == (flags > 0)


def test_short_answer_sentences_are_counted_apart(inputs: ReportInputs) -> None:
    rows = [SCORES[0] | {"answer_tokens": 2}, *SCORES[1:]]
    rows[1] = rows[1] | {"answer_tokens": 2}
    table = pa.Table.from_pylist(rows, schema=arrow_schema(Score))
    pq.write_table(table, inputs.scores / "own.parquet")
    figures = run(inputs)["own"]
    short, longer = (figures["all"]["answer_sentences"][kind] for kind in ("short", "longer"))
    assert (short["sentences"], short["mapped"], short["coverage_percent"]) == (1, 1, 100.0)
    assert (longer["sentences"], longer["reference_t030_percent"]) == (2, 50.0)
    assert figures["test"]["answer_sentences"]["short"]["sentences"] == 0
    assert "| answer sentences | 1 / 2 |" in table_of(inputs)


def test_the_share_of_absent_articles_stands_at_the_top(inputs: ReportInputs) -> None:
    run(inputs)
    page = (inputs.questions.parents[1] / "reports" / "report.html").read_text()
    for text in (table_of(inputs), page):
        assert text.index("which the collection lacks: own ") < text.index("Coverage and top-k")


def test_lost_questions_are_listed_by_their_reasons(inputs: ReportInputs) -> None:
    run(inputs)
    table = (inputs.questions.parents[1] / "reports" / "table.md").read_text()
    assert "| article absent | 1 |" in table
    assert "| below threshold | 1 |" in table


def test_the_baseline_stands_beside_where_its_run_is_there(inputs: ReportInputs) -> None:
    assert "baseline" not in run(inputs)["own"]["all"]
    files.write_lines(inputs.runs / "own.bm25.trec", run_lines("own-1", [("1-0", 9.0)]))
    figures = run(inputs)["own"]["all"]["baseline"]
    assert (figures["top_1"], figures["top_n"]) == (100.0, 1)


def write_gold(path: Path) -> Path:
    rows = [("own-1", "Text 1."), ("own-2", "Text 2."), ("own-3", None)]
    files.write_json_lines(
        path,
        ({"corpus": "own", "question_id": name, "answer_index": 0, "text": text, "page_id": 1}
         for name, text in rows),
    )  # fmt: skip
    return path


def test_with_gold_the_report_states_true_precision_and_recall(
    inputs: ReportInputs, tmp_path: Path
) -> None:
    figures = run(inputs, gold=write_gold(tmp_path / "gold.jsonl"))["own"]["all"]["active"]
    assert (figures["precision"], figures["recall"]) == (1.0, 0.5)
    assert figures["false_map_percent"] == 0.0
    assert (figures["cosine_best_f1"], figures["cosine_best_threshold"]) == (1.0, 0.35)


def write_judgments(folder: Path, rows: list[tuple[str, str, str]], **more: str) -> Path:
    files.write_json_lines(
        folder / "judged.jsonl",
        ({"answer_sentence": answer, "passage": text, "label": label, "role": "report"} | more
         for answer, text, label in rows),
    )  # fmt: skip
    return folder


def test_robustness_counts_the_judged_best_passages_at_each_threshold(
    inputs: ReportInputs, tmp_path: Path
) -> None:
    rows = [("Answer 1.", "Text 1.", "1"), ("Answer 2.", "Text 2.", "0"),
            ("Answer 1.", "Text 2.", "0")]  # fmt: skip
    judged = write_judgments(tmp_path / "judged", rows)
    found = run(inputs, judgments=judged)["own"]["all"]["robustness"]
    assert (found["t030_percent"], found["t030_judged"]) == (50.0, 2)
    assert (found["t040_percent"], found["t040_judged"]) == (100.0, 1)
    assert found["t040_low"] < 100.0 == found["t040_high"]


def test_only_the_drawn_sample_counts(inputs: ReportInputs, tmp_path: Path) -> None:
    rows = [("Answer 1.", "Text 1.", "1"), ("Answer 2.", "Text 2.", "0")]
    judged = write_judgments(tmp_path / "judged", rows)
    found = run(inputs, "robustness.sample_size=1", judgments=judged)["own"]["all"]["robustness"]
    pairs = {(text_sha1(answer), text_sha1(text)): label for answer, text, label in rows}
    (drawn,) = draw_sample(pairs, 1, 1801)
    assert found["t030_percent"] == 100.0 * (pairs[drawn] == "1")


def test_judges_who_disagree_leave_a_pair_undecided(inputs: ReportInputs, tmp_path: Path) -> None:
    rows = [("Answer 1.", "Text 1.", "1"), ("Answer 1.", "Text 1.", "0")]
    found = run(inputs, judgments=write_judgments(tmp_path / "judged", rows))
    assert found["own"]["all"]["robustness"]["t040_judged"] == 1
    assert "t040_percent" not in found["own"]["all"]["robustness"]


def test_what_was_judged_to_tune_in_any_file_is_not_reported(
    inputs: ReportInputs, tmp_path: Path
) -> None:
    row = ("Answer 1.", "Text 1.", "1")
    for first, second in (("tune", "report"), ("report", "tune")):
        shutil.rmtree(tmp_path / "judged", ignore_errors=True)
        write_judgments(tmp_path / "judged", [row], role=first)
        (tmp_path / "judged" / "judged.jsonl").rename(tmp_path / "judged" / "a.jsonl")
        write_judgments(tmp_path / "judged", [row], role=second)
        found = run(inputs, judgments=tmp_path / "judged")["own"]["all"]["robustness"]
        assert found["t040_judged"] == 0


def test_a_folder_of_judgments_that_is_missing_is_refused(
    inputs: ReportInputs, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="no such folder of judgments"):
        run(inputs, judgments=tmp_path / "none")


def write_run(inputs: ReportInputs, *hits: tuple[str, str]) -> None:
    lines = [f"{name} Q0 {passage_id} 1 0.5 x" for name, passage_id in hits]
    files.write_lines(inputs.runs / "own.trec", lines)


def test_passages_are_looked_up_only_where_judges_or_gold_ask_for_their_texts(
    inputs: ReportInputs, tmp_path: Path
) -> None:
    write_passages(inputs.passages, PASSAGES[:1])
    assert run(inputs)["own"]["all"]["mapped"] == 1
    gold = write_gold(tmp_path / "gold.jsonl")
    judged = write_judgments(tmp_path / "judged", [("Answer 1.", "Text 1.", "1")])
    for asked in ({"gold": gold}, {"judgments": judged}):
        with pytest.raises(InputError, match="holds no passage '2-0'"):
            run(inputs, **asked)


def test_scores_beyond_the_depth_change_no_figure_and_lose_no_answer_sentence(
    inputs: ReportInputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = run(inputs)
    more = [
        SCORES[0],
        SCORES[1],
        score("own-1", "3-0", 1.0, rank=6),
        *SCORES[2:],
    ]
    table = pa.Table.from_pylist(more, schema=arrow_schema(Score))
    pq.write_table(table, inputs.scores / "own.parquet")
    assert run(inputs) == before
    far = [*more[:3], score("own-2", "3-0", 1.0, rank=6), score("own-2", "4-0", 1.0, rank=7),
           SCORES[3]]  # fmt: skip
    monkeypatch.setattr("pipeline.files.parquet.ROWS_PER_GROUP", 2)
    pq.write_table(
        pa.Table.from_pylist(far, schema=arrow_schema(Score)), inputs.scores / "own.parquet"
    )
    figures = run(inputs)["own"]["all"]
    assert (figures["answerable"], figures["mapped"]) == (3, 1)


def test_only_gold_beside_the_samples_manifest_is_called_the_sample(
    inputs: ReportInputs, tmp_path: Path
) -> None:
    page = inputs.questions.parents[1] / "reports" / "report.html"
    gold = write_gold(tmp_path / "gold.jsonl")
    run(inputs, gold=gold)
    assert "right passages are known for own" in page.read_text()
    files.write_json(tmp_path / files.STATS, {"declared_shares": {}})
    run(inputs, gold=gold)
    assert "This is the embedded sample" in page.read_text()
    run(inputs)
    assert 'banner">' not in page.read_text()


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda i: (i.runs / "own.trec").write_text("a b\n"), "line 1: 2 fields"),
        (lambda i: (i.runs / "own.trec").unlink(), "no such file"),
        (lambda i: (i.scores / "own.parquet").unlink(), "no such file"),
        (lambda i: (i.silver / "own.parquet").write_text("x"), "not a whole Parquet file"),
        (lambda i: (i.questions / "own.parquet").unlink(), "holds no <corpus>.parquet"),
        (
            lambda i: write_run(i, ("own-1", "1-0"), ("own-2", "1-0"), ("own-1", "2-0")),
            "lines of question 'own-1' in several places",
        ),
        (lambda i: write_questions(i.questions / "own.parquet", QUESTIONS[0]), "unknown question"),
        (lambda i: write_run(i, ("other-1", "1-0")), "no question of own in the run"),
        (lambda i: write_run(i), "no question of own in the run"),
        (
            lambda i: files.write_lines(i.runs / "own.bm25.trec", []),
            r"own\.bm25\.trec: no question of own in the run",
        ),
        (lambda i: shutil.rmtree(i.articles), "articles: no such folder"),
        (lambda i: shutil.rmtree(i.index), "index: no such folder"),
        (lambda i: shutil.rmtree(i.candidates), "candidates: no such folder"),
        (lambda i: shutil.rmtree(i.datasets), "datasets: no such folder"),
    ],
)
def test_inputs_that_are_wrong_are_refused_and_nothing_is_written(
    inputs: ReportInputs, break_it, message: str
) -> None:
    break_it(inputs)
    with pytest.raises(InputError, match=message):
        run(inputs)
    assert not (inputs.questions.parents[1] / "reports").exists()


@pytest.mark.parametrize("line", ["{", "[]", '{"corpus": "own"}', '{"corpus": "own", "question_id":'
                         ' "q", "answer_index": "x", "text": null}'])  # fmt: skip
def test_a_wrong_line_of_gold_is_refused(inputs: ReportInputs, tmp_path: Path, line: str) -> None:
    (tmp_path / "gold.jsonl").write_text(line + "\n")
    with pytest.raises(InputError, match=r"gold\.jsonl, line 1: expected an object"):
        run(inputs, gold=tmp_path / "gold.jsonl")


def test_a_corpus_without_any_answer_sentence_is_reported_as_such(inputs: ReportInputs) -> None:
    asked = write_questions(inputs.questions / "own.parquet", question("own-1"))
    files.write_records(inputs.scores / "own.parquet", Score, [])
    run_match(asked, inputs.scores / "own.parquet", inputs.silver / "own.parquet", config(),
              compute())  # fmt: skip
    figures = run(inputs)["own"]["all"]
    assert (figures["questions"], figures["answerable"], figures["mapped"]) == (1, 0, 0)


def test_a_split_that_is_called_all_changes_no_figure_of_all(inputs: ReportInputs) -> None:
    renamed = [question("own-1", "Answer 1.", split="all"), *QUESTIONS[1:]]
    write_questions(inputs.questions / "own.parquet", *renamed)
    assert run(inputs)["own"]["all"]["questions"] == 4


def table_of(inputs: ReportInputs) -> str:
    return (inputs.questions.parents[1] / "reports" / "table.md").read_text()


def test_without_judges_the_report_has_title_agreement_and_decoys_with_denominators(
    inputs: ReportInputs,
) -> None:
    found = run(inputs)["own"]["all"]["robustness"]
    assert (found["t040_title_percent"], found["t040_title_named"]) == (100.0, 1)
    assert (found["t040_decoy_percent"], found["t040_decoy_named"]) == (0.0, 3)
    assert (found["active_title_named"], found["active_decoy_named"]) == (1, 3)
    assert not any(key.endswith("_judged") for key in found)
    assert "| plain cosine, t ≥ 0.4: title agreement | 100.00 (1) |" in table_of(inputs)
    assert "Robustness by judges" not in table_of(inputs)


def test_judges_are_named_and_each_case_has_its_sample(
    inputs: ReportInputs, tmp_path: Path
) -> None:
    rows = [("Answer 1.", "Text 1.", "1"), ("Answer 2.", "Text 2.", "0")]
    judged = write_judgments(tmp_path / "judged", rows, judge="reader", judge_kind="program")
    found = run(inputs, judgments=judged)["own"]["all"]["robustness"]
    assert (found["t030_judged"], found["t030_sample"]) == (2, 2)
    assert (found["active_percent"], found["active_sample"]) == (100.0, 1)
    assert found["qrels_judged"] == 1
    assert "Judged by reader (program)." in table_of(inputs)
    assert "| plain cosine, t ≥ 0.3 | 50.00 [" in table_of(inputs)
    assert "agreement" not in run(inputs, judgments=judged)["own"]["all"]


def test_judgments_of_other_pairs_show_no_table(inputs: ReportInputs, tmp_path: Path) -> None:
    judged = write_judgments(tmp_path / "judged", [("Other.", "Other.", "1")])
    found = run(inputs, judgments=judged)["own"]["all"]["robustness"]
    assert found["t040_judged"] == 0
    assert "Robustness by judges" not in table_of(inputs)


def test_judges_of_the_same_pairs_are_compared(inputs: ReportInputs, tmp_path: Path) -> None:
    folder = tmp_path / "judged"
    rows = [("Answer 1.", "Text 1.", "1"), ("Answer 2.", "Text 2.", "0")]
    write_judgments(folder, rows, judge="Ann", judge_kind="person")
    (folder / "judged.jsonl").rename(folder / "ann.jsonl")
    write_judgments(folder, [rows[0], (*rows[1][:2], "1")], judge="x", judge_kind="program")
    found = run(inputs, judgments=folder)["own"]["all"]
    assert found["agreement"] == {"decided": 2, "raw_percent": 50.0, "kappa": 0.0, "ac1": 0.2}
    assert "| Ann (person), x (program) | 2 | 0 | 1 / 0 | 1 | 50.00 | 0.000 |" in table_of(inputs)
