"""The whole chain from two dumps to a dataset, in one process and on several: the same bytes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline import cluster, files
from pipeline.config import Compute
from pipeline.errors import InputError
from pipeline.lucene.manifest import open_searcher
from pipeline.matching.thresholds import best_passages
from pipeline.records import Silver
from pipeline.stages import chunks, datasets
from pipeline.stages.candidates import run_candidates
from pipeline.stages.datasets import run_datasets
from pipeline.stages.extract import run_extract
from pipeline.stages.index import run_index
from pipeline.stages.match import run_match
from pipeline.stages.questions import run_questions
from pipeline.stages.report import ReportInputs, run_report
from pipeline.stages.retrieve import run_retrieve
from pipeline.stages.score import run_score
from pipeline.stages.segment import run_segment
from tests import fakes
from tests.fakes import compute, config, contents

PAGE = """  <page>
    <title>{title}</title><ns>0</ns><id>{number}</id>{redirect}
    <revision><id>{number}0</id><model>wikitext</model><format>text/x-wiki</format>
      <text xml:space="preserve">{text}</text></revision>
  </page>
"""
RIVERS = ["Lune", "Orva", "Tessin", "Brenn", "Quill", "Sarn"]


def page(number: int, title: str, text: str, target: str | None = None) -> str:
    redirect = f'<redirect title="{target}" />' if target else ""
    return PAGE.format(number=number, title=title, text=text, redirect=redirect)


def river(number: int, name: str) -> str:
    text = (
        f"'''{name}''' is a river of {80 + number} km. It rises near the hill of {name}ford.\n\n"
        f"The water of the {name} drives {number + 2} mills. Salt was shipped on it until "
        f"{1850 + number}.\n\n== History ==\nIn {1700 + number} the town of {name}bridge was "
        f"founded on its banks by settlers."
    )
    return page(number, f"{name} (river)", text)


def write_dumps(folder: Path) -> list[Path]:
    """Two dumps, so two parts; the second ends in a redirect."""
    pages = [river(number, name) for number, name in enumerate(RIVERS, start=1)]
    pages.append(page(99, "Lune River", "#REDIRECT [[Lune (river)]]", "Lune (river)"))
    paths = []
    for number, chosen in enumerate((pages[:3], pages[3:])):
        paths.append(folder / f"dump-{number}.xml")
        paths[-1].write_text(
            '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" '
            'xml:lang="en">\n' + "".join(chosen) + "</mediawiki>\n",
            encoding="utf-8",
        )
    return paths


def write_corpus(path: Path) -> Path:
    lines = []
    for number, name in enumerate(RIVERS, start=1):
        answers = [
            f"The water of the {name} drives {number + 2} mills .",
            f"Zebras graze near {name}.",
        ]
        title = "Lune River" if name == "Lune" else f"{name} (river)"
        lines.append(
            f'{{"id": "{number}", "question": "What does the water of the {name} drive?", '
            f'"title": "{title}", "answer_sentences": ["{answers[number % 4 == 3]}"]}}\n'
        )
    lines.append('{"id": "7", "question": "Why?", "answer_sentences": []}\n')
    path.write_text("".join(lines))
    return path


def run_chain(folder: Path, dumps: list[Path], corpus: Path, settings: Compute) -> None:
    """Every stage from the dump to the report, as dvc.yaml has them."""
    chosen = config(
        "corpora={own: {format: jsonl, input: own.jsonl}}", "segment.min_characters=10",
        "extract.page_template_megabytes=1000",
    )  # fmt: skip
    at = {
        name: folder / name / f"own.{'trec' if name == 'runs' else 'parquet'}"
        for name in ("questions", "candidates", "scores", "silver", "runs")
    }
    index = folder / "index"
    run_extract(dumps, folder / "articles", chosen, settings)
    run_segment(folder / "articles", folder / "passages", chosen, settings)
    run_index(folder / "passages", index, chosen, settings)
    run_questions("own", "jsonl", [("dev", corpus)], at["questions"], chosen, settings)
    run_candidates(at["questions"], index, at["candidates"], chosen, settings)
    redirects = folder / "articles" / "redirects"
    run_score(at["questions"], at["candidates"], index, redirects, at["scores"], chosen, settings)
    run_match(at["questions"], at["scores"], at["silver"], chosen, settings)
    run_retrieve(at["questions"], index, at["runs"], chosen, settings, field="question")
    out = folder / "datasets" / "own"
    run_datasets(at["questions"], at["silver"], at["runs"], index, out, chosen, settings)
    inputs = ReportInputs(
        articles=folder / "articles", passages=folder / "passages", index=index, datasets=out,
        **{name: path.parent for name, path in at.items()},
    )  # fmt: skip
    run_report(inputs, None, None, folder / "reports", chosen, settings)


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a running Dask scheduler with two worker processes."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
    ) as running:
        yield running.scheduler_address


def test_an_error_in_another_process_is_raised_here_as_it_was(scheduler: str) -> None:
    with pytest.raises(InputError) as caught:
        cluster.run_tasks(fakes.refused_at_3, range(5), compute(scheduler=scheduler), "x")
    assert str(caught.value) == "task 3: found a hole; expected none"


def test_one_and_two_workers_give_the_same_bytes_and_the_same_hits(
    tmp_path: Path, scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "QUESTIONS_PER_CHUNK", 3)
    monkeypatch.setattr(datasets, "PASSAGES_PER_TASK", 7)
    dumps, corpus = write_dumps(tmp_path), write_corpus(tmp_path / "own.jsonl")
    one, two = tmp_path / "one", tmp_path / "two"
    run_chain(one, dumps, corpus, compute(workers=1))
    run_chain(two, dumps, corpus, compute(workers=2, scheduler=scheduler))
    first, second = (
        {name: data for name, data in contents(folder).items() if "index/lucene/" not in name}
        for folder in (one, two)
    )
    assert first.keys() == second.keys()
    different = [name for name in first if first[name] != second[name]]
    assert different == []
    assert {"articles/part-00001.parquet", "passages/part-00001.parquet", "runs/own.trec",
            "datasets/own/corpus.jsonl", "reports/report.html"} <= first.keys()  # fmt: skip
    assert not [name for name in first if Path(name).name.startswith(".")]
    assert b"tmp" not in first["index/_stats.json"] + first["questions/own.stats.json"]
    with (
        open_searcher(one / "index" / "", config().index, "256m") as whole,
        open_searcher(two / "index" / "", config().index, "256m") as merged,
    ):
        assert list(whole.passages()) == list(merged.passages())
        for name in RIVERS:
            asked = (f"the water of the {name} drives mills", config().candidates.boosts, 5)
            assert whole.search(*asked) == merged.search(*asked) != []


def test_the_chain_maps_what_the_dump_holds_and_nothing_else(tmp_path: Path) -> None:
    dumps, corpus = write_dumps(tmp_path), write_corpus(tmp_path / "own.jsonl")
    run_chain(tmp_path / "data", dumps, corpus, compute())
    silver = files.read_records(tmp_path / "data" / "silver" / "own.parquet", Silver)
    found = {question: row.passage_id for question, row in best_passages(silver).items()}
    assert found == {f"own-{n}": f"{n}-1" for n in (1, 2, 4, 5, 6)}
    made = contents(tmp_path / "data")
    run_chain(tmp_path / "data", dumps, corpus, compute())
    assert contents(tmp_path / "data") == made
