"""The same input gives the same bytes, however this process happens to order its sets."""

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline import files
from pipeline.datasets.trec import run_lines
from pipeline.records import Score, arrow_schema
from pipeline.stages import datasets
from pipeline.stages.match import run_match
from pipeline.stages.questions import run_questions
from tests.fakes import ROOT, compute, config, contents, passage, score, use_fake_index

NAMES = [f"{n}{letter}" for n in range(4) for letter in "abc"]


def make(folder: Path) -> None:
    """Questions, silver standard and dataset of a small corpus, below a folder."""
    source = folder / "own.jsonl"
    files.write_json_lines(
        source,
        ({"id": name, "question": f"Where is {name}?", "split": name[1], "answers": [name, "x"],
          "answer_sentences": [f"{name} lies here .", "It is\u00a0old."],
          "attributes": {"topic": name, "kind": "b", "age": 7}}
         for name in NAMES),
    )  # fmt: skip
    asked = folder / "questions" / "own.parquet"
    run_questions("own", "jsonl", [(None, source)], asked, config(), compute())
    passages = [passage(f"{n}-0", f"Passage {n}.") for n in range(1, 9)]
    rows = [
        score(f"own-{name}", row.passage_id, 0.3 + 0.1 * (rank % 3), rank=rank, answer_index=answer)
        for name in NAMES
        for answer in (0, 1)
        for rank, row in enumerate(passages[:5], start=1)
    ]
    scores, silver, run = folder / "scores.parquet", folder / "silver.parquet", folder / "run.trec"
    pq.write_table(pa.Table.from_pylist(rows, schema=arrow_schema(Score)), scores)
    run_match(asked, scores, silver, config(), compute())
    files.write_lines(
        run,
        (line for name in NAMES
         for line in run_lines(f"own-{name}", [(f"{n}-0", 9.0 - n) for n in (6, 7, 8)])),
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        index = use_fake_index(patch, datasets, passages)
        for collection in ("pooled", "full"):
            settings = config(f"datasets.collection={collection}")
            out = folder / collection
            datasets.run_datasets(asked, silver, run, index, out, settings, compute())


def test_the_order_of_sets_does_not_show_in_any_output(tmp_path: Path) -> None:
    program = "import sys, pathlib, tests.test_same_bytes as t; t.make(pathlib.Path(sys.argv[1]))"
    made = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        subprocess.run(
            [sys.executable, "-c", program, folder],
            cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed}, check=True,
        )  # fmt: skip
        made.append(contents(folder))
    assert made[0].keys() == made[1].keys()
    assert {name for name in made[0] if made[0][name] != made[1][name]} == set()
    assert {"pooled/corpus.jsonl", "questions/own.parquet", "silver.parquet"} <= made[0].keys()
