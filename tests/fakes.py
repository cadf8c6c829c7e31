"""Small collections, and a fake searcher for the tests in which Lucene is not the point."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import pytest

from pipeline import files
from pipeline.config import Compute, Config, load_compute, load_config
from pipeline.errors import InputError
from pipeline.files import text_sha1
from pipeline.lucene.searching import Hit
from pipeline.matching.idf import Idf
from pipeline.matching.titles import title_key
from pipeline.matching.tokens import tokenize
from pipeline.records import Passage, Question

ROOT = Path(__file__).resolve().parents[1]
PARAMS = ROOT / "configs" / "profiles" / "sample.yaml"


def config(*overrides: str) -> Config:
    """The sample's configuration with the published scorer, without gold, some keys overridden."""
    published = ["match.scorer=cosine", "match.threshold=0.4", "report.gold=null"]
    return load_config(PARAMS, [*published, *overrides])


def compute(**options: Any) -> Compute:
    """One worker and no progress, unless said otherwise."""
    defaults = {"workers": 1, "quiet": True, "java_heap": "256m"}
    return load_compute(ROOT / "configs" / "compute.yaml", **(defaults | options))


def passage(passage_id: str, *sentences: str, title: str = "Lune", section: str = "") -> Passage:
    """A passage of these sentences, joined by spaces."""
    text = " ".join(sentences)
    starts, ends, at = [], [], 0
    for sentence in sentences:
        starts.append(at)
        ends.append(at + len(sentence))
        at += len(sentence) + 1
    page_id = int(passage_id.partition("-")[0])
    return Passage(
        passage_id=passage_id,
        page_id=page_id,
        revision_id=page_id * 10,
        title=title,
        section=section,
        text=text,
        text_sha1=text_sha1(text),
        sentence_starts=tuple(starts),
        sentence_ends=tuple(ends),
    )


def question(question_id: str, *answer_sentences: str, **more: Any) -> Question:
    """A question of the corpus and split that its id names: ``own-dev-1``, or of ``own``, dev."""
    values: dict[str, Any] = {"corpus": "own", "split": "dev", "question": "Where is it?"}
    return Question(question_id=question_id, answer_sentences=answer_sentences, **(values | more))


def score(question_id: str, passage_id: str | None, cosine: float = 0.0, **more: object) -> dict:
    """A score row; all three cosines are the same, so the similarity is, too."""
    found = passage_id is not None
    row = {
        "question_id": question_id,
        "answer_index": 0,
        "passage_id": passage_id,
        "rank": 1 if found else None,
        "retrieval_score": 9.0 if found else None,
        "sentence_index": 0 if found else None,
        "sentence_count": 1 if found else None,
        "cosine_1": cosine if found else None,
        "cosine_2": cosine if found else None,
        "cosine_3": cosine if found else None,
        "answer_tokens": 10,
        "sentence_tokens": 10 if found else None,
        "title_match": True if found else None,
        "article_present": True,
    }
    return row | more


def write_passages(folder: Path, *parts: Iterable[Passage]) -> Path:
    """A folder of passages, one file for each argument."""
    for number, rows in enumerate(parts):
        files.write_records(folder / f"{files.part_name(number)}.parquet", Passage, rows)
    return folder


def write_questions(path: Path, *rows: Question) -> Path:
    """A file of questions."""
    files.write_records(path, Question, rows)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of every file below a folder, by relative path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


class FakeSearcher:
    """Behind the interface of ``Searcher``: scores a passage by the share of the words it has."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._passages = {row.passage_id: row for row in passages}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    @property
    def passage_count(self) -> int:
        return len(self._passages)

    def search(self, text: str, boosts: Mapping[str, float], depth: int) -> list[Hit]:
        asked = set(tokenize(text))
        scored = [
            Hit(row.passage_id, len(asked & set(tokenize(row.text))) / len(asked))
            for row in (self._passages.values() if asked else ())
        ]
        found = [hit for hit in scored if hit.score > 0]
        return sorted(found, key=lambda hit: (-hit.score, hit.passage_id))[:depth]

    def passage(self, passage_id: str) -> Passage | None:
        return self._passages.get(passage_id)

    def passages_by_id(self, passage_ids: Iterable[str]) -> dict[str, Passage]:
        wanted = set(passage_ids)
        return {key: row for key, row in self._passages.items() if key in wanted}

    def missing(self, passage_ids: Iterable[str]) -> set[str]:
        return set(passage_ids) - set(self._passages)

    def passages(self, start: int = 0, stop: int | None = None) -> Iterator[Passage]:
        return iter(list(self._passages.values())[start:stop])

    def holds_article(self, title: str) -> bool:
        return any(title_key(row.title) == title_key(title) for row in self._passages.values())


def idf_of(passages: Iterable[Passage]) -> Idf:
    """The document frequencies of these passages."""
    rows = list(passages)
    return Idf(len(rows), Counter(token for row in rows for token in set(tokenize(row.text))))


def use_fake_index(
    monkeypatch: pytest.MonkeyPatch, stage: object, passages: Iterable[Passage]
) -> Path:
    """Let a stage's module find these passages in whatever index it opens."""
    searcher = FakeSearcher(passages)
    manifest = {"fingerprint": "fake", "counts": {"passages": searcher.passage_count}}
    monkeypatch.setattr(stage, "check_index", lambda folder, index: manifest)
    monkeypatch.setattr(stage, "read_idf", lambda folder: idf_of(passages), raising=False)
    monkeypatch.setattr(stage, "open_searcher", lambda *arguments: searcher)
    return Path("index")


def refused_at_3(number: int) -> int:
    """A task that meets wrong input."""
    if number == 3:
        raise InputError("task 3: found a hole; expected none")
    return number


def deadly(number: int) -> int:
    """A task that kills the process it runs in."""
    if number == 1:
        os._exit(9)
    return number


def died_once(path: Path) -> str:
    """A task whose first worker is killed."""
    if not path.exists():
        path.touch()
        os._exit(9)
    return path.name
