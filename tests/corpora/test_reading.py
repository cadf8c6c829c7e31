"""Files that are no corpus: every reader says so in the same words, with the line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpora.registry import FORMATS
from pipeline.corpora.rows import Rejected
from pipeline.errors import InputError
from pipeline.records import Question
from tests.corpora.support import sentences_at_full_stops, wikiqa, write

ROW = ("Q1", "who", "D1", "Ann", "D1-0", "Ann of Malmö did .", "1")


def read_all(name: str, path: Path) -> list:
    return list(FORMATS[name].read(path, "c", "dev", 0, sentences_at_full_stops))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b" \r\n\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"<!DOCTYPE html>\n<html><body>404</body></html>", "line 1: a web page"),
        (b"\n  <html lang=en>", "line 1: a web page"),
        (b"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", "line 1: a web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "pointer of Git LFS"),
        (b"PK\x03\x04rest", "packed"),
        (b"\x1f\x8brest", "packed"),
        ("{}".encode("utf-16"), "UTF-16"),
    ],
)
def test_what_is_no_corpus_is_refused(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = write(tmp_path / "corpus", content)
    with pytest.raises(InputError, match=f"^{path}.*{message}"):
        read_all(name, path)


@pytest.mark.parametrize("name", FORMATS)
def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_all(name, tmp_path / "nowhere")
    with pytest.raises(InputError, match="cannot be read"):
        read_all(name, tmp_path)


def test_latin_1_is_refused_with_line_and_byte(tmp_path: Path) -> None:
    path = write(tmp_path / "dev.tsv", wikiqa(ROW).encode("latin-1"))
    with pytest.raises(InputError, match=r"line 2: byte 0xf6 is not UTF-8 \(Latin-1 perhaps\)"):
        read_all("wikiqa-tsv", path)


@pytest.mark.parametrize("name", ["selqa-ass-json", "selqa-at-json", "squad-json"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'[\n{"question": "a', "line 2: the file ends in the middle of a value"),
        (b'{"data": [\n\n', "line 3: the file ends in the middle of a value"),
        (b'{"data":\n oops}', "line 2: not valid JSON"),
        (b"404: Not Found", "line 1: not valid JSON"),
        (b"[" * 200_000, "nested too deeply"),
        (b"[" + b"1" * 10_000 + b"]", "a number too long"),
    ],
)
def test_broken_json_is_refused_with_its_line(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = write(tmp_path / "dev.json", content)
    with pytest.raises(InputError, match=message):
        read_all(name, path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "data",
                    "paragraphs",
                    "qas",
                    "context",
                    "answers",
                    "text",
                    "answer_start",
                    "id",
                    "question",
                    "candidates",
                    "candidate_list",
                    "article",
                    "title",
                    "q_types",
                    "answer_sentences",
                    "split",
                    "attributes",
                    "is_impossible",
                ]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)


@pytest.mark.parametrize("name", FORMATS)
@given(content=st.one_of(st.binary(max_size=200), JSON))
def test_hostile_input_never_raises_anything_but_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, name: str, content: object
) -> None:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    path = write(tmp_path_factory.mktemp("hostile") / "corpus", data)
    try:
        items = read_all(name, path)
    except InputError:
        return
    assert all(isinstance(item, Question | Rejected) for item in items)
    for item in items:
        if isinstance(item, Question):
            assert item.question_id == "".join(item.question_id.split())
            assert len(item.candidates) == len(item.labels)
