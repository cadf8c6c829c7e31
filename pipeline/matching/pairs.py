"""Answer sentences against every window of their candidate passages: the rows of the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pipeline.matching.cosines import ORDERS
from pipeline.matching.features import FEATURES, compare
from pipeline.matching.idf import Idf
from pipeline.matching.pair_texts import Pairs
from pipeline.matching.short_answers import telling_answers
from pipeline.matching.titles import bare_title, title_key
from pipeline.matching.tokens import tokenize
from pipeline.matching.windows import Window, windows
from pipeline.records import Candidate, Passage, Score, arrow_schema

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerToScore:
    """One answer sentence and its candidates by rank.

    ``article`` is the normalised title of the article that the corpus names, through redirects;
    ``short_answers`` are the corpus's, if it has any.
    """

    question_id: str
    answer_index: int
    text: str
    candidates: tuple[Candidate, ...]
    article: str | None
    short_answers: tuple[str, ...] = ()


def score_answers(
    answers: Sequence[AnswerToScore],
    passages: Mapping[str, Passage],
    present: Mapping[str, bool],
    max_sentences: int,
    idf: Idf,
) -> pa.Table:
    """A table of Score rows: per answer sentence, candidate and window, in this order.

    ``passages`` holds every candidate; ``present`` says of each named article whether it is in the
    collection, whose document frequencies are ``idf``. An answer sentence without any window has
    one row without a passage.
    """
    import pyarrow as pa

    texts = [tokenize(answer.text) for answer in answers]
    cut = _Windows(passages, max_sentences)

    columns: dict[str, list[object]] = {name: [] for name in arrow_schema(Score).names}
    one: list[int] = []
    other: list[int] = []
    rows: list[int] = []  # of each pair, its row among all rows
    for number, answer in enumerate(answers):
        before = len(columns["rank"])
        for candidate in answer.candidates:
            first_window, pieces, title = cut.of_passage[candidate.passage_id]
            count = len(pieces)
            rows.extend(range(len(columns["rank"]), len(columns["rank"]) + count))
            one.extend([number] * count)
            other.extend(range(first_window, first_window + count))
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

    window = np.array(other, dtype=np.int64)
    pairs = Pairs(
        answers=texts,
        topics=[tokenize(bare_title(answer.article or "")) for answer in answers],
        windows=cut.windows,
        titles=cut.titles,
        answer=np.array(one, dtype=np.int64),
        window=window,
        passage=np.array(cut.passage, dtype=np.int64),
        single=np.array(cut.single, dtype=bool),
        previous=np.array(cut.previous, dtype=np.int64),
        short_answers=[
            telling_answers(answer.short_answers, text)
            for answer, text in zip(answers, texts, strict=True)
        ],
    )
    cosines, features = compare(pairs, idf)
    lengths = np.array([len(text) for text in cut.windows], dtype=np.int64)
    computed: dict[str, NDArray[Any]] = {
        **{f"cosine_{order}": cosines[:, order - 1] for order in ORDERS},
        **{name: features[:, number] for number, name in enumerate(FEATURES)},
        "sentence_tokens": lengths[window],
    }
    total = len(columns["rank"])
    absent = np.ones(total, dtype=bool)
    absent[rows] = False
    arrays = {}
    for field in arrow_schema(Score):
        if field.name in computed:
            values = np.zeros(total)
            values[rows] = computed[field.name]
            arrays[field.name] = pa.array(values, mask=absent).cast(field.type)
        else:
            arrays[field.name] = pa.array(columns[field.name], type=field.type)
    return pa.table(arrays, schema=arrow_schema(Score))


class _Windows:
    """The windows of all passages in a row, as tokens, and the passages they are cut from."""

    def __init__(self, passages: Mapping[str, Passage], max_sentences: int) -> None:
        self.windows: list[list[str]] = []
        self.titles: list[list[str]] = []
        self.passage: list[int] = []
        self.single: list[bool] = []
        self.previous: list[int] = []
        self.of_passage: dict[str, tuple[int, list[Window], str]] = {}
        for number, (passage_id, passage) in enumerate(passages.items()):
            pieces = list(windows(passage, max_sentences))
            self.of_passage[passage_id] = (len(self.windows), pieces, title_key(passage.title))
            alone: dict[int, int] = {}  # the window of each sentence
            for piece in pieces:
                self.windows.append(tokenize(piece.text))
                self.passage.append(number)
                self.single.append(piece.count == 1)
                self.previous.append(alone.get(piece.first - 1, -1))
                if piece.count == 1:
                    alone[piece.first] = len(self.windows) - 1
            self.titles.append(tokenize(bare_title(passage.title)))


_OF_A_WINDOW = (
    "passage_id", "rank", "retrieval_score", "sentence_index", "sentence_count", "title_match",
)  # fmt: skip
