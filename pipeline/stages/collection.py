"""What matching needs to know of the collection: document frequencies and redirects."""

from __future__ import annotations

from pathlib import Path

from pipeline import files
from pipeline.errors import InputError
from pipeline.lucene.manifest import FREQUENCIES
from pipeline.matching.idf import Idf, least_frequency
from pipeline.matching.titles import title_key
from pipeline.records import DocumentFrequency, Redirect


def read_idf(index: Path) -> Idf:
    """The frequencies of the tokens that are not rare, and the number of passages."""
    import pyarrow.compute as pc

    counts = files.read_stats(index).get("counts")
    passages = counts.get("passages") if isinstance(counts, dict) else None
    if not isinstance(passages, int) or passages < 1:
        raise InputError(f"{index}: {files.STATS} counts no passages; run the index stage again")
    least = least_frequency(passages)
    frequencies: dict[str, int] = {}
    for part in files.list_parts(index / FREQUENCIES, whole=False):
        for batch in files.read_tables(part, DocumentFrequency):
            single = pc.equal(batch.column("order"), 1)
            kept = batch.filter(pc.and_(single, pc.greater_equal(batch.column("passages"), least)))
            tokens, numbers = (kept.column(name).to_pylist() for name in ("ngram", "passages"))
            frequencies.update(zip(tokens, numbers, strict=True))
    return Idf(passages, frequencies)


def redirect_targets(folder: Path, named: set[str]) -> dict[str, str]:
    """Where the named titles lead: only those, since Wikipedia has more redirects than articles."""
    targets: dict[str, str] = {}
    for part in files.list_parts(folder, whole=False):
        for batch in files.read_tables(part, Redirect, ["title", "target"]):
            titles, leads = (batch.column(name).to_pylist() for name in ("title", "target"))
            for title, target in zip(titles, leads, strict=True):
                key = title_key(title)
                if key in named:
                    targets.setdefault(key, title_key(target))
    return targets
