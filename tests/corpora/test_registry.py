"""Formats by name, splits by file name, and which files of a folder are meant."""

from pathlib import Path
from typing import get_args

import pytest

from pipeline.config import Format
from pipeline.corpora.registry import FORMATS, files_of, format_named, split_of
from pipeline.errors import InputError


def test_every_format_of_the_configuration_has_a_reader() -> None:
    assert set(FORMATS) == set(get_args(Format))


def test_an_unknown_format_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"format 'squad' is unknown; .*squad-json"):
        format_named("squad")


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("train.json", "train"),
        ("selqa-ass-dev.tsv", "dev"),
        ("squad-v2.0-dev-half.json", "dev"),
        ("validation.jsonl", "dev"),
        ("WikiQA-Test.tsv", "test"),
        ("test.blind.json", "test"),
        ("train2.json", "train"),
        ("xquad-en-v1.1.json", "all"),
        ("contest-training.json", "all"),
        ("devices.json", "all"),
        ("train-and-test.json", "all"),
    ],
)
def test_a_file_name_tells_its_split(name: str, split: str) -> None:
    assert split_of(Path("train") / name) == split


def test_of_a_folder_the_files_that_tell_a_split_are_taken_by_name(tmp_path: Path) -> None:
    for name in ("b-test.tsv", "a-train.tsv", "WikiQA.tsv", "dev.txt", ".dev.tsv"):
        (tmp_path / name).touch()
    (tmp_path / "dev.tsv").mkdir()
    taken, passed_over = files_of(tmp_path, FORMATS["wikiqa-tsv"])
    assert [path.name for path in taken] == ["a-train.tsv", "b-test.tsv"]
    assert [path.name for path in passed_over] == ["WikiQA.tsv"]


def test_of_a_folder_without_splits_every_file_of_the_format_is_taken(tmp_path: Path) -> None:
    for name in ("two.jsonl", "one.jsonl", "notes.txt"):
        (tmp_path / name).touch()
    taken, passed_over = files_of(tmp_path, FORMATS["jsonl"])
    assert [path.name for path in taken] == ["one.jsonl", "two.jsonl"]
    assert passed_over == []


def test_a_folder_without_a_fitting_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "dev.tsv").touch()
    with pytest.raises(InputError, match=r"holds no \.json file"):
        files_of(tmp_path, FORMATS["squad-json"])
