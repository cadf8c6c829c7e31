"""Reading and writing what stands between the stages: Parquet parts, JSON lines, manifests.

Everything is written aside and renamed when whole, so that a killed stage leaves either the old
file or the new one. ``_stats.json`` is written last and marks a whole output.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import operator
import os
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import InputError
from pipeline.records import SCHEMA_VERSION, arrow_schema

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

STATS = "_stats.json"
ROWS_PER_GROUP = 8192
_ASIDE = ".aside"


# ---------------------------------------------------------------- writing aside


@contextlib.contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """A path to write to, which becomes ``path`` when the block ends without an error."""
    if path.is_dir():
        raise InputError(f"{path}: is a folder; expected a file")
    _make_folder(path.parent)
    aside = path.with_name(f"{_ASIDE}-{os.getpid()}-{path.name}")
    try:
        yield aside
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


@contextlib.contextmanager
def folder_written_aside(path: Path, ours: Collection[str] | None = None) -> Iterator[Path]:
    """The same for a folder: the old folder stands until the new one is whole.

    ``ours`` names what the stage writes besides its manifest; without it, any folder with a
    manifest counts as its own. A folder that holds anything else is not replaced, so that a
    mistyped ``--out`` loses nothing, not even another stage's output.
    """
    if path.exists() and not path.is_dir():
        raise InputError(f"{path}: is a file; expected a folder")
    if path.exists():
        found = {entry.name for entry in path.iterdir()}
        known = {STATS, *ours} if ours is not None else found if STATS in found else set()
        if strangers := found - known:
            raise InputError(
                f"{path}: holds '{min(strangers)}', which this stage did not write; not touched"
            )
    _make_folder(path.parent)
    aside = path.with_name(f"{_ASIDE}-{os.getpid()}-{path.name}")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    try:
        yield aside
        if path.exists():
            old = path.with_name(f"{_ASIDE}-old-{os.getpid()}-{path.name}")
            path.replace(old)
            aside.replace(path)
            shutil.rmtree(old)
        else:
            aside.replace(path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be made ({error.strerror})") from None


def remove_leftovers(path: Path) -> None:
    """Remove what a killed run wrote aside for this path and never renamed."""
    for entry in path.parent.glob(f"{_ASIDE}-*-{path.name}"):
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a whole text file, UTF-8, aside first."""
    with written_aside(path) as aside:
        aside.write_text(text, encoding="utf-8")


def write_json(path: Path, value: object) -> None:
    """Write JSON that reads well and is the same for the same value: sorted keys, two spaces."""
    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
    write_text(path, text + "\n")


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write lines, each ended by a line feed; returns how many."""
    count = 0
    with written_aside(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as out:
        for line in lines:
            out.write(line)
            out.write("\n")
            count += 1
    return count


@contextlib.contextmanager
def open_text(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a UTF-8 text file, without their ends; a clear error where there is none.

    A byte order mark, which spreadsheets write, is no part of the first line.
    """
    try:
        text = path.open(encoding="utf-8-sig", newline="\n")
    except OSError as error:
        raise _unreadable(path, error) from None
    with text:
        yield _lines_of(text, path)


def _lines_of(text: Iterable[str], path: Path) -> Iterator[str]:
    try:
        for line in text:
            yield line.rstrip("\r\n")
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a UTF-8 text") from None


def _unreadable(path: Path, error: OSError) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError(f"{path}: no such file")
    return InputError(f"{path}: cannot be read ({error.strerror})")


def join_files(pieces: Sequence[Path], path: Path) -> None:
    """Put the bytes of several files into one, in order, and remove them."""
    with written_aside(path) as aside, aside.open("wb") as whole:
        for piece in pieces:
            with piece.open("rb") as part:
                shutil.copyfileobj(part, whole)
    for piece in pieces:
        piece.unlink()


def write_json_lines(path: Path, values: Iterable[Mapping[str, object]]) -> int:
    """Write one JSON object a line; returns how many."""
    return write_lines(path, (json.dumps(value, ensure_ascii=False) for value in values))


# ---------------------------------------------------------------- Parquet


