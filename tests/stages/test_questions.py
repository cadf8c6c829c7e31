"""The questions stage: a corpus becomes one sorted file, and nothing vanishes uncounted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline import files
from pipeline.config import Compute, Config, load_compute, load_config
from pipeline.errors import InputError
from pipeline.records import Question
from pipeline.stages.questions import run_questions
from tests.corpora.support import asked, selqa_row, squad, wikiqa, write, write_json

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., dict]


@pytest.fixture(scope="module")
def config() -> Config:
    return load_config(ROOT / "configs/profiles/sample.yaml")


@pytest.fixture(scope="module")
def compute() -> Compute:
    return load_compute(ROOT / "configs/compute.yaml", quiet=True)


@pytest.fixture
def run(tmp_path: Path, config: Config, compute: Compute) -> Run:
    """Run the stage on paths, each with an optional split, and give its counts."""

    def run(format_name: str, *inputs: Path | tuple[str, Path], corpus: str = "own") -> dict:
        named = [item if isinstance(item, tuple) else (None, item) for item in inputs]
        return run_questions(
            corpus, format_name, named, tmp_path / "out" / "own.parquet", config, compute
        )

    return run


def rows(tmp_path: Path) -> list[Question]:
    return list(files.read_records(tmp_path / "out" / "own.parquet", Question))


def rejected(tmp_path: Path) -> list[dict]:
    text = (tmp_path / "out" / "own.rejected.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def lines(*own_ids: str, **more: object) -> str:
    return "".join(
        json.dumps({"id": own_id, "question": "Who?", "answer_sentences": ["Ann."], **more}) + "\n"
        for own_id in own_ids
    )


def test_questions_are_written_sorted_by_id_with_manifest_and_rejected(
    tmp_path: Path, run: Run
) -> None:
    path = write(tmp_path / "dev.jsonl", lines("b", "a10", "a2") + lines("z", question=""))
    counts = run("jsonl", path)
    assert [row.question_id for row in rows(tmp_path)] == ["own-a10", "own-a2", "own-b"]
    assert counts["read"] == 4
    assert counts["questions"] == counts["answerable"] == 3
    assert counts["rejected"] == {"no question text": 1}
    assert counts["splits"] == {"dev": {"answerable": 3, "questions": 3}}
    (row,) = rejected(tmp_path)
    assert row["where"] == "dev.jsonl, line 4"
    stats = json.loads((tmp_path / "out" / "own.stats.json").read_text())
    assert stats["counts"] == counts
    assert str(tmp_path) not in json.dumps(stats)


def test_a_folder_is_read_file_by_file_and_each_name_tells_its_split(
    tmp_path: Path, run: Run
) -> None:
    for name in ("validation", "train", "test"):
        write(tmp_path / "raw" / f"{name}.jsonl", lines(name))
    write(tmp_path / "raw" / "more.jsonl", lines("test"))
    run("jsonl", tmp_path / "raw")
    assert {row.question_id: row.split for row in rows(tmp_path)} == {
        "own-validation": "dev",
        "own-train": "train",
        "own-test": "test",
    }
    stats = json.loads((tmp_path / "out" / "own.stats.json").read_text())
    assert stats["files_passed_over"] == ["more.jsonl"]


def test_a_split_that_the_user_names_wins_over_the_file_name(tmp_path: Path, run: Run) -> None:
    path = write(tmp_path / "train.jsonl", lines("a"))
    run("jsonl", ("held-out", path))
    assert [row.split for row in rows(tmp_path)] == ["held-out"]


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path, run: Run) -> None:
    path = write(tmp_path / "raw" / "dev.jsonl", lines("a"))
    assert run("jsonl", path, tmp_path / "raw")["read"] == 1


def test_of_a_repeated_id_the_first_question_is_kept_and_the_rest_counted(
    tmp_path: Path, run: Run
) -> None:
    first = write(tmp_path / "train.jsonl", lines("a", question="First?") + lines("a"))
    second = write(tmp_path / "dev.jsonl", lines("a"))
    counts = run("jsonl", first, second)
    assert [row.question for row in rows(tmp_path)] == ["First?"]
    assert counts["rejected"] == {"duplicate question id": 2}
    assert counts["read"] == 3
    assert [row["where"] for row in rejected(tmp_path)] == ["train.jsonl", "dev.jsonl"]


def test_selqa_counts_its_positions_on_over_the_files_of_one_split(
    tmp_path: Path, run: Run
) -> None:
    bad = selqa_row("Lost?", ["A."], [3])
    for name in ("dev-1", "dev-2", "test-1"):
        write_json(tmp_path / "raw" / f"{name}.json", [bad, selqa_row(f"{name}?", ["A."], [0])])
    run("selqa-ass-json", tmp_path / "raw", corpus="selqa")
    assert {row.question: row.question_id for row in rows(tmp_path)} == {
        "dev-1?": "selqa-dev-1",
        "dev-2?": "selqa-dev-3",
        "test-1?": "selqa-test-1",
    }


def test_repairs_and_dropped_lines_are_counted(tmp_path: Path, run: Run) -> None:
    good = ("Q1", "who", "D1", "CafÃ©", "D1-0", "Ann did .", "1")
    path = write(tmp_path / "dev.tsv", wikiqa(good, ("Q1", "who"), good))
    counts = run("wikiqa-tsv", path)
    assert counts["repaired"] == {"mojibake": 1}
    assert counts["rejected"] == {}
    assert counts["rejected_parts"] == {
        "duplicate sentence id": 1,
        "line without seven columns": 1,
    }
    assert rows(tmp_path)[0].title == "Café"


@pytest.mark.parametrize("splitter", ["rules", "sentencex", "punkt"])
def test_squad_is_cut_by_the_configured_splitter(
    tmp_path: Path, config: Config, compute: Compute, splitter: str
) -> None:
    context = "The bridge is old. It was built in 1724. It closed in 1990."
    path = write_json(tmp_path / "dev.json", squad((context, [asked("a1", ("1724", 35))])))
    settings = config.model_copy(
        update={"segment": config.segment.model_copy(update={"splitter": splitter})}
    )
    out = tmp_path / "out" / "own.parquet"
    run_questions("squad", "squad-json", [(None, path)], out, settings, compute)
    assert [row.answer_sentences for row in rows(tmp_path)] == [("It was built in 1724.",)]


def test_the_same_corpus_gives_the_same_bytes_wherever_it_lies(tmp_path: Path, run: Run) -> None:
    written = []
    for folder in ("one", "other"):
        path = write(tmp_path / folder / "dev.jsonl", lines("b", "a") + lines("b"))
        run("jsonl", path)
        out = sorted((tmp_path / "out").iterdir())
        written.append([(entry.name, entry.read_bytes()) for entry in out])
    assert written[0] == written[1]
    assert [name for name, _ in written[0]] == [
        "own.parquet",
        "own.rejected.jsonl",
        "own.stats.json",
    ]


def test_another_splitter_changes_the_fingerprint_of_squad_only(
    tmp_path: Path, config: Config, compute: Compute
) -> None:
    other = config.model_copy(
        update={"segment": config.segment.model_copy(update={"language": "de"})}
    )
    plain = write(tmp_path / "dev.jsonl", lines("a"))
    context = write_json(tmp_path / "dev.json", squad(("It is.", [asked("a1", ("It", 0))])))

    def fingerprint(format_name: str, path: Path, settings: Config) -> str:
        out = tmp_path / "out" / "own.parquet"
        run_questions("own", format_name, [(None, path)], out, settings, compute)
        return json.loads(files.sidecar(out, "stats.json").read_text())["fingerprint"]

    assert fingerprint("jsonl", plain, config) == fingerprint("jsonl", plain, other)
    assert fingerprint("squad-json", context, config) != fingerprint("squad-json", context, other)


@pytest.mark.parametrize(
    ("format_name", "content", "message"),
    [
        ("jsonl", lines("a", question=""), r"no usable question among 1 .*no question text"),
        ("selqa-ass-json", "[]", "no question; expected selqa-ass-json"),
        ("squad-json", '{"data": []}', "no question; expected squad-json"),
        ("wikiqa-tsv", wikiqa(), "no question; expected wikiqa-tsv"),
        ("jsonl", "", "empty; expected a corpus"),
        ("jsonl", "<!DOCTYPE html><title>404</title>", "a web page"),
    ],
)
def test_a_corpus_without_a_question_is_an_error_and_leaves_no_output(
    tmp_path: Path, run: Run, format_name: str, content: str, message: str
) -> None:
    path = write(tmp_path / "dev.xyz", content)
    with pytest.raises(InputError, match=message):
        run(format_name, path)
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").iterdir())


def test_bad_names_of_corpus_split_and_format_are_errors(tmp_path: Path, run: Run) -> None:
    path = write(tmp_path / "dev.jsonl", lines("a"))
    with pytest.raises(InputError, match="--corpus: 'a b' is no corpus name"):
        run("jsonl", path, corpus="a b")
    with pytest.raises(InputError, match=r"'a\.b' is no name of a split"):
        run("jsonl", ("a.b", path))
    with pytest.raises(InputError, match="format 'tsv' is unknown"):
        run("tsv", path)
    with pytest.raises(InputError, match="names no file"):
        run("jsonl")


@pytest.mark.real
@pytest.mark.parametrize(
    ("format_name", "name", "questions", "answerable"),
    [
        ("selqa-ass-json", "selqa-ass-dev.json", 785, 785),
        ("selqa-ass-tsv", "selqa-ass-dev.tsv", 785, 785),
        ("squad-json", "xquad-en-v1.1.json", 1190, 1190),
        ("squad-json", "squad-v2.0-dev-half.json", 6078, 2910),
    ],
)
def test_real_corpora_are_read_whole(
    real_data: Path, run: Run, format_name: str, name: str, questions: int, answerable: int
) -> None:
    counts = run(format_name, real_data / "qa" / name)
    assert (counts["read"], counts["questions"]) == (questions, questions)
    assert counts["answerable"] == answerable
    assert counts["rejected"] == counts["rejected_parts"] == counts["repaired"] == {}
