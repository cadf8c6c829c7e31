"""Judging: what is drawn, what is left to judge, and what comes back."""

import csv
import dataclasses
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline import files
from pipeline.config import Config
from pipeline.errors import InputError
from pipeline.evaluation.judgments import COLUMNS, article_role, pair_id, pair_key, read_judgments
from pipeline.files import text_sha1
from pipeline.records import Passage, Score, Silver, arrow_schema
from pipeline.stages import drawing
from pipeline.stages.judge import (
    JudgeInputs,
    judging_progress,
    run_judge_import,
    run_judge_page,
    run_judge_sample,
)
from pipeline.stages.match import run_match
from tests.fakes import FakeSearcher, compute, config, passage, question, score, write_questions

WORDS = ["salt", "tin", "wool", "slate", "amber", "flax", "iron", "hemp", "clay", "corn"]


def sentence(number: int) -> str:
    return " ".join(f"{WORDS[int(digit)]}{place}" for place, digit in enumerate(f"{number:03d}"))


QUESTIONS = tuple(question(f"own-{n}", sentence(n), title=f"Article {n}") for n in range(120))
PASSAGES = [
    passage(f"{n + 1}-0", f"Number {n}.", sentence(n), title=f"Article {n}") for n in range(120)
]
# A third at 0.35, 0.45 and 0.9 each.
SCORES = [
    score(f"own-{n}", f"{n + 1}-0", (0.35, 0.45, 0.9)[n % 3], sentence_index=1) for n in range(120)
]


