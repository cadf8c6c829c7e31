"""Files: whole or not there, the same bytes for the same rows, and plain errors for bad ones."""

import errno
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline import files
from pipeline.errors import InputError
from pipeline.records import SCHEMA_VERSION, Candidate, Passage, Redirect
from tests.fakes import passage


def redirect(number: int) -> Redirect:
    return Redirect(title=f"Title {number}", target="Target", page_id=number)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# ---------------------------------------------------------------- aside, then renamed


def test_an_error_while_writing_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    files.write_text(path, "old")
    with pytest.raises(ZeroDivisionError), files.written_aside(path) as aside:
        aside.write_text("half of the new")
        raise ZeroDivisionError
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_rows_that_fail_halfway_leave_no_parquet_file(tmp_path: Path) -> None:
    def rows():
        yield redirect(1)
        raise InputError("broken input")

    with pytest.raises(InputError, match="broken input"):
        files.write_records(tmp_path / "a.parquet", Redirect, rows())
    assert names(tmp_path) == []


def test_the_new_file_is_seen_only_when_whole(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.txt"
    with files.written_aside(path) as aside:
        aside.write_text("new")
        assert not path.exists()
    assert path.read_text() == "new"
    assert names(path.parent) == ["a.txt"]


def test_a_folder_where_a_file_should_go_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder; expected a file"):
        files.write_text(tmp_path, "x")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be made"):
        files.write_text(tmp_path / "file" / "below.txt", "x")


def test_an_error_leaves_the_old_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for text in ("old", "new"):
        with files.folder_written_aside(out, ("a",)) as aside:
            (aside / "a").write_text(text)
            files.write_json(aside / files.STATS, {})
    with pytest.raises(ZeroDivisionError), files.folder_written_aside(out, ("a",)) as aside:
        (aside / "a").write_text("half")
        raise ZeroDivisionError
    assert (out / "a").read_text() == "new"
    assert names(tmp_path) == ["out"]


def test_a_folder_of_foreign_files_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    for ours in (("a",), None):
        with (
            pytest.raises(InputError, match=r"thesis\.tex"),
            files.folder_written_aside(out, ours),
        ):
            pytest.fail("the block must not run")
    assert (out / "thesis.tex").read_text() == "years of work"


def test_the_output_of_another_stage_is_not_replaced(tmp_path: Path) -> None:
    files.write_json(tmp_path / files.STATS, {})
    files.write_records(tmp_path / "part-00000.parquet", Redirect, [redirect(1)])
    with (
        pytest.raises(InputError, match="which this stage did not write"),
        files.folder_written_aside(tmp_path, ("lucene",)),
    ):
        pytest.fail("the block must not run")
    assert files.row_count(tmp_path / "part-00000.parquet", Redirect) == 1


def test_a_file_where_a_folder_should_go_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(InputError, match="is a file"), files.folder_written_aside(tmp_path / "out"):
        pytest.fail("the block must not run")
    with pytest.raises(InputError, match="is a file"):
        files.begin_parts(tmp_path / "out", Redirect)


@pytest.fixture(scope="module")
def dead() -> int:
    """The number of a process that is no more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def leave(folder: Path, *left: str) -> None:
    """What processes that were killed leave: files, and folders where a name ends in '/'."""
    for name in left:
        path = folder / name
        if name.endswith("/"):
            path.mkdir()
            (path / "a").touch()
        else:
            path.touch()


def test_leftovers_of_a_killed_run_are_removed(tmp_path: Path, dead: int) -> None:
    others = [f".aside-{dead}-other", f".aside-{dead}-my-out", ".aside-mine-out"]
    leave(tmp_path, f".aside-{dead}-out/", f".aside-old-{dead}-out", *others)
    files.remove_leftovers(tmp_path / "out")
    assert names(tmp_path) == sorted(others)


def test_what_another_process_is_writing_is_left_alone(tmp_path: Path) -> None:
    theirs = f".aside-{os.getppid()}-out"
    leave(tmp_path, theirs)
    files.write_text(tmp_path / "out", "ours")
    assert names(tmp_path) == [theirs, "out"]


def test_writing_again_clears_away_what_a_killed_run_left(tmp_path: Path, dead: int) -> None:
    leave(tmp_path, f".aside-{dead}-a.txt", f".aside-{dead}-out/")
    files.write_text(tmp_path / "a.txt", "new")
    with files.folder_written_aside(tmp_path / "out") as aside:
        leave(aside, f".aside-{dead}-b", "c/", f"c/.aside-{dead}-d/")
    assert names(tmp_path) == ["a.txt", "out"]
    assert sorted(path.name for path in (tmp_path / "out").rglob("*")) == ["a", "c"]


def test_a_folder_that_is_whole_holds_no_leftovers(tmp_path: Path, dead: int) -> None:
    files.begin_parts(tmp_path, Redirect, {"rejected": None})
    leave(tmp_path, f".aside-{dead}-part-00000.parquet", f"rejected/.aside-{dead}-x.jsonl")
    files.finish_parts(tmp_path, {})
    assert names(tmp_path) == [files.STATS, "rejected"]
    assert names(tmp_path / "rejected") == []


# ---------------------------------------------------------------- text and JSON


def test_json_is_the_same_for_the_same_value_and_refuses_what_is_none(tmp_path: Path) -> None:
    one, other = tmp_path / "1.json", tmp_path / "2.json"
    files.write_json(one, {"b": [1.5, None], "a": {"ü": True}})
    files.write_json(other, {"a": {"ü": True}, "b": [1.5, None]})
    assert one.read_bytes() == other.read_bytes()
    assert one.read_text(encoding="utf-8") == (
        '{\n  "a": {\n    "ü": true\n  },\n  "b": [\n    1.5,\n    null\n  ]\n}\n'
    )
    with pytest.raises(ValueError, match="JSON compliant"):
        files.write_json(one, math.nan)
    assert json.loads(one.read_text(encoding="utf-8"))["b"] == [1.5, None]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(lines=st.lists(st.text(st.characters(exclude_categories=("Cs", "Cc")))))
def test_lines_that_are_written_are_read_again(tmp_path: Path, lines: list[str]) -> None:
    path = tmp_path / "lines.txt"
    assert files.write_lines(path, lines) == len(lines)
    with files.open_text(path) as read:
        found = list(read)
    assert found == [
        line.removeprefix("\ufeff") if n == 0 else line for n, line in enumerate(lines)
    ]


def test_other_ends_of_lines_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    path = tmp_path / "dos.txt"
    path.write_bytes("\ufeffone\r\ntwo\u2028\x0cstill two\r\n\r\nthree".encode())
    with files.open_text(path) as lines:
        assert list(lines) == ["one", "two\u2028\x0cstill two", "", "three"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "no such file"),
        (lambda path: path.mkdir(), "cannot be read"),
        (lambda path: path.write_bytes(b"caf\xe9\n"), "not a UTF-8 text"),
    ],
)
def test_a_text_that_cannot_be_read_is_an_input_error(tmp_path: Path, make, message: str) -> None:
    path = tmp_path / "a.txt"
    make(path)
    with pytest.raises(InputError, match=message), files.open_text(path) as lines:
        list(lines)


def test_lines_that_fail_halfway_leave_no_file(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), files.lines_writer(tmp_path / "a") as lines:
        lines.write("one\n")
        raise ZeroDivisionError
    assert names(tmp_path) == []
    with files.lines_writer(tmp_path / "a") as lines:
        lines.write("één\n")
    assert (tmp_path / "a").read_bytes() == "één\n".encode()


def test_pieces_are_joined_in_order_and_removed(tmp_path: Path) -> None:
    pieces = [tmp_path / f"{n}" for n in range(3)]
    for number, piece in enumerate(pieces):
        piece.write_text(f"{number}\n" * number)
    files.join_files(pieces, tmp_path / "whole")
    assert (tmp_path / "whole").read_text() == "1\n2\n2\n"
    assert names(tmp_path) == ["whole"]


# ---------------------------------------------------------------- Parquet


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    rows = [redirect(n) for n in range(20_000)]
    for name in ("a", "b"):
        files.write_records(tmp_path / name, Redirect, iter(rows), {"key": "value"})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    metadata = pq.read_metadata(tmp_path / "a")
    assert metadata.num_row_groups == 3
    assert metadata.row_group(0).column(0).compression == "ZSTD"
    assert files.part_metadata(tmp_path / "a") == files.part_metadata(tmp_path / "b")
    assert files.part_metadata(tmp_path / "a")["key"] == "value"


@pytest.mark.parametrize(
    ("start", "stop"),
    [(0, 0), (0, 1), (3, 9), (8191, 8193), (8192, 16384), (100, 20_000), (19_999, 30_000), (9, 3)],
)
def test_a_range_of_records_is_what_slicing_gives_over_row_groups(
    tmp_path: Path, start: int, stop: int
) -> None:
    path = tmp_path / "a.parquet"
    files.write_records(path, Redirect, map(redirect, range(20_000)))
    found = list(files.read_record_range(path, Redirect, start, stop))
    assert [row.page_id for row in found] == list(range(20_000))[start:stop]


def test_a_table_and_rows_may_follow_each_other_in_one_file(tmp_path: Path) -> None:
    first, second = tmp_path / "1.parquet", tmp_path / "2.parquet"
    files.write_records(first, Redirect, map(redirect, range(5)))
    with files.record_writer(second, Redirect) as writer:
        writer.write(redirect(100))
        writer.write_table(files.read_table(first, Redirect))
        writer.write(redirect(101))
    found = [row.page_id for row in files.read_records(second, Redirect)]
    assert found == [100, 0, 1, 2, 3, 4, 101]
    assert writer.count == 7


def test_a_parquet_file_of_another_record_is_refused_by_the_column_it_lacks(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.parquet"
    files.write_records(path, Redirect, [redirect(1)])
    with pytest.raises(InputError, match="no column 'question_id'; expected candidate records"):
        list(files.read_records(path, Candidate))


def test_a_column_of_another_type_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"title": ["A"], "target": ["B"], "page_id": ["1"]}), path)
    with pytest.raises(InputError, match="column 'page_id' is string; expected int64"):
        list(files.read_records(path, Redirect))


def test_columns_of_others_in_another_order_and_more_of_them_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"page_id": [1], "more": [2], "target": ["B"], "title": ["A"]}), path)
    assert list(files.read_records(path, Redirect)) == [Redirect(title="A", target="B", page_id=1)]


def test_a_null_where_a_record_has_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"title": ["A", None], "target": ["B", "C"], "page_id": [1, 2]}), path)
    for read in (
        lambda: list(files.read_records(path, Redirect)),
        lambda: files.read_table(path, Redirect),
        lambda: list(files.read_record_range(path, Redirect, 0, 2)),
    ):
        with pytest.raises(InputError, match="column 'title' holds a null"):
            read()


def test_a_null_inside_a_list_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    files.write_records(path, Passage, [passage("1-0", "One.")])
    table = pq.read_table(path)
    starts = pa.array([[None]], pa.list_(pa.int32()))
    at = table.schema.get_field_index("sentence_starts")
    pq.write_table(table.set_column(at, "sentence_starts", starts), path)
    with pytest.raises(InputError, match="column 'sentence_starts' holds a null"):
        list(files.read_records(path, Passage))


@pytest.mark.parametrize("keep", [0, 3, 100, -20])
def test_a_truncated_parquet_file_is_refused(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "a.parquet"
    files.write_records(path, Redirect, map(redirect, range(1000)))
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(InputError, match="not a whole Parquet file"):
        files.open_parquet(path, Redirect)


def test_a_damaged_page_is_refused_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    files.write_records(path, Redirect, map(redirect, range(1000)))
    data = bytearray(path.read_bytes())
    data[4:400] = b"\xff" * 396
    path.write_bytes(data)
    for read in (
        lambda: list(files.read_records(path, Redirect)),
        lambda: files.read_table(path, Redirect),
        lambda: list(files.read_record_range(path, Redirect, 0, 10)),
    ):
        with pytest.raises(InputError, match=r"a\.parquet: damaged"):
            read()


def test_a_missing_file_or_a_folder_is_no_parquet_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        files.open_parquet(tmp_path / "none.parquet", Redirect)
    with pytest.raises(InputError, match="not a whole Parquet file"):
        files.open_parquet(tmp_path, Redirect)


# ---------------------------------------------------------------- folders of parts


def test_a_folder_of_parts_alone_is_a_valid_input_in_the_order_of_its_names(
    tmp_path: Path,
) -> None:
    for number in (10, 2, 0):
        files.write_records(
            tmp_path / f"{files.part_name(number)}.parquet", Redirect, [redirect(1)]
        )
    assert [path.name for path in files.list_parts(tmp_path)] == [
        "part-00000.parquet", "part-00002.parquet", "part-00010.parquet",
    ]  # fmt: skip
    assert files.count_rows(tmp_path, Redirect) == 3


def test_a_folder_that_is_missing_empty_or_unfinished_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        files.list_parts(tmp_path / "none")
    with pytest.raises(InputError, match="holds no part"):
        files.list_parts(tmp_path)
    files.write_records(tmp_path / "part-00000.parquet", Redirect, [redirect(1)])
    files.begin_parts(tmp_path, Redirect)
    with pytest.raises(InputError, match="unfinished"):
        files.list_parts(tmp_path)
    files.finish_parts(tmp_path, {"counts": {}})
    assert len(files.list_parts(tmp_path)) == 1


def test_an_error_of_the_system_names_the_file_and_not_what_is_beside_it(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space") as found, files.written_aside(tmp_path / "a"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert found.value.filename == str(tmp_path / "a")
    with (
        pytest.raises(OSError, match="No such") as found,
        files.scratch_folder(tmp_path / "b") as scratch,
    ):
        (scratch / "c").write_text("no such folder")
    assert found.value.filename == str(tmp_path / "b")


def test_a_folder_with_foreign_files_is_not_filled(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"notes\.txt"):
        files.begin_parts(tmp_path, Redirect, {"rejected": None})
    assert names(tmp_path) == ["notes.txt"]


@pytest.mark.parametrize("name", ["part-00000-1b2c.snappy.parquet", "part-7.parquet"])
def test_parts_as_other_programs_name_them_are_not_touched(name: str, tmp_path: Path) -> None:
    files.write_records(tmp_path / name, Redirect, [redirect(1)])
    with pytest.raises(InputError, match=rf"{name}.*not touched"):
        files.begin_parts(tmp_path, Redirect)
    assert names(tmp_path) == [name]


@pytest.mark.parametrize("place", ["part-00000.parquet", "redirects/part-00000.parquet"])
def test_parts_of_another_stage_are_not_touched(place: str, tmp_path: Path) -> None:
    files.write_records(tmp_path / place, Passage, [passage("1-0", "It is.")])
    files.write_json(tmp_path / files.STATS, {})
    with pytest.raises(InputError, match=r"part-00000\.parquet.*no column.*not touched"):
        files.begin_parts(tmp_path, Redirect, {"redirects": Redirect})
    assert files.row_count(tmp_path / place, Passage) == 1
    assert (tmp_path / files.STATS).exists()


def test_a_part_that_is_damaged_may_be_made_anew(tmp_path: Path) -> None:
    (tmp_path / "part-00000.parquet").write_bytes(b"PAR1")
    files.begin_parts(tmp_path, Redirect)
    assert names(tmp_path) == [files.UNFINISHED, "part-00000.parquet"]


def test_a_part_is_current_only_with_the_same_fingerprint_and_when_whole(tmp_path: Path) -> None:
    path = tmp_path / "part-00000.parquet"
    assert not files.part_is_current(path, "a")
    files.write_records(path, Redirect, [redirect(1)], {files.FINGERPRINT: "a"})
    assert files.part_is_current(path, "a")
    assert not files.part_is_current(path, "b")
    path.write_bytes(path.read_bytes()[:-1])
    assert not files.part_is_current(path, "a")


def test_counts_of_parts_are_added_key_by_key(tmp_path: Path) -> None:
    for number, counts in enumerate([{"a": 1, "dropped": {"x": 1}}, {"a": 2, "dropped": {"y": 3}}]):
        with files.record_writer(tmp_path / f"{number}", Redirect) as writer:
            writer.add_metadata({files.COUNTS: json.dumps(counts)})
    assert files.sum_counts([tmp_path / "0", tmp_path / "1"]) == {
        "a": 3, "dropped": {"x": 1, "y": 3},
    }  # fmt: skip


@pytest.mark.parametrize("text", ["[]", "{", "\xff"])
def test_a_manifest_that_cannot_be_read_is_an_input_error(tmp_path: Path, text: str) -> None:
    (tmp_path / files.STATS).write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"_stats\.json"):
        files.read_stats(tmp_path)


# ---------------------------------------------------------------- fingerprints


def test_a_fingerprint_depends_on_values_and_not_on_their_order_in_a_mapping() -> None:
    assert files.fingerprint({"a": 1, "b": 2}) == files.fingerprint({"b": 2, "a": 1})
    assert files.fingerprint(1, 2) != files.fingerprint(2, 1)
    assert files.fingerprint("1") != files.fingerprint(1)
    with pytest.raises(TypeError, match="cannot fingerprint"):
        files.fingerprint(object())


def test_a_manifest_states_counts_fingerprint_schema_and_what_else_is_given() -> None:
    assert files.stats({"rows": 1}, "f", index="g") == {
        "counts": {"rows": 1}, "fingerprint": "f", "schema_version": SCHEMA_VERSION, "index": "g",
    }  # fmt: skip


def test_a_folder_without_manifest_is_known_by_the_bytes_of_its_parts(tmp_path: Path) -> None:
    path = tmp_path / "part-00000.parquet"
    files.write_records(path, Redirect, [redirect(1)])
    before = files.folder_fingerprint(tmp_path)
    assert files.folder_fingerprint(tmp_path) == before
    files.write_records(path, Redirect, [redirect(2)])
    assert files.folder_fingerprint(tmp_path) != before
    files.write_json(tmp_path / files.STATS, {"fingerprint": "stated"})
    assert files.folder_fingerprint(tmp_path) == "stated"


def test_the_hash_of_a_text_is_the_start_of_its_sha1() -> None:
    assert files.text_sha1("") == "da39a3ee5e6b4b0d"
    assert files.text_sha1("é") == files.text_sha1("\u00e9") != files.text_sha1("e\u0301")


def test_the_fingerprint_of_code_counts_only_the_files_that_are_named() -> None:
    whole = files.source_fingerprint("pipeline.matching")
    some = files.source_fingerprint("pipeline.matching", ("tokens.py",))
    other = files.source_fingerprint("pipeline.matching", ("ngrams.py",))
    assert len({whole, some, other}) == 3


@pytest.mark.parametrize(
    ("path", "expected"), [("a/own.parquet", "a/own.stats.json"), ("x.y.trec", "x.y.stats.json")]
)
def test_what_stands_beside_a_file_has_its_name(path: str, expected: str) -> None:
    assert files.sidecar(Path(path), "stats.json") == Path(expected)
