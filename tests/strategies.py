"""Hypothesis strategies for texts, sentences, records, runs and qrels."""

from __future__ import annotations

import string

from hypothesis import strategies as st

from pipeline import records
from pipeline.files import text_sha1
from pipeline.matching.features import FEATURES

# Few words, so that sentences share n-grams and repeat their own.
WORDS = ("the", "river", "Lune", "flows", "north", "1,204", "km", "and", "is", "not", "Ångström")

words = st.sampled_from(WORDS)
token_lists = st.lists(words.map(str.casefold), max_size=12)
sentences = st.lists(words, max_size=12).map(" ".join)

# Whatever a Parquet string can hold: everything but surrogates, which are no characters.
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)
ids = st.text(string.ascii_letters + string.digits + "-_.", min_size=1, max_size=8)
int32s = st.integers(-(2**31), 2**31 - 1)
int64s = st.integers(-(2**63), 2**63 - 1)
int8s = st.integers(-128, 127)
floats = st.floats(allow_nan=False)
float32s = st.floats(allow_nan=False, width=32)


def _tuples(elements: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(elements, max_size=4).map(tuple)


def _maybe(values: st.SearchStrategy) -> st.SearchStrategy:
    return st.none() | values


articles = st.builds(
    records.Article,
    page_id=int64s,
    revision_id=int64s,
    title=texts,
    blocks=_tuples(st.builds(records.Block, kind=texts, section=texts, text=texts)),
)
redirects = st.builds(records.Redirect, title=texts, target=texts, page_id=int64s)
passages = st.builds(
    records.Passage,
    passage_id=ids,
    page_id=int64s,
    revision_id=int64s,
    title=texts,
    section=texts,
    text=texts,
    text_sha1=texts.map(text_sha1),
    sentence_starts=_tuples(int32s),
    sentence_ends=_tuples(int32s),
)
questions = st.builds(
    records.Question,
    question_id=ids,
    corpus=ids,
    split=ids,
    question=texts,
    title=_maybe(texts),
    answer_sentences=_tuples(texts),
    answers=_tuples(texts),
    candidates=_tuples(texts),
    labels=_tuples(int8s),
    attributes=st.dictionaries(texts, texts, max_size=3),
)
candidates = st.builds(
    records.Candidate,
    question_id=ids,
    answer_index=int32s,
    rank=int32s,
    passage_id=ids,
    retrieval_score=floats,
)
scores = st.builds(
    records.Score,
    question_id=ids,
    answer_index=int32s,
    passage_id=_maybe(ids),
    rank=_maybe(int32s),
    retrieval_score=_maybe(floats),
    sentence_index=_maybe(int32s),
    sentence_count=_maybe(int32s),
    cosine_1=_maybe(floats),
    cosine_2=_maybe(floats),
    cosine_3=_maybe(floats),
    answer_tokens=int32s,
    sentence_tokens=_maybe(int32s),
    title_match=_maybe(st.booleans()),
    article_present=_maybe(st.booleans()),
    **{name: _maybe(float32s) for name in FEATURES},
)
silver_rows = st.builds(
    records.Silver,
    question_id=ids,
    answer_index=int32s,
    passage_id=_maybe(ids),
    sentence_index=_maybe(int32s),
    sentence_count=_maybe(int32s),
    similarity=_maybe(floats),
    cosine_similarity=_maybe(floats),
    rank=_maybe(int32s),
    matched=st.booleans(),
    loss=_maybe(texts),
)
document_frequencies = st.builds(
    records.DocumentFrequency, ngram=texts, order=int8s, passages=int64s
)

block_contents = st.builds(
    records.BlockContents,
    passage_id=ids,
    table_id=_maybe(ids),
    row=_maybe(int32s),
    links=_tuples(texts),
)

# Each record with rows of it: what must survive writing and reading.
ROWS_OF = {
    records.Article: articles,
    records.Redirect: redirects,
    records.Passage: passages,
    records.Question: questions,
    records.Candidate: candidates,
    records.Score: scores,
    records.Silver: silver_rows,
    records.DocumentFrequency: document_frequencies,
    records.BlockContents: block_contents,
}

question_ids = st.sampled_from(("q1", "q2", "q3", "q4"))
passage_ids = st.sampled_from([f"{page}-{n}" for page in (1, 2, 10) for n in (0, 1, 9, 10)])
# Few values, so that ties are many; 32-bit, as Lucene scores.
run_scores = st.sampled_from((0.0, 0.5, 1.0, 1.5, 12.25)) | st.floats(0, 100, width=32)
hits = st.dictionaries(passage_ids, run_scores, max_size=10).map(
    lambda scored: sorted(scored.items(), key=lambda hit: (-hit[1], hit[0]))
)
runs = st.dictionaries(question_ids, hits, max_size=4)
qrels = st.dictionaries(
    question_ids,
    st.dictionaries(passage_ids, st.just(1), min_size=1, max_size=4),
    min_size=1,
    max_size=4,
)
