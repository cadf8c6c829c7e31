"""Answer sentences against every window of their candidate passages: the rows of the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.matching.cosines import pair_cosines
from pipeline.matching.titles import title_key
from pipeline.matching.tokens import tokenize
from pipeline.matching.windows import windows
from pipeline.records import Candidate, Passage, Score, arrow_schema

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerToScore:
    """One answer sentence and its candidates by rank.

    ``article`` is the normalised title of the article that the corpus names, through redirects.
    """

    question_id: str
    answer_index: int
    text: str
    candidates: tuple[Candidate, ...]
    article: str | None


def score_answers(
    answers: Sequence[AnswerToScore],
    passages: Mapping[str, Passage],
    present: Mapping[str, bool],
    max_sentences: int,
) -> pa.Table:
    """A table of Score rows: per answer sentence, candidate and window, in this order.

    ``passages`` holds every candidate; ``present`` says of each named article whether it is in the
    collection. An answer sentence without any window has one row without a passage.
    """
    import pyarrow as pa

    texts = [tokenize(answer.text) for answer in answers]
    cut = {}
    for passage_id, passage in passages.items():
        pieces = list(windows(passage, max_sentences))
        cut[passage_id] = (len(texts), pieces, title_key(passage.title))
        texts.extend(tokenize(piece.text) for piece in pieces)

    columns: dict[str, list[object]] = {name: [] for name in arrow_schema(Score).names}
    one: list[int] = []
    other: list[int] = []
    rows: list[int] = []  # of each pair, its row among all rows
    for number, answer in enumerate(answers):
        before = len(columns["rank"])
        for candidate in answer.candidates:
            first_text, pieces, title = cut[candidate.passage_id]
            count = len(pieces)
            rows.extend(range(len(columns["rank"]), len(columns["rank"]) + count))
            one.extend([number] * count)
            other.extend(range(first_text, first_text + count))
            match = None if answer.article is None else title == answer.article
            columns["passage_id"].extend([candidate.passage_id] * count)
            columns["rank"].extend([candidate.rank] * count)
            columns["retrieval_score"].extend([candidate.retrieval_score] * count)
            columns["sentence_index"].extend(piece.first for piece in pieces)
            columns["sentence_count"].extend(piece.count for piece in pieces)
            columns["title_match"].extend([match] * count)
        if len(columns["rank"]) == before:
            for name in _OF_A_WINDOW:
                columns[name].append(None)
        added = len(columns["rank"]) - before
        columns["question_id"].extend([answer.question_id] * added)
        columns["answer_index"].extend([answer.answer_index] * added)
        columns["answer_tokens"].extend([len(texts[number])] * added)
        there = None if answer.article is None else present[answer.article]
        columns["article_present"].extend([there] * added)

    total = len(columns["rank"])
    found = pair_cosines(texts, np.array(one, dtype=np.int64), np.array(other, dtype=np.int64))
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    absent = np.ones(total, dtype=bool)
    absent[rows] = False
    arrays = {}
    for field in arrow_schema(Score):
        if field.name.startswith("cosine_"):
            values = np.zeros(total)
            values[rows] = found[:, int(field.name[-1]) - 1]
            arrays[field.name] = pa.array(values, mask=absent)
        elif field.name == "sentence_tokens":
            counts = np.zeros(total, dtype=np.int32)
            counts[rows] = lengths[other]
            arrays[field.name] = pa.array(counts, mask=absent)
        else:
            arrays[field.name] = pa.array(columns[field.name], type=field.type)
    return pa.table(arrays, schema=arrow_schema(Score))


_OF_A_WINDOW = (
    "passage_id", "rank", "retrieval_score", "sentence_index", "sentence_count", "title_match",
)  # fmt: skip
