"""Small indexes, built once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.config import load_config
from pipeline.lucene import indexing, jvm
from pipeline.lucene.searching import Searcher
from pipeline.records import Passage
from tests.fakes import passage

# The published settings, whose index has every field.
INDEX = load_config(Path(__file__).parents[2] / "configs" / "profiles" / "paper.yaml").index

PASSAGES = [
    passage("1-0", "The Lune is a river of 85 km.", "It flows north.", title="Lune"),
    passage("1-1", "Its source is a spring near Orvik.", title="Lune"),
    passage("2-0", "Orvik is a town on the Lune.", "Its lighthouse is old.", title="Orvik"),
    passage("10-0", "Salt and tin were traded here.", title="iPhone 6", section="History > Trade"),
    passage("10-2", "Salt and tin were traded here.", title="iPhone 6"),
    passage("10-10", "Salt and tin were traded here.", title="iPhone 6"),
    passage("9-1", "Salt and tin were traded here.", title="Zürich"),
    passage("3-0", "Smiles 😀 and the rune 𐌰 and a \0 and “quotes”.", title="Signs 𐌰"),
    passage("4-0", "東京は首都です。", title="東京"),
]


@pytest.fixture(scope="session", autouse=True)
def _jvm() -> None:
    jvm.start("256m")


@pytest.fixture(scope="session")
def lucene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Lucene index of ``PASSAGES``."""
    folder = tmp_path_factory.mktemp("lucene") / "lucene"
    indexing.write_shard(PASSAGES, folder, INDEX.fields)
    return folder


@pytest.fixture(scope="session")
def searcher(lucene: Path) -> Iterator[Searcher]:
    with Searcher(lucene, INDEX.fields, INDEX.bm25) as opened:
        yield opened


def build(folder: Path, passages: list[Passage]) -> Searcher:
    """An index of these passages, opened."""
    indexing.write_shard(passages, folder, INDEX.fields)
    return Searcher(folder, INDEX.fields, INDEX.bm25)
