"""Records in Parquet files: written in row groups, read back checked, memory flat."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import InputError
from pipeline.files.aside import written_aside
from pipeline.records import SCHEMA_VERSION, arrow_schema

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

ROWS_PER_GROUP = 8192


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
    if fault := _column_fault(file.schema_arrow, record):
        raise InputError(f"{path}: {fault}")
    return file


def column_fault(path: Path, record: type) -> str | None:
    """What keeps a Parquet file from holding the record; None also where it cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return _column_fault(pq.read_schema(path), record)
    except (pa.ArrowInvalid, OSError):
        return None


def _column_fault(schema: pa.Schema, record: type) -> str | None:
    found = {field.name: field.type for field in schema}
    for field in arrow_schema(record):
        if field.name not in found:
            return f"no column '{field.name}'; expected {record.__name__.lower()} records"
        if schema.names.count(field.name) > 1:
            return f"column '{field.name}' stands there twice"
        if not _same_type(found[field.name], field.type):
            return f"column '{field.name}' is {found[field.name]}; expected {field.type}"
    return None


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
            _check_values(batch, path, record)
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
        _check_values(table, path, record)
    return table


@contextlib.contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    """A page that cannot be read is the file's fault, and the error names the file."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(f"{path}: damaged ({str(error).splitlines()[0]})") from None


def _check_values(rows: Any, path: Path, record: type) -> None:
    """Files of others may hold text that is not UTF-8, or a null where a record has none."""
    import pyarrow.compute as pc
    import pyarrow.types as kinds

    rows.validate(full=True)
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
                _check_values(table, path, record)
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


def part_metadata(path: Path) -> dict[str, str]:
    """The key-value metadata of a Parquet file; empty when it cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_metadata(path).metadata or {}
    except (pa.ArrowInvalid, OSError):
        return {}
    return {key.decode(): value.decode() for key, value in metadata.items()}