class RecordWriter:
    """Writes records of one kind to one Parquet file in row groups, so memory stays flat."""

    def __init__(self, path: Path, record: type, metadata: Mapping[str, str]) -> None:
        import pyarrow.parquet as pq

        self._schema = arrow_schema(record).with_metadata(
            {"silver.schema_version": str(SCHEMA_VERSION), **metadata}
        )
        self._values_of = operator.attrgetter(*self._schema.names)
        self._rows: list[tuple[Any, ...]] = []
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self.count = 0

    def write(self, row: object) -> None:
        """Add one record."""
        self._rows.append(self._values_of(row))
        self.count += 1
        if len(self._rows) >= ROWS_PER_GROUP:
            self._flush()

    def write_table(self, table: pa.Table) -> None:
        """Add rows that are columns already."""
        self._flush()
        self.count += table.num_rows
        self._writer.write_table(
            table.cast(self._schema.remove_metadata()).replace_schema_metadata(
                self._schema.metadata
            ),
            row_group_size=ROWS_PER_GROUP * 16,
        )

    def add_metadata(self, metadata: Mapping[str, str]) -> None:
        """Facts that are known only when all rows are written, such as counts."""
        self._writer.add_key_value_metadata(dict(metadata))

    def close(self) -> None:
        """Write what is left and end the file."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        import pyarrow as pa

        if not self._rows:
            return
        columns = list(zip(*self._rows, strict=True))
        arrays = [
            pa.array(_plain_column(column, field.type), type=field.type)
            for column, field in zip(columns, self._schema, strict=True)
        ]
        self._rows.clear()
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))


def _plain_column(column: Sequence[Any], kind: pa.DataType) -> Sequence[Any]:
    """Mappings as pairs and nested records as mappings: what Arrow converts."""
    import pyarrow.types as kinds

    if kinds.is_map(kind):
        return [list(value.items()) for value in column]
    if kinds.is_list(kind) and kinds.is_struct(kind.value_type):
        names = [field.name for field in kind.value_type]
        values_of = operator.attrgetter(*names)
        return [
            [dict(zip(names, values_of(item), strict=True)) for item in value] for value in column
        ]
    return column


@contextlib.contextmanager
def record_writer(
    path: Path, record: type, metadata: Mapping[str, str] | None = None
) -> Iterator[RecordWriter]:
    """A writer whose file appears at ``path`` when the block ends without an error."""
    with written_aside(path) as aside:
        writer = RecordWriter(aside, record, metadata or {})
        try:
            yield writer
        finally:
            writer.close()


def write_records(
    path: Path, record: type, rows: Iterable[object], metadata: Mapping[str, str] | None = None
) -> int:
    """Write records to one Parquet file; returns how many."""
    with record_writer(path, record, metadata) as writer:
        for row in rows:
            writer.write(row)
    return writer.count


def open_parquet(path: Path, record: type) -> pq.ParquetFile:
    """Open a Parquet file and check that it has the record's columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (pa.ArrowInvalid, OSError):
        raise InputError(f"{path}: not a whole Parquet file") from None
    found = {field.name: field.type for field in file.schema_arrow}
    for field in arrow_schema(record):
        if field.name not in found:
            raise InputError(
                f"{path}: no column '{field.name}'; expected {record.__name__.lower()} records"
            )
        if not _same_type(found[field.name], field.type):
            raise InputError(
                f"{path}: column '{field.name}' is {found[field.name]}; expected {field.type}"
            )
    return file


def _same_type(found: pa.DataType, expected: pa.DataType) -> bool:
    """Equal but for names and nullability inside lists, which writers choose differently."""
    import pyarrow.types as kinds

    if kinds.is_list(found) and kinds.is_list(expected):
        return _same_type(found.value_type, expected.value_type)
    if kinds.is_map(found) and kinds.is_map(expected):
        return bool(found.key_type == expected.key_type and found.item_type == expected.item_type)
    if kinds.is_struct(found) and kinds.is_struct(expected):
        return {field.name: field.type for field in found} == {
            field.name: field.type for field in expected
        }
    return bool(found == expected)


def read_tables(path: Path, record: type, columns: Sequence[str] | None = None) -> Iterator[Any]:
    """The record batches of one Parquet file, in order, as Arrow record batches."""
    names = list(columns) if columns is not None else arrow_schema(record).names
    with _damage_named(path):
        for batch in open_parquet(path, record).iter_batches(
            batch_size=ROWS_PER_GROUP, columns=names
        ):
            _check_no_nulls(batch, path, record)
            yield batch


