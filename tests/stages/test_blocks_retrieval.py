"""Evaluation of runs over blocks, readers' input, two steps, and fusion."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline import files
from pipeline.errors import InputError
from pipeline.records import BlockContents, Passage
from pipeline.stages import fuse, reader_input, retrieve_twice
from pipeline.stages.evaluate_blocks import BlocksEvaluated, run_evaluate_blocks
from tests.fakes import FakeSearcher, compute, config, contents, use_fake_index, write_questions
from tests.tables.made import asked, block

BLOCKS = [
    block(0, "/wiki/Lund_Harbour"),
    block(2, "/wiki/Stone_Bridge_(Vik)", "/wiki/Lund_Harbour"),
]
QUESTIONS = (
    asked("1", "Ada Berg", [0, 0, "/wiki/Lund_Harbour"]),
    asked("2", "1724", [2, 0, "/wiki/Stone_Bridge_(Vik)"]),
    asked("3", "x", table_id="Elsewhere_0"),
)
RUN = [
    "ottqa-1 Q0 Ports_0-2 1 2 x",
    "ottqa-1 Q0 Ports_0-0 2 1 x",
    "ottqa-2 Q0 Ports_0-0 1 9 x",
    "ottqa-3 Q0 Ports_0-0 1 9 x",
]


def write_blocks(folder: Path, *made: tuple[Passage, BlockContents]) -> Path:
    name = f"{files.part_name(0)}.parquet"
    (folder / "contents").mkdir(parents=True)
    files.write_records(folder / name, Passage, [block for block, _ in made])
    files.write_records(folder / "contents" / name, BlockContents, [told for _, told in made])
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_blocks(tmp_path / "blocks", *BLOCKS)
    write_questions(tmp_path / "q.parquet", *QUESTIONS)
    files.write_lines(tmp_path / "run.trec", RUN)
    return tmp_path


def evaluate(data: Path, run: str = "run.trec", **more: Any) -> dict[str, Any]:
    inputs = BlocksEvaluated(
        questions=data / "q.parquet", predictions=data / run, blocks=(data / "blocks",), **more
    )
    return run_evaluate_blocks(inputs, (1, 2), None, 4096, data / "report.json")[1]


# ---------------------------------------------------------------- evaluation


def test_the_questions_are_those_whose_table_is_among_the_blocks(data: Path) -> None:
    report = evaluate(data)
    assert (report["n"], report["questions"], report["table_absent"]) == (2, 3, 1)
    assert (report["missing"], report["unknown"]) == (0, 0)
    assert report["answer_recall_1"] == 0.5
    assert report["hits_4k"] == 0.5
    assert report["node_recall_1"] == 0.5
    assert report["notes"] == ["1 tables, closed collection: not comparable with open OTT-QA"]
    assert files.read_json(data / "report.json")["slices"]["answer_in"]["passage"]["n"] == 2


def test_two_runs_are_compared_on_the_same_questions(data: Path) -> None:
    files.write_lines(data / "other.trec", ["ottqa-2 Q0 Ports_0-2 1 1 x"])
    report = evaluate(data, compare=data / "other.trec")
    entry = report["comparison"]["measures"]["answer_recall_1"]
    assert (entry["ours"], entry["theirs"], entry["test"]) == (0.5, 0.5, "McNemar")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "empty"),
        (["selqa-1 Q0 Ports_0-0 1 1 x"], "no question id is among the questions"),
        (["ottqa-1 Q0 Quays_0-0 1 1 x"], "block 'Quays_0-0' is not in"),
    ],
)
def test_a_run_over_other_questions_or_blocks_is_refused(
    data: Path, lines: list[str], message: str
) -> None:
    files.write_lines(data / "run.trec", lines)
    with pytest.raises(InputError, match=message):
        evaluate(data)


def test_blocks_without_contents_are_refused(data: Path) -> None:
    (data / "blocks" / "contents" / "part-00000.parquet").unlink()
    with pytest.raises(InputError, match="expected a folder that silver blocks wrote"):
        evaluate(data)


def test_questions_of_another_corpus_are_refused(data: Path) -> None:
    write_questions(data / "q.parquet", asked("1", "Ada Berg", table_id="Elsewhere_0"))
    with pytest.raises(InputError, match="no question with short answers"):
        evaluate(data)


# ---------------------------------------------------------------- a reader's input


def give(data: Path, out: str = "in.jsonl", **more: Any) -> dict[str, Any]:
    settings = reader_input.ReaderSettings(
        run=data / "run.trec", blocks=(data / "blocks",), tokenizer=None,
        budget=more.pop("budget", 4096),
    )  # fmt: skip
    return reader_input.run_reader_input(
        data / "q.parquet", settings, data / out, config(), compute(**more)
    )


def test_a_line_a_question_has_its_blocks_and_says_whether_the_answer_is_there(data: Path) -> None:
    counts = give(data)
    lines = [json.loads(line) for line in (data / "in.jsonl").read_text().splitlines()]
    assert [line["question_id"] for line in lines] == ["ottqa-1", "ottqa-2"]
    assert [line["answer_in_input"] for line in lines] == [True, False]
    assert [part["id"] for part in lines[0]["blocks"]] == ["Ports_0-2", "Ports_0-0"]
    assert counts["ceiling"] == 0.5
    assert (counts["questions"], counts["written"], counts["left_out"]) == (3, 2, 1)
    assert counts["tokens"] == sum(line["tokens"] for line in lines)
    assert files.read_json(data / "in.stats.json")["counts"] == counts


def test_no_input_is_beyond_its_budget(data: Path) -> None:
    give(data, budget=9)
    lines = [json.loads(line) for line in (data / "in.jsonl").read_text().splitlines()]
    assert all(0 < line["tokens"] <= 9 for line in lines)


def test_readers_input_is_the_same_for_small_chunks(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(data)
    monkeypatch.setattr("pipeline.stages.chunks.QUESTIONS_PER_CHUNK", 1)
    give(data, "again.jsonl")
    assert (data / "in.jsonl").read_bytes() == (data / "again.jsonl").read_bytes()


def test_a_run_over_other_blocks_gives_no_input(data: Path) -> None:
    files.write_lines(data / "run.trec", ["ottqa-1 Q0 Quays_0-0 1 1 x"])
    before = contents(data)
    with pytest.raises(InputError, match="block 'Quays_0-0' is not in"):
        give(data)
    assert contents(data) == before


# ---------------------------------------------------------------- two steps, fusion


def test_the_second_step_searches_with_the_words_of_the_first_hits(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for: list[str] = []

    class Noting(FakeSearcher):
        def search(self, text: str, *more: Any) -> Any:
            asked_for.append(text)
            return super().search(text, *more)

    rows = [made for made, _ in BLOCKS]
    index = use_fake_index(monkeypatch, retrieve_twice, rows)
    monkeypatch.setattr(retrieve_twice, "open_searcher", lambda *arguments: Noting(rows))
    steps = retrieve_twice.TwoSteps(first=1, words=6)
    counts = retrieve_twice.run_retrieve_twice(
        data / "q.parquet", index, None, steps, data / "two.trec", config(), compute()
    )
    assert counts["queries"] == counts["second_queries"] == 3
    assert asked_for[:2] == ["opened Lund ?", "opened Lund ? Ports of the north Ports of"]
    assert (data / "two.trec").read_text().startswith("ottqa-1 Q0 Ports_0-")
    assert (data / "two.stats.json").exists()


def test_the_two_steps_refuse_the_ranker_without_boosts(data: Path) -> None:
    steps = retrieve_twice.TwoSteps(first=1, words=6)
    with pytest.raises(InputError, match=r"retrieve\.ranker: 'bm25'; .* expected 'fielded'"):
        retrieve_twice.run_retrieve_twice(
            data / "q.parquet", data / "index", None, steps, data / "two.trec",
            config("retrieve.ranker=bm25"), compute(),
        )  # fmt: skip


def test_runs_are_fused_question_by_question(data: Path) -> None:
    files.write_lines(data / "other.trec", ["ottqa-1 Q0 Ports_0-0 1 5 x"])
    counts = fuse.run_fuse([data / "run.trec", data / "other.trec"], data / "f.trec", 10, 60)
    assert counts == {"questions": 3, "not_in_all": 2, "lines": 4}
    assert (data / "f.trec").read_text().splitlines()[0].startswith("ottqa-1 Q0 Ports_0-0 1 ")
    told = json.loads((data / "f.stats.json").read_text(encoding="utf-8"))
    assert told["counts"] == counts
    fuse.run_fuse([data / "run.trec", data / "other.trec"], data / "f.trec", 10, 61)
    again = json.loads((data / "f.stats.json").read_text(encoding="utf-8"))
    assert again["fingerprint"] != told["fingerprint"]


def test_one_run_is_not_fused(data: Path) -> None:
    with pytest.raises(InputError, match="two runs or more"):
        fuse.run_fuse([data / "run.trec"], data / "f.trec", 10, 60)
