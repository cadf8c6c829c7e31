"""Tuning on judged pairs: what it writes, what it learns from, what it refuses."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from pipeline.config import load_config
from pipeline.errors import InputError
from pipeline.evaluation.judgments import article_role
from pipeline.matching.features import FEATURES
from pipeline.matching.model import load_model
from pipeline.records import Score, arrow_schema
from pipeline.stages import text_pairs
from pipeline.stages import tune_match as stage
from tests.fakes import PARAMS, compute, config, contents, idf_of, passage, score

COLLECTION = [passage(f"{n}-0", f"The river of place number {n} is long.") for n in range(50)]
NAMES = [f"{one}{two}" for one in ("Lun", "Orv", "Sel", "Kar", "Wyn") for two in
         ("e", "ik", "by", "dal", "ford", "wick", "ton", "mere")]  # fmt: skip


def pair(number: int, right: bool) -> dict:
    """A town and its founding year; a wrong pair is of the same shape about another town."""
    name, other = NAMES[number], NAMES[(number + 7) % len(NAMES)]
    told = name if right else other
    year = 1700 + number if right else 1800 + number
    return {
        "pair_id": f"{number}-{right}",
        "question": f"When was {name} founded?",
        "title": name if number % 3 else None,
        "answer_sentence": f"{name} is a town in the county of {name}shire, founded in "
        f"{1700 + number}.",
        "passage_title": told,
        "passage": f"{told} is a town in the county of {told}shire, founded in {year} by settlers. "
        "It lies on a river.",
        "label": int(right),
        "role": "tune",
    }


PAIRS = [pair(number, right) for number in range(len(NAMES)) for right in (True, False)]


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(text_pairs, "read_idf", lambda folder: idf_of(COLLECTION))
    monkeypatch.setattr(stage, "check_index", lambda folder, index: {})
    return Path("index")


def write(path: Path, rows: list) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def run(
    out: Path, index: Path, judgments: list[Path], target: float | None = None,
    all_roles: bool = False, scores: list[Path] | None = None,
) -> tuple[list[str], dict]:  # fmt: skip
    lines, _ = stage.run_tune_match(
        judgments, index, None, scores or [], out, config(), compute(), target_precision=target,
        all_roles=all_roles,
    )  # fmt: skip
    return lines, json.loads((out / "tuning.json").read_text(encoding="utf-8"))


def test_figures_suggestion_sweeps_plot_and_model_are_written(tmp_path: Path, index: Path) -> None:
    lines, report = run(tmp_path / "out", index, [write(tmp_path / "j.jsonl", PAIRS)], 0.94)
    assert sorted(contents(tmp_path / "out")) == [
        "curves.csv", "curves.svg", "model.json", "suggested.yaml", "sweep.csv", "tuning.json",
    ]  # fmt: skip
    assert report["judged"] == {"pairs": 80, "right": 40, "groups": 40, "left_out": {}}
    learned = report["scorers"]["learned"]["weighted"]
    assert learned["average_precision"]["value"] > 0.95
    for figures in report["scorers"].values():
        for entry in figures["unweighted"].values():
            assert entry["low"] <= entry["value"] <= entry["high"]
    assert report["scorers"]["idf"]["weighted"]["gain"] == {"value": 0, "low": 0, "high": 0}
    assert report["promise"]["target"] == 0.94
    assert "threshold" in lines[-1]
    sweep = (tmp_path / "out" / "sweep.csv").read_text(encoding="utf-8").splitlines()
    assert len(sweep) == 1 + 2 * 66 * 100


def test_short_answers_give_a_second_model_that_is_never_suggested(
    tmp_path: Path, index: Path
) -> None:
    rows = [row | {"answers": [row["answer_sentence"].split()[-1]]} for row in PAIRS]
    lines, report = run(tmp_path / "out", index, [write(tmp_path / "j.jsonl", rows)])
    assert {"learned", "learned_with_answers"} < report["scorers"].keys()
    assert "model-answers.json sees the short answers" in "\n".join(lines)
    assert "answers" not in str(report["suggested"])
    model = load_model(str(tmp_path / "out" / "model-answers.json"))
    assert model.inputs[-1] == "short_answer" and model.coefficients[-1] > 0
    plain = load_model(str(tmp_path / "out" / "model.json"))
    _, without = run(tmp_path / "plain", index, [write(tmp_path / "p.jsonl", PAIRS)])
    assert "learned_with_answers" not in without["scorers"]
    assert load_model(str(tmp_path / "plain" / "model.json")).coefficients == plain.coefficients


def test_the_coverage_of_the_thresholds_is_told_for_each_file_of_scores(
    tmp_path: Path, index: Path
) -> None:
    rows = [
        score(f"q{number}", f"{number}-0", number / 10,
              **dict.fromkeys(FEATURES, number / 10), rank=1 + 5 * (number == 10))
        for number in range(1, 11)
    ]  # fmt: skip
    scores = tmp_path / "own.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=arrow_schema(Score)), scores)
    judgments = [write(tmp_path / "j.jsonl", PAIRS)]
    lines, report = run(tmp_path / "out", index, judgments, 0.9, scores=[scores])
    at = report["coverage"]["own"]
    assert at["questions"] == 10  # also the one whose candidate is deeper than counts
    assert {"suggested"} < at.keys() - {"questions"}
    assert lines[-1].startswith(f"own: of 10 questions it maps {at['suggested']} (")
    sweep = (tmp_path / "out" / "coverage.csv").read_text(encoding="utf-8").splitlines()
    assert "own,cosine,1,0,0,0.5,5,10" in sweep  # 0.5 to 0.9
    assert len(sweep) == 1 + 2 * 66 * 100 + 100
    model = load_model(str(tmp_path / "out" / "model.json"))
    features = np.repeat(np.arange(1, 10)[:, None] / 10, len(FEATURES), axis=1)
    mapped = int((model.similarity(features) >= 0.5).sum())
    assert f"own,learned,,,,0.5,{mapped},10" in sweep


def test_the_suggestion_is_a_configuration_that_works(tmp_path: Path, index: Path) -> None:
    run(tmp_path / "out", index, [write(tmp_path / "j.jsonl", PAIRS)])
    match = yaml.safe_load((tmp_path / "out" / "suggested.yaml").read_text(encoding="utf-8"))
    overrides = [f"match.{key}={value}" for key, value in match["match"].items()]
    assert load_config(PARAMS, overrides).match.scorer == match["match"]["scorer"]
    model = load_model(str(tmp_path / "out" / "model.json"))
    assert model.trained_on == "80 judged pairs of j.jsonl"


def test_a_precision_that_no_threshold_reaches_gives_no_threshold(
    tmp_path: Path, index: Path
) -> None:
    """Every pair is there twice, right once: at no similarity are more than a half right."""
    rows = [row | {"label": label} for row in PAIRS for label in (1, 0)]
    lines, report = run(tmp_path / "out", index, [write(tmp_path / "j.jsonl", rows)])
    assert "no threshold reaches a precision of 0.94 here: none is given" in lines
    assert "threshold" not in report["suggested"]
    match = yaml.safe_load((tmp_path / "out" / "suggested.yaml").read_text(encoding="utf-8"))
    assert "threshold" not in match["match"]
    assert load_model(str(tmp_path / "out" / "model.json")).threshold is None


def test_the_same_judgments_give_the_same_bytes(tmp_path: Path, index: Path) -> None:
    judgments = [write(tmp_path / "j.jsonl", PAIRS)]
    run(tmp_path / "out", index, judgments, 0.9)
    first = contents(tmp_path / "out")
    run(tmp_path / "out", index, judgments, 0.9)
    assert contents(tmp_path / "out") == first


def test_only_pairs_to_tune_on_are_learnt_from_unless_said_otherwise(
    tmp_path: Path, index: Path
) -> None:
    rows = [
        {key: value for key, value in row.items() if key != "role"} if n % 2 else row
        for n, row in enumerate(PAIRS)
    ]
    rows.append(PAIRS[0] | {"label": "?"})
    rows.append(PAIRS[0] | {"passage": "sha1:0123456789abcdef"})
    judgments = [write(tmp_path / "j.jsonl", rows)]
    lines, report = run(tmp_path / "out", index, judgments)
    reports = sum(article_role(row["passage_title"]) == "report" for row in PAIRS[1::2])
    assert reports > 0
    assert report["judged"]["left_out"] == {
        "role report": reports, "text withheld": 1, "undecided": 1,
    }  # fmt: skip
    assert report["judged"]["pairs"] == len(PAIRS) - reports
    assert lines[1] == f"left out: {reports} role report, 1 text withheld, 1 undecided"
    _, every = run(tmp_path / "all", index, judgments, all_roles=True)
    assert every["judged"]["pairs"] == len(PAIRS)


def test_figures_stand_for_each_file_too(tmp_path: Path, index: Path) -> None:
    one, two = write(tmp_path / "a.jsonl", PAIRS[:40]), write(tmp_path / "b.jsonl", PAIRS[40:])
    _, report = run(tmp_path / "out", index, [one, two])
    assert set(report["by_file"]) == {"a.jsonl", "b.jsonl"}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "no judged pair to learn from$"),
        (
            [row | {"role": "report"} for row in PAIRS],
            "80 of role report.*--role tune.*--all-roles",
        ),
        ([row | {"passage": "sha1:0123456789abcdef"} for row in PAIRS], "80 with hashes in place"),
        ([*PAIRS[:10], PAIRS[0] | {"role": "report"}], "needed; left out: 1 of role report"),
        (PAIRS[:10], "right pairs to learn from; at least 10"),
        ([row for row in PAIRS if row["label"]], "0 wrong pairs"),
        ([PAIRS[0] | {"label": "yes"}], "line 1: label 'yes'"),
        ([PAIRS[0] | {"role": "test"}], "line 1: role 'test'"),
        ([PAIRS[0] | {"weight": "much"}], "line 1: weight 'much'"),
        ([PAIRS[0] | {"weight": -1}], "line 1: weight '-1'"),
        ([PAIRS[0] | {"weight": 0}], "line 1: weight '0'"),
        ([PAIRS[0] | {"weight": False}], "line 1: weight 'False'"),
        ([PAIRS[0] | {"weight": True}], "line 1: weight 'True'"),
        ([PAIRS[0] | {"weight": 1e308}], r"line 1: weight '1e\+308'; expected a number above 0"),
        ([PAIRS[0] | {"weight": 1e-308}], "line 1: weight '1e-308'"),
        ([PAIRS[0] | {"question": "\ud800"}], "line 1: half of a surrogate pair"),
        ([{"label": 1}], "line 1: no text 'answer_sentence'"),
        ([row | {"question": "same"} for row in PAIRS], "all pairs belong together"),
    ],
)
def test_judgments_that_nothing_can_be_learnt_from_are_refused(
    tmp_path: Path, index: Path, rows: list, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        run(tmp_path / "out", index, [write(tmp_path / "j.jsonl", rows)])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("target", [0.0, 1.0, 94.0])
def test_a_precision_that_is_no_share_is_refused(
    tmp_path: Path, index: Path, target: float
) -> None:
    with pytest.raises(InputError, match="expected a share between 0 and 1"):
        run(tmp_path / "out", index, [write(tmp_path / "j.jsonl", PAIRS)], target)
