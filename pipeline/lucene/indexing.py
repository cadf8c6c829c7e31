"""Writes passages into a Lucene index, shard by shard, and merges the shards.

Fields of a document: ``id`` (the passage id: searched, stored, and sorted by for ties),
``title_key`` (the article's normalised title), ``raw`` (the whole passage as JSON, stored, as
Pyserini's readers expect it), and the analysed fields of ``index.fields``, without positions.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeline.config import IndexField
from pipeline.errors import InputError, SilverError
from pipeline.lucene.analysis import analyzer_of
from pipeline.lucene.jvm import as_class, char_sequence, java_class
from pipeline.matching.titles import title_key
from pipeline.records import Passage, is_passage_id

_DIRECTORY = "org.apache.lucene.store.Directory"
# Documents are inverted in a share of the heap: every flush is a segment to merge later, but an
# OutOfMemoryError costs more than many of them.
_BUFFER_SHARE, _MOST_BUFFER_MEGABYTES = 0.25, 1024.0
_LONGEST_TERM = 32_766  # bytes; Lucene's limit for a value that is one term


def write_shard(passages: Iterable[Passage], folder: Path, fields: Mapping[str, IndexField]) -> int:
    """Index passages into a new Lucene index in ``folder``; returns how many documents it holds."""
    document = _ReusedDocument(fields)
    given = 0
    with _index_writer(folder, fields) as writer:
        for passage in passages:
            _check_terms(passage)
            _check_spans(passage)
            document.fill(passage)
            writer.addDocument(document.fields)
            given += 1
    return _checked_count(folder, given)


def merge_shards(shards: Sequence[Path], folder: Path, fields: Mapping[str, IndexField]) -> int:
    """Merge finished shards, in their order, into one index; returns its number of documents.

    One shard is the index already: it is moved.
    """
    if len(shards) == 1:
        shards[0].replace(folder)
        return document_count(folder)
    directories = [_directory(shard) for shard in shards]
    given = sum(document_count(shard) for shard in shards)
    with _index_writer(folder, fields) as writer:
        writer.addIndexes(*[as_class(_DIRECTORY, directory) for directory in directories])
    for directory in directories:
        directory.close()
    return _checked_count(folder, given)


def document_count(folder: Path) -> int:
    """How many documents a Lucene index holds."""
    reader = java_class("org.apache.lucene.index.DirectoryReader").open(_directory(folder))
    try:
        return int(reader.numDocs())
    finally:
        reader.close()


def _check_terms(passage: Passage) -> None:
    """An id is a name that TREC files can hold; like the title, it is one term."""
    if not is_passage_id(passage.passage_id):
        raise InputError(
            f"passage_id '{passage.passage_id[:80]}': is empty or holds white space; expected an id"
        )
    for value in (passage.passage_id, passage.title):
        if len(value) > _LONGEST_TERM // 4 and len(value.encode()) > _LONGEST_TERM:
            raise InputError(
                f"passage '{passage.passage_id[:80]}': id or title has more than "
                f"{_LONGEST_TERM} bytes"
            )


def _check_spans(passage: Passage) -> None:
    """Sentences are cut out of the text: spans in order, disjoint, none empty, all within it."""
    starts, ends = passage.sentence_starts, passage.sentence_ends
    bounds = [0, *itertools.chain.from_iterable(zip(starts, ends, strict=False)), len(passage.text)]
    if (
        len(starts) != len(ends)
        or any(after < before for before, after in itertools.pairwise(bounds))
        or any(start == end for start, end in zip(starts, ends, strict=True))
    ):
        raise InputError(
            f"passage '{passage.passage_id}': sentence_starts and sentence_ends are no spans of "
            "its text, in order and disjoint"
        )


def raw_json(passage: Passage) -> str:
    """A passage as the JSON that is stored with its document."""
    return json.dumps(
        {
            "id": passage.passage_id,
            "page_id": passage.page_id,
            "revision_id": passage.revision_id,
            "title": passage.title,
            "section": passage.section,
            "contents": passage.text,
            "text_sha1": passage.text_sha1,
            "sentence_starts": list(passage.sentence_starts),
            "sentence_ends": list(passage.sentence_ends),
        },
        ensure_ascii=False,
    )


class _ReusedDocument:
    """One document whose field values are replaced for each passage: few calls into Java."""

    def __init__(self, fields: Mapping[str, IndexField]) -> None:
        store = java_class("org.apache.lucene.document.Field$Store")
        string_field = java_class("org.apache.lucene.document.StringField")
        self._id = string_field("id", "", store.YES)
        # Anserini's own searcher sorts ties by this column.
        no_bytes = java_class("org.apache.lucene.util.BytesRef")(char_sequence(""))
        doc_values = java_class("org.apache.lucene.document.BinaryDocValuesField")
        self._id_column = doc_values("id", no_bytes)
        self._title = string_field("title_key", "", store.NO)
        self._raw = java_class("org.apache.lucene.document.StoredField")("raw", "")
        kind = java_class("org.apache.lucene.document.FieldType")()
        options = java_class("org.apache.lucene.index.IndexOptions")
        kind.setIndexOptions(options.DOCS_AND_FREQS)
        kind.setTokenized(True)
        kind.freeze()
        field_class = java_class("org.apache.lucene.document.Field")
        nothing = char_sequence("")
        self._analysed = [
            (field_class(name, nothing, kind), field.source) for name, field in fields.items()
        ]
        self.fields = java_class("java.util.ArrayList")()
        known = (self._id, self._id_column, self._title, self._raw)
        for field in (*known, *(field for field, _ in self._analysed)):
            self.fields.add(field)

    def fill(self, passage: Passage) -> None:
        self._id.setStringValue(passage.passage_id)
        self._id_column.setBytesValue(passage.passage_id.encode())
        self._title.setStringValue(title_key(passage.title))
        self._raw.setStringValue(raw_json(passage))
        for field, source in self._analysed:
            field.setStringValue(getattr(passage, source))


@contextmanager
def _index_writer(folder: Path, fields: Mapping[str, IndexField]) -> Iterator[Any]:
    config = java_class("org.apache.lucene.index.IndexWriterConfig")(analyzer_of(fields))
    config.setOpenMode(java_class("org.apache.lucene.index.IndexWriterConfig$OpenMode").CREATE)
    config.setRAMBufferSizeMB(_buffer_megabytes())
    config.setUseCompoundFile(False)
    # Merges neighbours only, so documents stay in the order of the passages.
    policy = java_class("org.apache.lucene.index.LogByteSizeMergePolicy")()
    config.setMergePolicy(policy)
    directory = _directory(folder)
    writer = java_class("org.apache.lucene.index.IndexWriter")(directory, config)
    try:
        yield writer
        writer.commit()
    finally:
        writer.close()
        directory.close()


def _buffer_megabytes() -> float:
    heap = java_class("java.lang.Runtime").getRuntime().maxMemory() / 1_000_000
    return float(min(heap * _BUFFER_SHARE, _MOST_BUFFER_MEGABYTES))


def _directory(folder: Path) -> Any:
    path = java_class("java.nio.file.Paths").get(str(folder.absolute()))
    return java_class("org.apache.lucene.store.FSDirectory").open(path)


def _checked_count(folder: Path, given: int) -> int:
    held = document_count(folder)
    if held != given:
        raise SilverError(f"{folder}: {given} passages given, {held} documents indexed")
    return held
