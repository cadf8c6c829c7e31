"""The inspect command: what becomes of one page of a dump."""

from pathlib import Path

import pytest

from pipeline.config import Config, load_config
from pipeline.errors import InputError
from pipeline.stages.inspect import run_inspect
from tests.fakes import PARAMS
from tests.wikipedia.dump_files import page, write_dump

PAGES = [
    page(1, "Sea", "The sea is wide and deep, and it is salt.\n\nShort."),
    page(2, "Ocean", "#REDIRECT [[sea]]"),
    page(3, "Talk:Sea", "Hello.", ns=1),
]


def settings(*overrides: str) -> Config:
    return load_config(PARAMS, overrides)


def first_line(dump: Path, title: str, *overrides: str) -> str:
    return run_inspect(None, dump, title, settings(*overrides))[0][0]


def test_blocks_passages_and_sentences_of_a_page_are_shown(tmp_path: Path) -> None:
    dump = write_dump(tmp_path, "bz2", PAGES)
    lines, counts = run_inspect(None, dump, "Sea", settings("segment.min_characters=20"))
    assert lines == [
        "Sea: 2 blocks",
        "",
        "0-0 paragraph: (lead)",
        "  [0] The sea is wide and deep, and it is salt.",
        "",
        "0-1 paragraph: no passage, too short",
        "  Short.",
    ]
    assert (counts["blocks"], counts["passages"]) == (2, 1)


def test_what_becomes_no_article_is_named(tmp_path: Path) -> None:
    dump = write_dump(tmp_path, "gz", PAGES)
    assert first_line(dump, "Ocean") == "Ocean: redirect to Sea"
    assert first_line(dump, "Talk:Sea") == "Talk:Sea: dropped, other namespace"


def test_a_folder_of_dumps_is_searched_and_punkt_says_what_it_knows(tmp_path: Path) -> None:
    write_dump(tmp_path, "xml", PAGES)
    shown = first_line(tmp_path, "Sea", "segment.splitter=punkt")
    assert shown == "Sea: 2 blocks, punkt trained on this page alone"
    with pytest.raises(InputError, match="holds no page 'Land'"):
        first_line(tmp_path, "Land")
