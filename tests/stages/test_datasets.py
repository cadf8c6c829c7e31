"""The datasets stage: BEIR and TREC files that belong together."""

import json
from pathlib import Path

import pytest

from pipeline import files
from pipeline.datasets.trec import parse_qrels, run_lines
from pipeline.errors import InputError
from pipeline.records import Silver
from pipeline.stages import datasets as stage
from tests.fakes import (
    compute,
    config,
    contents,
    passage,
    question,
    use_fake_index,
    write_questions,
)

PASSAGES = [passage(f"1-{n}", f"Sentence {n}.", title="Ünïque") for n in range(4)]
QUESTIONS = (
    question("own-1", "A.", split="train"),
    question("own-2", "B."),
    question("own-3"),
)


def silver(question_id: str, passage_id: str | None, *, matched: bool) -> Silver:
    return Silver(
        question_id=question_id, answer_index=0, passage_id=passage_id, sentence_index=0,
        sentence_count=1, similarity=0.5, cosine_similarity=0.5, rank=1, matched=matched, loss=None,
    )  # fmt: skip


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Questions, silver standard, run and index."""
    rows = [
        silver("own-1", "1-3", matched=True),
        silver("own-1", "1-0", matched=True),
        silver("own-2", "1-1", matched=False),
        silver("own-2", None, matched=False),
    ]
    files.write_records(tmp_path / "silver.parquet", Silver, rows)
    files.write_lines(tmp_path / "run.trec", run_lines("own-2", [("1-2", 2.0), ("1-0", 1.0)]))
    asked = write_questions(tmp_path / "q.parquet", *QUESTIONS)
    index = use_fake_index(monkeypatch, stage, PASSAGES)
    return [asked, tmp_path / "silver.parquet", tmp_path / "run.trec", index]


def run(tmp_path: Path, inputs: list[Path], *overrides: str) -> dict[str, str]:
    out = tmp_path / "out" / "own"
    stage.run_datasets(*inputs, out, config(*overrides), compute())
    return {name: data.decode() for name, data in contents(out).items()}


def test_a_dataset_holds_these_files_and_no_others(tmp_path: Path, inputs: list[Path]) -> None:
    assert sorted(run(tmp_path, inputs)) == [
        "README.md", "_stats.json", "corpus.jsonl", "qrels/dev.tsv", "qrels/train.tsv",
        "queries.jsonl", "trec/qrels.txt", "trec/run.trec", "trec/topics.tsv",
    ]  # fmt: skip


def test_qrels_hold_every_matched_passage_and_nothing_else(
    tmp_path: Path, inputs: list[Path]
) -> None:
    made = run(tmp_path, inputs)
    expected = {"own-1": {"1-0": 1, "1-3": 1}}
    assert parse_qrels(made["trec/qrels.txt"].splitlines(), "qrels") == expected
    header = "query-id\tcorpus-id\tscore\n"
    assert made["qrels/train.tsv"] == f"{header}own-1\t1-0\t1\nown-1\t1-3\t1\n"
    assert made["qrels/dev.tsv"] == header


def test_corpus_and_queries_are_whole_and_every_name_is_in_them(
    tmp_path: Path, inputs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "PASSAGES_PER_TASK", 3)
    made = run(tmp_path, inputs)
    corpus = [json.loads(line) for line in made["corpus.jsonl"].splitlines()]
    assert [row["_id"] for row in corpus] == [row.passage_id for row in PASSAGES]
    assert corpus[0] == {"_id": "1-0", "title": "Ünïque", "text": "Sentence 0."}
    queries = [json.loads(line)["_id"] for line in made["queries.jsonl"].splitlines()]
    assert queries == ["own-1", "own-2", "own-3"]
    assert made["trec/topics.tsv"].splitlines()[0] == "own-1\tWhere is it?"
    assert made["trec/run.trec"] == inputs[2].read_text()


@pytest.mark.parametrize(("scorer", "has"), [("cosine", True), ("learned", False)])
def test_the_card_states_weights_only_of_a_scorer_that_uses_them(
    tmp_path: Path, inputs: list[Path], scorer: str, has: bool
) -> None:
    card = run(tmp_path, inputs, f"match.scorer={scorer}")["README.md"]
    assert ("| weights of 1-, 2- and 3-grams |" in card) == has
    assert f"| scorer | {scorer} |\n| " in card


def test_a_pooled_collection_holds_what_qrels_or_run_name(
    tmp_path: Path, inputs: list[Path]
) -> None:
    made = run(tmp_path, inputs, "datasets.collection=pooled")
    ids = [json.loads(line)["_id"] for line in made["corpus.jsonl"].splitlines()]
    assert ids == ["1-0", "1-2", "1-3"]


def test_making_it_again_gives_the_same_bytes_and_leaves_nothing_of_the_old(
    tmp_path: Path, inputs: list[Path]
) -> None:
    first = run(tmp_path, inputs)
    assert run(tmp_path, inputs) == first
    write_questions(inputs[0], *[question(f"own-{n}", split="test") for n in (1, 2, 3)])
    assert "qrels/dev.tsv" not in run(tmp_path, inputs)


@pytest.mark.parametrize(
    "override", ["match.threshold=0.5", "segment.unit=words:100", "datasets.collection=pooled"]
)
def test_settings_that_the_card_states_are_in_the_fingerprint(
    tmp_path: Path, inputs: list[Path], override: str
) -> None:
    found = [json.loads(run(tmp_path, inputs, *more)["_stats.json"])["fingerprint"]
             for more in ((), (override,))]  # fmt: skip
    assert found[0] != found[1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda inputs: write_questions(inputs[0], QUESTIONS[1]), "no question 'own-1'"),
        (lambda inputs: write_questions(inputs[0]), "holds no question"),
        (lambda inputs: write_questions(inputs[0], question("own-1", split="../../x")), "split"),
        (lambda inputs: write_questions(inputs[0], question("own-1", split="")), "split ''"),
        (lambda inputs: inputs[2].write_text("own-1 Q0 1-0 1 0.5\n"), "line 1: 5 fields"),
        (lambda inputs: inputs[2].write_text("own-1 Q0 1-0 1 nan x\n"), "score 'nan'"),
        (lambda inputs: inputs[2].write_text("own-9 Q0 1-0 1 0.5 x\n"), "no question 'own-9'"),
        (
            lambda inputs: inputs[2].write_text("own-1 Q0 1-0 1 2 x\nown-1 Q0 1-0 2 1 x\n"),
            "question 'own-1' has a passage twice",
        ),
        (
            lambda inputs: inputs[2].write_text(
                "own-1 Q0 1-0 1 2 x\nown-2 Q0 1-0 1 2 x\nown-1 Q0 1-1 2 1 x\n"
            ),
            "question 'own-1' in several places",
        ),
        (
            lambda inputs: files.write_records(
                inputs[1], Silver, [silver("own-1", None, matched=True)]
            ),
            "question 'own-1' is matched to no passage",
        ),
        (lambda inputs: inputs[2].unlink(), "no such file"),
        (lambda inputs: inputs[1].unlink(), "no such file"),
    ],
)
def test_inputs_that_do_not_belong_together_are_refused_and_nothing_is_written(
    tmp_path: Path, inputs: list[Path], change, message: str
) -> None:
    change(inputs)
    with pytest.raises(InputError, match=message):
        run(tmp_path, inputs)
    assert not (tmp_path / "out" / "own").exists()
    assert not list(tmp_path.rglob(".aside*"))


@pytest.mark.parametrize("collection", ["full", "pooled"])
@pytest.mark.parametrize("named", ["7-7", "1 0", ""])
def test_a_passage_that_the_index_lacks_is_refused_in_qrels(
    tmp_path: Path, inputs: list[Path], collection: str, named: str
) -> None:
    files.write_records(inputs[1], Silver, [silver("own-1", named, matched=True)])
    with pytest.raises(InputError, match=f"holds no passage '{named}'"):
        run(tmp_path, inputs, f"datasets.collection={collection}")
    assert not (tmp_path / "out" / "own").exists()


@pytest.mark.parametrize("collection", ["full", "pooled"])
def test_a_passage_that_the_index_lacks_is_refused_in_a_run(
    tmp_path: Path, inputs: list[Path], collection: str
) -> None:
    inputs[2].write_text("own-1 Q0 7-7 1 0.5 x\n")
    with pytest.raises(InputError, match="passage '7-7'"):
        run(tmp_path, inputs, f"datasets.collection={collection}")


def test_a_folder_of_foreign_files_is_not_replaced(tmp_path: Path, inputs: list[Path]) -> None:
    mine = tmp_path / "out" / "own" / "thesis.tex"
    mine.parent.mkdir(parents=True)
    mine.write_text("years of work")
    with pytest.raises(InputError, match=r"thesis\.tex"):
        run(tmp_path, inputs)
    assert mine.read_text() == "years of work"