def write_scores(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(exist_ok=True)
    rows = sorted(rows, key=lambda row: (row["question_id"], row["answer_index"]))
    pq.write_table(pa.Table.from_pylist(rows, schema=arrow_schema(Score)), path)


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JudgeInputs:
    """A run of one corpus of 120 questions, all mapped at 0.3."""
    return make_run(tmp_path, monkeypatch, SCORES, PASSAGES)


def make_run(
    root: Path, monkeypatch: pytest.MonkeyPatch, scores: list[dict], passages: list[Passage]
) -> JudgeInputs:
    asked = write_questions(root / "questions" / "own.parquet", *QUESTIONS)
    write_scores(root / "scores" / "own.parquet", scores)
    run_match(asked, root / "scores" / "own.parquet", root / "silver" / "own.parquet",
              config(), compute())  # fmt: skip
    monkeypatch.setattr(drawing, "open_searcher", lambda *arguments: FakeSearcher(passages))
    return JudgeInputs(
        silver=root / "silver" / "own.parquet", questions=asked, index=root / "index"
    )


def sampled(
    inputs: JudgeInputs, out: Path, *overrides: str, judgments: Path | None = None
) -> tuple[list[str], dict, list[dict]]:
    settings: Config = config(*overrides)
    lines, counts = run_judge_sample(inputs, judgments, out, settings, compute())
    return lines, counts, [json.loads(line) for line in out.read_text().splitlines()]


def is_known_wrong(row: dict) -> bool:
    key = pair_key(row["answer_sentence"], row["passage"])
    assert row["pair_id"] in (pair_id(key), pair_id(key, known_wrong=True))
    return row["pair_id"] == pair_id(key, known_wrong=True)


def test_the_sample_has_the_columns_of_the_judgments_and_says_nothing_of_similarity(
    inputs: JudgeInputs, tmp_path: Path
) -> None:
    _, counts, rows = sampled(inputs, tmp_path / "s.jsonl")
    assert counts["pairs"] == len(rows)
    for row in rows:
        assert tuple(row) == COLUMNS
        assert (row["label"], row["judge"], row["role"]) == ("", "", "report")
        assert row["weight"] >= 1
    assert [row["pair_id"] for row in rows] == sorted({row["pair_id"] for row in rows})


def test_each_threshold_has_its_sample_of_articles_that_report(
    inputs: JudgeInputs, tmp_path: Path
) -> None:
    lines, counts, rows = sampled(inputs, tmp_path / "s.jsonl", "robustness.sample_size=15")
    assert lines[0] == "own, plain cosine, t ≥ 0.3: 0 of 15 already judged; 15 to go"
    assert counts["samples"]["t030"] == {"mapped": 120, "sample": 15, "judged": 0}
    assert counts["samples"]["t040"]["mapped"] == counts["samples"]["active"]["mapped"] == 80
    assert counts["samples"]["t050"]["mapped"] == 40
    real = [row for row in rows if not is_known_wrong(row)]
    assert {article_role(row["passage_title"]) for row in real} == {"report"}
    assert all(row["title"] == row["passage_title"] for row in real)
    assert 15 <= len(real) <= 45


def test_the_sample_is_the_same_each_time_and_another_for_another_seed(
    inputs: JudgeInputs, tmp_path: Path
) -> None:
    small = "robustness.sample_size=10"
    first = sampled(inputs, tmp_path / "a.jsonl", small)[2]
    assert sampled(inputs, tmp_path / "b.jsonl", small)[2] == first
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert sampled(inputs, tmp_path / "c.jsonl", small, "robustness.seed=7")[2] != first


def test_a_few_known_wrong_pairs_are_mixed_in_and_look_like_the_others(
    inputs: JudgeInputs, tmp_path: Path
) -> None:
    rows = sampled(inputs, tmp_path / "s.jsonl", "robustness.sample_size=20")[2]
    wrong = [row for row in rows if is_known_wrong(row)]
    assert len(wrong) == 2
    assert len({row["passage"] for row in wrong}) == 2
    for row in wrong:
        assert row["title"] != row["passage_title"]
        assert any(
            other["question_id"] == row["question_id"] for other in rows if other not in wrong
        )
        assert len(row["pair_id"]) == len(rows[0]["pair_id"])


def test_pairs_to_tune_with_are_drawn_of_the_other_articles(
    inputs: JudgeInputs, tmp_path: Path
) -> None:
    small = "robustness.sample_size=15"
    report = sampled(inputs, tmp_path / "r.jsonl", small)[2]
    to_tune = dataclasses.replace(inputs, role="tune")
    lines, _, rows = sampled(to_tune, tmp_path / "t.jsonl", small)
    assert lines[0] == "own, plain cosine, t ≥ 0.3, to tune: 0 of 15 already judged; 15 to go"
    assert {row["role"] for row in rows} == {"tune"}
    real = [row for row in rows if not is_known_wrong(row)]
    assert {article_role(row["passage_title"]) for row in real} == {"tune"}
    assert not {row["pair_id"] for row in rows} & {row["pair_id"] for row in report}
    run_judge_page(to_tune, None, tmp_path / "page.html", config(small), compute())
    assert all(row["pair_id"] in (tmp_path / "page.html").read_text() for row in rows)
    import_([judge_all(real, tmp_path / "a.jsonl")], tmp_path / "own.csv")
    assert {pair.role for pair in read_judgments_of(tmp_path / "own.csv")} == {"tune"}


def test_a_sample_that_is_smaller_than_asked_for_says_why(
    inputs: JudgeInputs, tmp_path: Path
) -> None:
    lines, counts, _ = sampled(inputs, tmp_path / "s.jsonl", "robustness.sample_size=50")
    there = counts["samples"]["t050"]["sample"]
    assert there < 40
    assert lines[2] == (
        f"own, plain cosine, t ≥ 0.5 (40 mapped pairs, {there} of articles whose judgments report; "
        f"the others tune): 0 of {there} already judged; {there} to go"
    )


def judge_all(rows: list[dict], path: Path, label: str = "1", **more: str) -> Path:
    files.write_json_lines(
        path,
        (row | {"label": label, "judge": "Ann", "judge_kind": "person"} | more for row in rows),
    )
    return path


def test_what_was_judged_is_not_asked_again(inputs: JudgeInputs, tmp_path: Path) -> None:
    small = "robustness.sample_size=20"
    rows = sampled(inputs, tmp_path / "s.jsonl", small)[2]
    real = [row for row in rows if not is_known_wrong(row)]
    judge_all(real[:9], tmp_path / "judged" / "a.jsonl")
    lines, counts, left = sampled(inputs, tmp_path / "t.jsonl", small,
                                  judgments=tmp_path / "judged")  # fmt: skip
    asked = {row["pair_id"] for row in left if not is_known_wrong(row)}
    assert asked == {row["pair_id"] for row in real[9:]}
    done = counts["samples"]["t030"]["judged"]
    assert lines[0] == f"own, plain cosine, t ≥ 0.3: {done} of 20 already judged; {20 - done} to go"
    judge_all(real, tmp_path / "judged" / "a.jsonl")
    lines, _, left = sampled(inputs, tmp_path / "t.jsonl", small, judgments=tmp_path / "judged")
    assert left == []
    assert all(line.endswith("20 of 20 already judged; 0 to go") for line in lines)


def test_judgments_survive_new_ids_and_a_new_threshold(
    inputs: JudgeInputs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge_all(sampled(inputs, tmp_path / "s.jsonl")[2], tmp_path / "judged" / "a.jsonl")
    moved = [
        passage(f"{n + 500}-7", f"Number {n}.", sentence(n), title=f"Article {n}")
        for n in range(120)
    ]
    scores = [row | {"passage_id": f"{int(row['question_id'][4:]) + 500}-7"} for row in SCORES]
    again = make_run(tmp_path / "new", monkeypatch, scores, moved)
    _, counts, left = sampled(again, tmp_path / "t.jsonl", "match.threshold=0.4",
                              judgments=tmp_path / "judged")  # fmt: skip
    assert left == []
    assert counts["samples"]["t050"]["judged"] == counts["samples"]["t050"]["sample"] > 10


def test_without_scores_the_silver_standard_says_what_the_reference_maps(
    inputs: JudgeInputs, tmp_path: Path
) -> None:
    with_scores = sampled(inputs, tmp_path / "a.jsonl")[2]
    (tmp_path / "scores" / "own.parquet").unlink()
    assert inputs.scores_found() is None
    assert sampled(inputs, tmp_path / "b.jsonl")[2] == with_scores


def test_the_page_asks_what_the_sample_asks(inputs: JudgeInputs, tmp_path: Path) -> None:
    rows = sampled(inputs, tmp_path / "s.jsonl")[2]
    lines, counts = run_judge_page(inputs, None, tmp_path / "page.html", config(), compute())
    page = (tmp_path / "page.html").read_text()
    assert counts["pairs"] == len(rows)
    assert lines[0].startswith("own, plain cosine, t ≥ 0.3: 0 of")
    assert all(row["pair_id"] in page for row in rows)
    assert '"window": [["' in page


def test_inputs_that_do_not_belong_together_are_refused(
    inputs: JudgeInputs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "s.jsonl"
    monkeypatch.setattr(drawing, "open_searcher", lambda *arguments: FakeSearcher(PASSAGES[1:]))
    with pytest.raises(InputError, match="holds no passage '1-0'"):
        sampled(inputs, out)
    write_questions(inputs.questions, *QUESTIONS[1:])
    with pytest.raises(InputError, match="no answer sentence 0 of question 'own-0'"):
        sampled(inputs, out)
    with pytest.raises(InputError, match="no such folder of judgments"):
        sampled(inputs, out, judgments=tmp_path / "none")
    assert not out.exists()


@pytest.mark.parametrize("command", [run_judge_sample, run_judge_page])
def test_scores_of_another_corpus_are_refused(
    inputs: JudgeInputs, tmp_path: Path, command: Callable[..., object]
) -> None:
    write_scores(tmp_path / "other.parquet", [score("other-1", "1-0", 0.9)])
    strange = replace(inputs, scores=tmp_path / "other.parquet")
    with pytest.raises(InputError, match="no answer sentence 0 of question 'other-1'"):
        command(strange, None, tmp_path / "out", config(), compute())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("wrong", [{"sentence_index": -5}, {"sentence_count": -3},
                                   {"sentence_index": None}])  # fmt: skip
def test_a_window_that_no_passage_has_is_refused(
    inputs: JudgeInputs, tmp_path: Path, wrong: dict[str, int | None]
) -> None:
    rows = list(files.read_records(inputs.silver, Silver))
    files.write_records(inputs.silver, Silver, [replace(rows[0], **wrong), *rows[1:]])
    with pytest.raises(InputError, match=f"question '{rows[0].question_id}' has a window of"):
        sampled(inputs, tmp_path / "s.jsonl")


# ---------------------------------------------------------------- import


def import_(paths: list[Path], out: Path, **options: object) -> tuple[list[str], dict]:
    given = {"hash_texts": False, "judge": None, "judge_kind": None}
    return run_judge_import(paths, out, **(given | options))


def test_a_judged_sample_is_imported_and_read_back(inputs: JudgeInputs, tmp_path: Path) -> None:
    rows = sampled(inputs, tmp_path / "s.jsonl")[2]
    labelled = [row | {"label": "0" if is_known_wrong(row) else "1"} for row in rows]
    files.write_json_lines(tmp_path / "done.jsonl", labelled)
    out = tmp_path / "judgments" / "own.csv"
    lines, counts = import_([tmp_path / "done.jsonl"], out, judge="x", judge_kind="program")
    wrong = sum(map(is_known_wrong, rows))
    assert lines == [f"x (program): {wrong} known-wrong pairs passed, 0 failed, 0 undecided"]
    assert counts["written"] == len(rows) - wrong and counts["known_wrong"] == wrong
    judged = read_judgments(out.parent)
    assert {pair.role for pair in judged} == {"report"}
    progress = judging_progress(inputs, out.parent, config(), compute())
    assert all(line.endswith("; 0 to go") for line in progress)


def test_importing_twice_changes_nothing_and_what_is_there_is_kept(
    inputs: JudgeInputs, tmp_path: Path
) -> None:
    rows = sampled(inputs, tmp_path / "s.jsonl")[2]
    out = tmp_path / "own.csv"
    first = judge_all(rows[:5], tmp_path / "a.jsonl")
    second = judge_all(rows[5:], tmp_path / "b.jsonl")
    import_([first], out)
    import_([second], out)
    whole = out.read_bytes()
    import_([first, second], out)
    assert out.read_bytes() == whole
    both = tmp_path / "both.csv"
    import_([second, first], both)
    assert both.read_bytes() == whole


def test_hashed_texts_still_name_the_pair(inputs: JudgeInputs, tmp_path: Path) -> None:
    rows = [row for row in sampled(inputs, tmp_path / "s.jsonl")[2] if not is_known_wrong(row)]
    out = tmp_path / "own.csv"
    import_([judge_all(rows, tmp_path / "a.jsonl")], out, hash_texts=True)
    text = out.read_text()
    assert not any(row[name] in text for row in rows for name in ("answer_sentence", "passage"))
    (found,) = [
        entry
        for entry in csv.DictReader(text.splitlines())
        if entry["pair_id"] == rows[0]["pair_id"]
    ]
    assert found["passage"] == f"sha1:{text_sha1(rows[0]['passage'])}"
    plain = tmp_path / "plain.csv"
    import_([tmp_path / "a.jsonl"], plain)
    keys = [[pair.key for pair in read_judgments_of(path)] for path in (out, plain)]
    assert keys[0] == keys[1]


def read_judgments_of(path: Path) -> list:
    from pipeline.evaluation.judgments import parse_judgments

    with files.open_text(path) as lines:
        return list(parse_judgments(lines, str(path), is_csv=True))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", "{", "line 1: not JSON"),
        ("a.csv", "answer_sentence,passage\nx,y\n", "line 2: no 'passage_title'"),
        ("a.csv", "<html>", "holds no judgment"),
        ("a.csv", "", "holds no judgment"),
        ("a.csv", "answer_sentence,passage\n", "holds no judgment"),
        ("a.jsonl", '{"answer_sentence": "\\ud800"}', "line 1: half of a surrogate pair"),
    ],
)
def test_a_wrong_download_is_refused_and_nothing_is_written(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text)
    out = tmp_path / "own.csv"
    with pytest.raises(InputError, match=message):
        import_([tmp_path / name], out)
    assert not out.exists()


def test_an_import_needs_files_and_a_csv_to_write(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ends in \.csv"):
        import_([tmp_path], tmp_path / "own.jsonl")
    with pytest.raises(InputError, match="at least one file"):
        import_([], tmp_path / "own.csv")
    with pytest.raises(InputError, match="no such file"):
        import_([tmp_path / "none.csv"], tmp_path / "own.csv")


def test_the_command_line_knows_the_three_commands(
    inputs: JudgeInputs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pipeline import cli
    from tests.fakes import PARAMS

    common = ["--config", str(PARAMS), "--silver", str(inputs.silver), "--questions",
              str(inputs.questions), "--index", str(inputs.index)]  # fmt: skip
    for name, out in (("sample", "s.jsonl"), ("page", "p.html")):
        cli.main(["judge", name, *common, "--out", str(tmp_path / out)])
        shown = capsys.readouterr().out.splitlines()
        assert shown[0] == "own, plain cosine, t ≥ 0.3: 0 of 50 already judged; 50 to go"
        assert json.loads(shown[-1])["samples"]["t030"]["sample"] == 50
    rows = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    judge_all(rows, tmp_path / "a.jsonl")
    out = tmp_path / "judgments" / "own.csv"
    cli.main(["judge", "import", str(tmp_path / "a.jsonl"), *common, "--out", str(out)])
    shown = capsys.readouterr().out.splitlines()
    assert any("known-wrong pairs passed, 5 failed" in line for line in shown)
    assert "own, plain cosine, t ≥ 0.3: 50 of 50 already judged; 0 to go" in shown
    with pytest.raises(SystemExit) as left:
        cli.main(["judge", "sample", "--out", "x"])
    assert left.value.code == 2
    assert "Missing option '--silver'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "missing"),
    [(["silver"], "--questions"), (["silver", "questions"], "--index"), (["index"], "--silver"),
     (["scores"], "--silver")],
)  # fmt: skip
def test_what_is_to_go_needs_all_that_a_sample_is_drawn_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: list[str], missing: str
) -> None:
    from pipeline import cli
    from tests.fakes import PARAMS

    options = [part for name in given for part in (f"--{name}", str(tmp_path / name))]
    with pytest.raises(SystemExit) as left:
        cli.main(["judge", "import", str(tmp_path / "a.jsonl"), "--config", str(PARAMS), *options,
                  "--out", str(tmp_path / "own.csv")])  # fmt: skip
    assert left.value.code == 2
    assert f"{missing}: missing; --silver, --questions and --index" in capsys.readouterr().err
    assert not (tmp_path / "own.csv").exists()


@pytest.mark.parametrize("name", ["sample", "page", "import"])
def test_every_option_of_the_three_commands_is_explained(name: str) -> None:
    from click.testing import CliRunner

    from pipeline import cli

    shown = CliRunner().invoke(cli.silver, ["judge", name, "--help"])
    assert shown.exit_code == 0
    for option in ("--silver", "--questions", "--index", "--out", "--judgments", "--config"):
        assert option in shown.output
    command = cli.judge.commands[name]
    assert all(option.help for option in command.params if option.param_type_name == "option")
