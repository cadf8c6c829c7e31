"""The retrieve stage: one TREC run for the questions of a corpus."""

from pathlib import Path

import pytest

from pipeline import files
from pipeline.config import BM25
from pipeline.datasets.trec import parse_run
from pipeline.errors import ConfigError
from pipeline.stages import retrieve as stage
from tests.fakes import (
    FakeSearcher,
    compute,
    config,
    passage,
    question,
    use_fake_index,
    write_questions,
)

PASSAGES = [passage(f"{n}-0", "Salt was traded here.") for n in (1, 10, 9)]
QUESTIONS = (
    question("own-1", "Salt.", question="Where was salt traded?"),
    question("own-2", question="?"),
    question("own-3", "Traded salt", "here, nowhere.", question="What of zebras?"),
)


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_fake_index(monkeypatch, stage, PASSAGES)


def run(tmp_path: Path, index: Path, *overrides: str, field: str = "question") -> list[str]:
    asked = write_questions(tmp_path / "q.parquet", *QUESTIONS)
    out = tmp_path / "own.trec"
    stage.run_retrieve(asked, index, out, config(*overrides), compute(), field=field)
    return out.read_text().splitlines()


def test_a_run_has_a_line_a_hit_with_ties_by_passage_id(tmp_path: Path, index: Path) -> None:
    lines = [line.split() for line in run(tmp_path, index)]
    assert [(line[0], line[2], line[3]) for line in lines] == [
        ("own-1", "1-0", "1"), ("own-1", "10-0", "2"), ("own-1", "9-0", "3"),
    ]  # fmt: skip
    assert all(line[1] == "Q0" and line[5] == "silver" for line in lines)
    assert float(lines[0][4]) > float(lines[1][4]) > float(lines[2][4])


def test_the_depth_cuts_the_run(tmp_path: Path, index: Path) -> None:
    assert len(run(tmp_path, index, "retrieve.depth=2", "report.ks=[1, 2]")) == 2


def test_answer_sentences_may_be_searched_instead(tmp_path: Path, index: Path) -> None:
    found = parse_run(run(tmp_path, index, field="answer_sentences"), "run")
    assert sorted(found) == ["own-1", "own-3"]


@pytest.mark.parametrize(
    ("ranker", "field", "searched"),
    [
        ("fielded", "question", ["salt traded?", "?", "zebras?"]),
        ("bm25", "question", ["Where was salt traded?", "?", "What of zebras?"]),
        ("fielded", "answer_sentences", ["Salt.", "", "Traded salt here, nowhere."]),
    ],
)
def test_only_questions_to_the_fields_are_searched_without_words_of_asking(
    ranker: str, field: str, searched: list[str],
    tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    asked: list[str] = []

    class Watched(FakeSearcher):
        def search(self, text, boosts, depth):
            asked.append(text)
            return super().search(text, boosts, depth)

    monkeypatch.setattr(stage, "open_searcher", lambda *_: Watched(PASSAGES))
    words = "retrieve.stop_words=[where, was, what, of]"
    run(tmp_path, index, words, f"retrieve.ranker={ranker}", field=field)
    assert asked == searched


def test_the_baseline_searches_contents_alone_with_its_own_parameters(
    tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list = []

    class Watched(FakeSearcher):
        def search(self, text, boosts, depth):
            asked.append(boosts)
            return super().search(text, boosts, depth)

    def opened(folder, settings, heap, bm25=None):
        asked.append(bm25)
        return Watched(PASSAGES)

    monkeypatch.setattr(stage, "open_searcher", opened)
    run(tmp_path, index, "retrieve.ranker=bm25", "index.bm25={k1: 2, b: 1}")
    assert asked == [BM25(k1=0.9, b=0.4)] + [{"contents": 1.0}] * 3
    asked.clear()
    run(tmp_path, index)
    assert asked == [None] + [config().retrieve.boosts] * 3


def test_questions_without_hits_are_counted(tmp_path: Path, index: Path) -> None:
    run(tmp_path, index)
    stats = (tmp_path / "own.stats.json").read_text()
    assert '"queries": 3' in stats
    assert '"without_hits": 2' in stats
    assert '"lines": 3' in stats
    assert str(tmp_path) not in stats


def test_boosts_that_name_no_field_are_refused(tmp_path: Path, index: Path) -> None:
    with pytest.raises(ConfigError, match=r"retrieve\.boosts: no field 'titel'"):
        run(tmp_path, index, "retrieve.boosts={titel: 1}")
    assert not (tmp_path / "own.trec").exists()
    assert not files.sidecar(tmp_path / "own.trec", "stats.json").exists()
