"""What an index says of itself is checked before anything is searched in it."""

import json
from pathlib import Path

import pytest

from pipeline import files
from pipeline.errors import InputError, SettingsError
from pipeline.lucene.manifest import analysis_settings, check_index
from pipeline.records import SCHEMA_VERSION
from tests.fakes import config

INDEX = config().index


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An index folder as far as its manifest goes."""
    stats = {
        "counts": {"passages": 3},
        "fingerprint": "f",
        "schema_version": SCHEMA_VERSION,
        "settings": analysis_settings(INDEX),
    }
    files.write_json(tmp_path / files.STATS, stats)
    return tmp_path


def test_an_index_of_the_same_settings_is_accepted(folder: Path) -> None:
    assert check_index(folder, INDEX)["counts"] == {"passages": 3}


def test_parameters_of_bm25_act_at_search_and_need_no_other_index(folder: Path) -> None:
    assert check_index(folder, config("index.bm25={k1: 1.2, b: 0.75}").index)


@pytest.mark.parametrize(
    ("override", "difference"),
    [
        ("index.fields.contents.stemmer=none",
         "index.fields.contents.stemmer was porter, now none"),
        ("index.fields.bigrams.shingle=3", "index.fields.bigrams.shingle was 2, now 3"),
        ("index.frequency_orders=2", "index.frequency_orders was 1, now 2"),
        ("index.fields.more={source: section, shingle: 1, stemmer: none, stop_words: false}",
         "index.fields.more was None"),
    ],
)  # fmt: skip
def test_an_index_of_other_settings_is_refused_and_the_difference_named(
    folder: Path, override: str, difference: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        check_index(folder, config(override).index)
    assert difference in str(caught.value)
    assert caught.value.exit_code == 2


def test_an_index_of_another_schema_version_is_refused(folder: Path) -> None:
    stats = json.loads((folder / files.STATS).read_text()) | {"schema_version": 0}
    files.write_json(folder / files.STATS, stats)
    with pytest.raises(SettingsError, match="schema version 0"):
        check_index(folder, INDEX)


def test_an_index_half_written_by_a_killed_run_is_refused(folder: Path) -> None:
    (folder / files.STATS).unlink()
    with pytest.raises(InputError, match="no whole index"):
        check_index(folder, INDEX)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        check_index(tmp_path / "none", INDEX)
