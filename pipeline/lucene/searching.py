"""Searches the index: fielded BM25 with boosts, ties by passage id, passages by id.

A query is the sum over fields of boost times BM25 of the text's terms in that field, each
analysed as the field was. The order is (-score, passage_id) to the last place, ties at the cut
included, so it depends neither on segments nor on the number of workers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pipeline.config import BM25, IndexField
from pipeline.errors import InputError
from pipeline.lucene.analysis import analyzer_of
from pipeline.lucene.jvm import as_class, char_sequence, java_class
from pipeline.matching.titles import title_key
from pipeline.records import Passage

# Lucene refuses longer queries; an answer of 400 words has some 1,200 n-grams.
_MOST_CLAUSES = 1 << 20
# Few more than asked for, to see a tie at the cut: every hit costs the reading of its stored text.
_SPARE_HITS = 2


@dataclass(frozen=True, slots=True)
class Hit:
    """One passage that was found, and its score: a 32-bit float."""

    passage_id: str
    score: float


class Searcher:
    """Reads one index. Use it as a context manager; it is bound to the process that made it."""

    def __init__(self, folder: Path, fields: Mapping[str, IndexField], bm25: BM25) -> None:
        if not (folder.is_dir() and any(folder.glob("segments_*"))):
            raise InputError(f"{folder}: no Lucene index")
        self._folder = folder
        self._reader = _open_reader(folder)
        searcher_class = java_class("org.apache.lucene.search.IndexSearcher")
        searcher_class.setMaxClauseCount(_MOST_CLAUSES)
        self._searcher = searcher_class(
            as_class("org.apache.lucene.index.IndexReader", self._reader)
        )
        self.use_bm25(bm25)
        # Queries differ from each other, so a cache of them only costs.
        self._searcher.setQueryCache(None)
        self._fields = dict(fields)
        builder = java_class("org.apache.lucene.util.QueryBuilder")
        self._builder = builder(analyzer_of(fields))
        # Shingles span several positions; as a graph they would become phrase queries.
        self._builder.setEnableGraphQueries(False)
        self._query_builder = java_class("org.apache.lucene.search.BooleanQuery$Builder")
        self._should = java_class("org.apache.lucene.search.BooleanClause$Occur").SHOULD
        self._boosted = java_class("org.apache.lucene.search.BoostQuery")
        self._scored_docs = java_class("io.anserini.search.ScoredDocs")
        self._stored = self._reader.storedFields()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._reader.close()

    def use_bm25(self, bm25: BM25) -> None:
        """Score all further searches with these parameters."""
        similarity = java_class("org.apache.lucene.search.similarities.BM25Similarity")
        self._searcher.setSimilarity(similarity(bm25.k1, bm25.b))

    @property
    def passage_count(self) -> int:
        """How many passages the index holds."""
        return int(self._reader.numDocs())

    def search(self, text: str, boosts: Mapping[str, float], depth: int) -> list[Hit]:
        """The best ``depth`` passages for a text; none when nothing is left of it after analysis.

        The text is never read as query syntax.
        """
        query = self._query(text, boosts)
        if query is None:
            return []
        # Lucene cuts ties by its own numbering: fetch on until the score falls below the last.
        wanted = depth + _SPARE_HITS
        while True:
            with _java_faults_named(self._folder):
                found = self._searcher.search(query, wanted)
                documents = self._scored_docs.fromTopDocs(found, self._searcher)
            ids, scores = documents.docids, documents.scores
            if len(ids) < wanted or scores[-1] < scores[depth - 1]:
                break
            wanted *= 4
        ranked = sorted(zip(ids, scores, strict=True), key=lambda hit: (-hit[1], hit[0]))
        return [Hit(passage_id, score) for passage_id, score in ranked[:depth]]

    def passage(self, passage_id: str) -> Passage | None:
        """The passage of that id as it was indexed, or None."""
        number = self._document_number("id", passage_id)
        if number is None:
            return None
        return self._stored_passage(number)

    def passages_by_id(self, passage_ids: Iterable[str]) -> dict[str, Passage]:
        """The passages of these ids, one search for all; ids the index does not hold are left out.

        In the order of the index, whatever the order of the ids.
        """
        wanted = java_class("java.util.ArrayList")()
        bytes_ref = java_class("org.apache.lucene.util.BytesRef")
        for passage_id in passage_ids:
            term = bytes_ref(char_sequence(passage_id))
            wanted.add(term)
        if wanted.isEmpty():
            return {}
        terms = as_class("java.util.Collection", wanted)
        query = java_class("org.apache.lucene.search.TermInSetQuery")("id", terms)
        with _java_faults_named(self._folder):
            found = self._searcher.search(query, wanted.size()).scoreDocs
        numbers = sorted(int(entry.doc) for entry in found)
        rows = map(self._stored_passage, numbers)
        return {row.passage_id: row for row in rows}

    def missing(self, passage_ids: Iterable[str]) -> set[str]:
        """Those of the ids that stand for no passage of the index."""
        term = java_class("org.apache.lucene.index.Term")
        return {name for name in passage_ids if not self._reader.docFreq(term("id", name))}

    def passages(self, start: int = 0, stop: int | None = None) -> Iterator[Passage]:
        """Passages in the order of the index: from document ``start`` up to, without, ``stop``."""
        end = self.passage_count if stop is None else min(stop, self.passage_count)
        for number in range(start, end):
            yield self._stored_passage(number)

    def holds_article(self, title: str) -> bool:
        """Whether a passage of an article of this title is in the index."""
        return self._document_number("title_key", title_key(title)) is not None

    def _query(self, text: str, boosts: Mapping[str, float]) -> Any:
        builder = self._query_builder()
        empty = True
        for field, boost in sorted(boosts.items()):
            if boost == 0:
                continue
            part = self._builder.createBooleanQuery(field, text)
            if part is not None:
                # Unboosted, a field's terms are inlined, and Lucene can skip among them.
                builder.add(part if boost == 1 else self._boosted(part, boost), self._should)
                empty = False
        return None if empty else builder.build()

    def _document_number(self, field: str, value: str) -> int | None:
        term = java_class("org.apache.lucene.index.Term")(field, value)
        query = java_class("org.apache.lucene.search.TermQuery")(term)
        with _java_faults_named(self._folder):
            found = self._searcher.search(query, 1).scoreDocs
        return int(found[0].doc) if found else None

    def _stored_passage(self, number: int) -> Passage:
        with _java_faults_named(self._folder):
            raw = self._stored.document(number).get("raw")
        try:
            return _passage(raw)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{self._folder}: document {number} is no passage ({error}); run the index stage "
                "again"
            ) from None


@contextmanager
def _java_faults_named(folder: Path) -> Iterator[None]:
    """A damaged index is found only when its bytes are read."""
    from jnius import JavaException

    try:
        yield
    except JavaException as error:
        raise InputError(
            f"{folder}: cannot be searched ({error.innermessage}); run the index stage again"
        ) from None


def _open_reader(folder: Path) -> Any:
    path = java_class("java.nio.file.Paths").get(str(folder.absolute()))
    directory = java_class("org.apache.lucene.store.FSDirectory").open(path)
    from jnius import JavaException

    try:
        return java_class("org.apache.lucene.index.DirectoryReader").open(directory)
    except JavaException as error:
        raise InputError(
            f"{folder}: no whole Lucene index ({error.innermessage}); run the index stage again"
        ) from None


def _passage(raw: str) -> Passage:
    stored = json.loads(raw)
    return Passage(
        passage_id=stored["id"],
        page_id=stored["page_id"],
        revision_id=stored["revision_id"],
        title=stored["title"],
        section=stored["section"],
        text=stored["contents"],
        text_sha1=stored["text_sha1"],
        sentence_starts=tuple(stored["sentence_starts"]),
        sentence_ends=tuple(stored["sentence_ends"]),
    )