def read_records[Record](path: Path, record: type[Record]) -> Iterator[Record]:
    """The records of one Parquet file, in order."""
    for batch in read_tables(path, record):
        for row in batch.to_pylist(maps_as_pydicts="lossy"):
            yield _record_of(record, row)


def read_table(path: Path, record: type) -> pa.Table:
    """A whole Parquet file as one Arrow table with the record's columns."""
    with _damage_named(path):
        table = open_parquet(path, record).read(columns=arrow_schema(record).names)
        _check_no_nulls(table, path, record)
    return table


@contextlib.contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    """A page that cannot be read is the file's fault, and the error names the file."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(f"{path}: damaged ({str(error).splitlines()[0]})") from None


def _check_no_nulls(rows: Any, path: Path, record: type) -> None:
    """Files of others may hold a null where a record has none."""
    import pyarrow.compute as pc
    import pyarrow.types as kinds

    for field in arrow_schema(record):
        if field.nullable or field.name not in rows.schema.names:
            continue
        column = rows.column(field.name)
        inner = pc.list_flatten(column) if kinds.is_list(column.type) else column
        if column.null_count or inner.null_count:
            raise InputError(f"{path}: column '{field.name}' holds a null; expected a value")


def row_count(path: Path, record: type) -> int:
    """How many records a Parquet file holds."""
    return int(open_parquet(path, record).metadata.num_rows)


def count_rows(folder: Path, record: type) -> int:
    """How many records the parts of a folder hold."""
    return sum(row_count(part, record) for part in list_parts(folder))


def read_record_range[Record](
    path: Path, record: type[Record], start: int, stop: int
) -> Iterator[Record]:
    """The records ``start`` up to, without, ``stop`` of a file; other row groups are not read."""
    file = open_parquet(path, record)
    names = arrow_schema(record).names
    first = 0
    for group in range(file.num_row_groups):
        rows = file.metadata.row_group(group).num_rows
        if first < stop and first + rows > start:
            with _damage_named(path):
                table = file.read_row_group(group, columns=names)
            _check_no_nulls(table, path, record)
            wanted = table.slice(max(start - first, 0), stop - max(first, start))
            for row in wanted.to_pylist(maps_as_pydicts="lossy"):
                yield _record_of(record, row)
        first += rows


def _record_of[Record](record: type[Record], row: dict[str, Any]) -> Record:
    from pipeline.records import Article, Block

    for name, value in row.items():
        if isinstance(value, list):
            row[name] = tuple(value)
    if record is Article:
        row["blocks"] = tuple(Block(**block) for block in row["blocks"])
    return record(**row)


def part_name(number: int) -> str:
    """The name of a folder's part: sorted by name they are in order."""
    return f"part-{number:05d}"


def list_parts(folder: Path, *, whole: bool = True) -> list[Path]:
    """The Parquet parts of a folder, in order; an error when there is none.

    A folder with ``_stats.json`` is whole. One without is accepted when it holds parts that the
    user put there, and refused when a stage left its mark of unfinished work in it.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    if whole and (folder / UNFINISHED).exists():
        raise InputError(f"{folder}: unfinished; run the stage that makes it again")
    parts = sorted(folder.glob("part-*.parquet"))
    if not parts:
        raise InputError(f"{folder}: holds no part-NNNNN.parquet")
    return parts


def part_metadata(path: Path) -> dict[str, str]:
    """The key-value metadata of a Parquet file; empty when it cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_metadata(path).metadata or {}
    except (pa.ArrowInvalid, OSError):
        return {}
    return {key.decode(): value.decode() for key, value in metadata.items()}


# ---------------------------------------------------------------- outputs made part by part

UNFINISHED = "_unfinished"
FINGERPRINT = "silver.fingerprint"
COUNTS = "silver.counts"


