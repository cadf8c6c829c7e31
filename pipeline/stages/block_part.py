"""One part of the blocks: some tables, or some files of passages, in a worker process."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pipeline import files
from pipeline.config import Config
from pipeline.corpora.links import PREFIX, title_of_link
from pipeline.corpora.reading import read_json
from pipeline.corpora.rows import excerpt
from pipeline.errors import InputError
from pipeline.lucene.manifest import open_searcher
from pipeline.lucene.searching import Searcher
from pipeline.records import BlockContents, Passage
from pipeline.tables.blocks import Block, Linked, id_of, linked, passage_block, row_block
from pipeline.tables.linking import chosen_titles, is_linkable
from pipeline.tables.reading import BadTableError, Table, passages_of, row_links, table_of

CONTENTS = "contents"
REJECTED = "rejected"
_TITLES_SEARCHED = 20
_MOST_CACHED = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BlocksTask:
    """Tables, or files of passages, and where their blocks go.

    ``passages`` are those of the tables, by file name, or stand by themselves where there are no
    tables; ``repeated`` are links whose passage an earlier part has.
    """

    name: str
    out: Path
    links: str
    index: Path | None
    config: Config
    heap: str
    passage_words: int | None
    link_threshold: float
    made_by: str
    tables: tuple[Path, ...] = ()
    passages: tuple[Path, ...] = ()
    repeated: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Dropped:
    """What is in no block: its unit (table, row, link, passage), why, and where it stood."""

    unit: str
    reason: str
    where: str
    what: str


@dataclass(slots=True)
class _Made:
    counts: Counter[str] = field(default_factory=Counter)
    dropped: dict[str, Counter[str]] = field(default_factory=dict)


LinkRow = Callable[[Table, int], Iterator[Linked | Dropped]]


def blocks_part(task: BlocksTask) -> str:
    """Make the blocks of one part, unless they are there and current; returns the fingerprint."""
    read = [(path.name, files.file_fingerprint(path)) for path in (*task.tables, *task.passages)]
    fingerprint = files.fingerprint(task.made_by, read, sorted(task.repeated))
    part = task.out / f"{task.name}.parquet"
    contents = task.out / CONTENTS / f"{task.name}.parquet"
    rejected = task.out / REJECTED / f"{task.name}.jsonl"
    mark = {files.FINGERPRINT: fingerprint}
    if rejected.exists() and all(files.part_is_current(p, fingerprint) for p in (part, contents)):
        return fingerprint
    made = _Made()
    with (
        files.lines_writer(rejected) as lines,
        files.record_writer(contents, BlockContents, mark) as beside,
        files.record_writer(part, Passage, mark) as writer,
    ):
        for item in _table_blocks(task, made) if task.tables else _passage_blocks(task, made):
            if isinstance(item, Dropped):
                made.dropped.setdefault(item.unit, Counter())[item.reason] += 1
                lines.write(json.dumps(asdict(item), ensure_ascii=False) + "\n")
                continue
            block, content = item
            writer.write(block)
            beside.write(content)
            made.counts["blocks"] += 1
            made.counts["words"] += len(block.text.split())
        names = ("tables", "rows", "row_blocks", "links", "links_fused", "passages",
                 "passage_blocks", "blocks", "words")  # fmt: skip
        totals = {
            **dict.fromkeys(names, 0),
            **made.counts,
            "dropped": {unit: dict(reasons) for unit, reasons in made.dropped.items()},
        }
        writer.add_metadata({files.COUNTS: json.dumps(totals, sort_keys=True)})
    return fingerprint


# ---------------------------------------------------------------- from tables


def _table_blocks(task: BlocksTask, made: _Made) -> Iterator[Block | Dropped]:
    passages = {path.name: path for path in task.passages}
    with _searcher_of(task) as searcher:
        for path in task.tables:
            try:
                table = table_of(read_json(path, "a table"), path.stem)
                texts = read_passages(passages[path.name]) if path.name in passages else {}
            except (BadTableError, InputError) as problem:
                yield Dropped("table", _reason(problem, path), path.name, "")
                continue
            made.counts["tables"] += 1
            linker: LinkRow = _no_links
            if searcher is not None:
                linker = _Predicting(searcher, task.link_threshold, made.counts).linked
            elif task.links == "oracle":
                linker = _Given(texts, made.counts).linked
            yield from _row_blocks(table, linker, task.passage_words, made)


def _row_blocks(
    table: Table, linker: LinkRow, passage_words: int | None, made: _Made
) -> Iterator[Block | Dropped]:
    for number in range(len(table.rows)):
        made.counts["rows"] += 1
        found: list[Linked] = []
        for item in linker(table, number):
            if isinstance(item, Dropped):
                yield item
            else:
                found.append(item)
        block = row_block(table, number, found, passage_words)
        if block is None:
            where = f"{table.table_id}, row {number}"
            yield Dropped("row", "row without text", where, "")
            for item in found:
                yield Dropped("link", "row without text", where, excerpt(item.passage_id))
            continue
        made.counts["row_blocks"] += 1
        made.counts["links_fused"] += len(found)
        yield block


def _no_links(table: Table, number: int) -> Iterator[Linked | Dropped]:
    yield from ()


@dataclass(frozen=True, slots=True)
class _Given:
    """The passages that the cells of a row link to."""

    texts: Mapping[str, str]
    counts: Counter[str]

    def linked(self, table: Table, number: int) -> Iterator[Linked | Dropped]:
        for link in row_links(table.rows[number]):
            self.counts["links"] += 1
            if self.texts.get(link):
                yield linked(link, self.texts[link])
            else:
                given = "without text" if link in self.texts else "not given"
                where = f"{table.table_id}, row {number}"
                yield Dropped("link", f"linked passage {given}", where, excerpt(link))


@dataclass(slots=True)
class _Predicting:
    """The passages of an index whose titles the cells of a row say."""

    searcher: Searcher
    threshold: float
    counts: Counter[str]
    found: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def linked(self, table: Table, number: int) -> Iterator[Linked | Dropped]:
        row = table.rows[number]
        wanted: dict[str, None] = {}
        for column, cell in enumerate(row):
            header = table.header[column] if column < len(table.header) else ""
            wanted |= dict.fromkeys(self._of_cell(cell.text, table, header))
        given = {id_of(link) for link in row_links(row)}
        passages = self.searcher.passages_by_id(wanted)
        self.counts["links_given"] += len(given)
        self.counts["links_predicted"] += len(wanted)
        self.counts["links_right"] += len(given & set(wanted))
        for passage_id in wanted:
            self.counts["links"] += 1
            passage = passages[passage_id]
            yield Linked(passage_id, passage.title, passage.text)

    def _of_cell(self, text: str, table: Table, header: str) -> list[str]:
        if not is_linkable(text):
            return []
        proposed = self._titles(text) + self._titles(f"{text} {table.title}")
        by_title: dict[str, str] = {}
        for passage_id, title in proposed:
            by_title.setdefault(title, passage_id)
        context = f"{table.title} {table.section} {header}"
        chosen = chosen_titles(text, context, by_title, self.threshold)
        return [by_title[title] for title, _ in chosen]

    def _titles(self, query: str) -> list[tuple[str, str]]:
        """Passage ids and titles; columns repeat their cells, so what was found is kept."""
        if query not in self.found:
            hits = self.searcher.search(query, {"title": 1.0}, _TITLES_SEARCHED)
            ids = [hit.passage_id for hit in hits]
            unnamed = [name for name in ids if not name.startswith(PREFIX)]
            told = self.searcher.passages_by_id(unnamed) if unnamed else {}
            if len(self.found) >= _MOST_CACHED:
                self.found.clear()
            self.found[query] = [
                (name, told[name].title if name in told else title_of_link(name)) for name in ids
            ]
        return self.found[query]


@contextlib.contextmanager
def _searcher_of(task: BlocksTask) -> Iterator[Searcher | None]:
    if task.index is None:
        yield None
        return
    with open_searcher(task.index, task.config.index, task.heap) as searcher:
        yield searcher


# ---------------------------------------------------------------- from passages


def _passage_blocks(task: BlocksTask, made: _Made) -> Iterator[Block | Dropped]:
    seen = set(task.repeated)
    for path in task.passages:
        try:
            texts = read_passages(path)
        except (BadTableError, InputError) as problem:
            yield Dropped("table", _reason(problem, path), path.name, "")
            continue
        for link, text in texts.items():
            made.counts["passages"] += 1
            if link in seen:
                yield Dropped("passage", "passage of an earlier table", path.name, excerpt(link))
            elif not text:
                yield Dropped("passage", "passage without text", path.name, excerpt(link))
            else:
                made.counts["passage_blocks"] += 1
                yield passage_block(linked(link, text))
            seen.add(link)


def read_passages(path: Path) -> dict[str, str]:
    """The linked passages of one table by link."""
    return passages_of(read_json(path, "passages by link"))


def _reason(problem: Exception, path: Path) -> str:
    """Why a file was dropped, without its name, so that equal reasons are counted together."""
    return str(problem).removeprefix(f"{path}").lstrip(":, ")
