"""Finding rows of other stages' outputs by key: what the commands that people read share."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from pipeline import files
from pipeline.errors import InputError
from pipeline.records import Passage, arrow_schema


def find_passages(folder: Path, passage_ids: Collection[str]) -> dict[str, Passage]:
    """The passages of these ids in a folder of parts; what is not there is left out.

    Parts are sorted by page, so that row groups without a wanted page are not read.
    """
    wanted = sorted(passage_ids)
    pages = [passage_id.partition("-")[0] for passage_id in wanted]
    condition: tuple[str, str, object]
    if all(page.isascii() and page.isdigit() for page in pages):
        condition = ("page_id", "in", sorted({int(page) for page in pages}))
    else:  # written by another tool
        condition = ("passage_id", "in", wanted)
    found: dict[str, Passage] = {}
    for part in files.list_parts(folder) if wanted else ():
        for row in _filtered(part, Passage, condition, ("passage_id", wanted)):
            found[row["passage_id"]] = Passage(**row)
    return found


def rows_where[Record](
    path: Path, record: type[Record], column: str, value: str
) -> Iterator[Record]:
    """The rows of one Parquet file in which a column of texts has this value, in order."""
    for row in _filtered(path, record, (column, "==", value)):
        yield record(**row)


def _filtered(
    path: Path,
    record: type,
    condition: tuple[str, str, Any],
    within: tuple[str, list[str]] | None = None,
) -> Iterator[dict[str, Any]]:
    """Rows as mappings, lists as tuples."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    files.open_parquet(path, record)
    with _damage_named(path):
        table = pq.read_table(path, columns=arrow_schema(record).names, filters=[condition],
                              partitioning=None)  # fmt: skip
        table.validate(full=True)
    if within is not None:
        column, values = within
        table = table.filter(pc.is_in(table.column(column), pa.array(values, pa.string())))
    for row in table.to_pylist(maps_as_pydicts="lossy"):
        yield {
            name: tuple(value) if isinstance(value, list) else value for name, value in row.items()
        }


@contextlib.contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(f"{path}: damaged ({str(error).splitlines()[0]})") from None