def begin_parts(folder: Path, subfolders: Sequence[str] = ()) -> None:
    """Make a folder ready to be filled: mark it unfinished and drop its manifest.

    A folder that holds files of no stage is refused, so that a mistyped ``--out`` loses nothing.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file; expected a folder")
    ours = {STATS, UNFINISHED, *subfolders}
    if folder.is_dir():
        for entry in folder.iterdir():
            known = (
                entry.name in ours or entry.name.startswith(_ASIDE) or entry.match("part-*.parquet")
            )
            if not known:
                raise InputError(
                    f"{folder}: holds '{entry.name}', which no stage wrote; not touched"
                )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / UNFINISHED).touch()
    (folder / STATS).unlink(missing_ok=True)
    for entry in folder.rglob(f"{_ASIDE}-*"):
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    for name in subfolders:
        (folder / name).mkdir(exist_ok=True)


def part_is_current(path: Path, fingerprint: str) -> bool:
    """Whether the part was made, whole, from the same input with the same settings."""
    return path.exists() and part_metadata(path).get(FINGERPRINT) == fingerprint


def keep_only(folder: Path, names: Iterable[str], pattern: str) -> None:
    """Remove the files of a pattern that an earlier run made and this one does not."""
    wanted = set(names)
    for entry in folder.glob(pattern):
        if entry.name not in wanted:
            entry.unlink()


def finish_parts(folder: Path, stats: Mapping[str, object]) -> None:
    """Write the manifest, which marks the folder whole."""
    write_json(folder / STATS, stats)
    (folder / UNFINISHED).unlink(missing_ok=True)


def read_stats(folder: Path) -> dict[str, Any]:
    """The manifest of a folder; empty when the folder has none."""
    try:
        stats = json.loads((folder / STATS).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        raise InputError(f"{folder / STATS}: not a readable manifest") from None
    if not isinstance(stats, dict):
        raise InputError(f"{folder / STATS}: expected a JSON object")
    return stats


def sum_counts(parts: Iterable[Path]) -> dict[str, Any]:
    """Add up the counts that each part carries in its metadata; nested mappings key by key."""
    total: dict[str, Any] = {}
    for part in parts:
        _add_counts(total, json.loads(part_metadata(part).get(COUNTS, "{}")))
    return total


def _add_counts(total: dict[str, Any], counts: Mapping[str, Any]) -> None:
    for key, value in counts.items():
        if isinstance(value, Mapping):
            _add_counts(total.setdefault(key, {}), value)
        else:
            total[key] = total.get(key, 0) + value


def sidecar(path: Path, kind: str) -> Path:
    """The file that stands beside a single-file output: its ``stats.json``, its rejected rows."""
    return path.with_name(f"{path.stem}.{kind}")


# ---------------------------------------------------------------- fingerprints


def fingerprint(*parts: object) -> str:
    """A SHA-256 over values, the same on every machine and in every run."""
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, default=_jsonable)
    return hashlib.sha256(f"{SCHEMA_VERSION}:{text}".encode()).hexdigest()


def _jsonable(value: object) -> object:
    dump = getattr(value, "model_dump", None)
    if dump is not None:
        return dump(mode="json")
    raise TypeError(f"cannot fingerprint {type(value).__name__}")


def file_fingerprint(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise _unreadable(path, error) from None


def folder_fingerprint(folder: Path) -> str:
    """The fingerprint that the folder's manifest states, or one over the bytes of its parts."""
    stated = read_stats(folder).get("fingerprint")
    if isinstance(stated, str):
        return stated
    return fingerprint([file_fingerprint(part) for part in list_parts(folder)])


def text_sha1(text: str) -> str:
    """First 16 hexadecimal digits of the SHA-1 of a text: the key that survives a new dump."""
    return hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()[
        :16
    ]


def counted(reasons: Iterable[str]) -> dict[str, int]:
    """How often each reason was given, by name."""
    return dict(sorted(Counter(reasons).items()))


def source_fingerprint(package: str, names: Collection[str] | None = None) -> str:
    """SHA-256 over a package's modules and tables: a part made by older code is not current.

    ``names``, where given, are the files that count.
    """
    import importlib.resources

    digest = hashlib.sha256()
    with importlib.resources.as_file(importlib.resources.files(package)) as folder:
        for path in sorted(folder.rglob("*")):
            counts = names is None or path.name in names
            if counts and path.is_file() and path.suffix != ".pyc":
                digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()
