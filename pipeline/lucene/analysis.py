"""Turns the analysis named in ``index.fields`` into Lucene analyzers, one a field.

The chain without shingles is Anserini's English one (standard tokenizer, possessives, lower case,
stop words, Porter), so that ``contents`` ranks as Pyserini's BM25 does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.config import IndexField
from pipeline.lucene.jvm import java_class


def field_analyzer(field: IndexField) -> Any:
    """A Lucene analyzer for one field."""
    chain = java_class("org.apache.lucene.analysis.custom.CustomAnalyzer").builder()
    chain = chain.withTokenizer("standard", _options({}))
    chain = chain.addTokenFilter("englishPossessive", _options({}))
    chain = chain.addTokenFilter("lowercase", _options({}))
    if field.stop_words:
        chain = chain.addTokenFilter("stop", _options({}))
    if field.stemmer == "porter":
        chain = chain.addTokenFilter("porterStem", _options({}))
    if field.shingle > 1:
        chain = chain.addTokenFilter("fixedShingle", _options({"shingleSize": str(field.shingle)}))
    return chain.build()


def analyzer_of(fields: Mapping[str, IndexField]) -> Any:
    """One analyzer that treats each field in its own way."""
    by_field = java_class("java.util.HashMap")()
    for name, field in fields.items():
        # First the value, then the call: pyjnius binds ``by_field.put`` when it reads the name, and
        # building an analyzer calls ``put`` of other maps, which binds it anew, to those.
        analyzer = field_analyzer(field)
        by_field.put(name, analyzer)
    standard = java_class("org.apache.lucene.analysis.core.KeywordAnalyzer")()
    wrapper = java_class("org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper")
    return wrapper(standard, by_field)


def _options(values: Mapping[str, str]) -> Any:
    # Lucene removes from this map what it has understood, so each filter needs its own.
    options = java_class("java.util.HashMap")()
    for key, value in values.items():
        options.put(key, value)
    return options


def analyze(texts: Sequence[str], field: IndexField) -> list[list[str]]:
    """The terms that Lucene makes of each text for a field, in order."""
    analyzer = field_analyzer(field)
    term_class = java_class("org.apache.lucene.analysis.tokenattributes.CharTermAttribute")
    found = []
    for text in texts:
        stream = analyzer.tokenStream("contents", text)
        terms = stream.getAttribute(term_class)
        stream.reset()
        mine = []
        while stream.incrementToken():
            mine.append(terms.toString())
        stream.close()
        found.append(mine)
    return found
