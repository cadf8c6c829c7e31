"""What stages over blocks share: reading folders of blocks, tokenizers, runs, and questions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from pipeline import files
from pipeline.corpora.reading import read_json
from pipeline.datasets.trec import parse_run
from pipeline.errors import InputError
from pipeline.records import BlockContents, Passage
from pipeline.stages.block_part import CONTENTS
from pipeline.tables.subwords import ESTIMATE, Estimate, Subwords, of_tokenizer_json, of_vocabulary

# The open collection of OTT-QA has some 410,000 tables; its published figures are over those.
OPEN_TABLES = 400_000


def subwords_of(tokenizer: Path | None) -> tuple[str, Subwords]:
    """A tokenizer by its file, a ``tokenizer.json`` or BERT's vocabulary, with its name."""
    if tokenizer is None:
        return ESTIMATE, Estimate()
    if tokenizer.suffix == ".json":
        value = read_json(tokenizer, "a tokenizer.json")
        text = tokenizer.read_text(encoding="utf-8")
        return tokenizer.name, of_tokenizer_json(value, text, str(tokenizer))
    with files.open_text(tokenizer) as lines:
        return tokenizer.name, of_vocabulary(list(lines), str(tokenizer))


def read_blocks(
    folders: Sequence[Path], names: Collection[str]
) -> Iterator[tuple[Passage, BlockContents]]:
    """The blocks of these names, in the order of the folders, memory flat."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(sorted(names), type=pa.string())
    for folder in folders:
        for part, contents in _parts_of(folder):
            found = read_named(contents, BlockContents, wanted, pc)
            for block in read_named(part, Passage, wanted, pc):
                content = next(found, None)
                if content is None or content.passage_id != block.passage_id:
                    raise InputError(f"{contents}: does not belong to {part}; run silver blocks")
                yield block, content


def read_named[Record](
    path: Path, record: type[Record], names: object, pc: object
) -> Iterator[Record]:
    """The records of a file whose passage id is among some names."""
    for batch in files.read_tables(path, record):
        kept = batch.filter(pc.is_in(batch.column("passage_id"), names))  # type: ignore[attr-defined]
        for row in kept.to_pylist():
            yield record(**{k: tuple(v) if isinstance(v, list) else v for k, v in row.items()})


def tables_of(folders: Sequence[Path]) -> frozenset[str]:
    """The tables of which a block is there."""
    found: set[str] = set()
    for folder in folders:
        for _, contents in _parts_of(folder):
            for batch in files.read_tables(contents, BlockContents, ["table_id"]):
                found.update(batch.column(0).unique().to_pylist())
    return frozenset(name for name in found if name is not None)


def _parts_of(folder: Path) -> list[tuple[Path, Path]]:
    parts = files.list_parts(folder)
    beside = [folder / CONTENTS / part.name for part in parts]
    for path in beside:
        if not path.exists():
            raise InputError(f"{path}: no such file; expected a folder that silver blocks wrote")
    return list(zip(parts, beside, strict=True))


def read_rankings(path: Path) -> dict[str, list[str]]:
    """A TREC run as rankings of ids by question."""
    with files.open_text(path) as lines:
        run = parse_run(lines, str(path))
    if not run:
        raise InputError(f"{path}: empty; expected a TREC run")
    return {name: [passage_id for passage_id, _ in hits] for name, hits in run.items()}


def closed_note(tables: int) -> list[str]:
    """The banner of figures over a part of the collection; none over the whole."""
    if tables >= OPEN_TABLES:
        return []
    return [f"{tables:,} tables, closed collection: not comparable with open OTT-QA"]
