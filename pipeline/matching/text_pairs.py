"""Pairs of an answer sentence and a passage that come as texts, scored as the pipeline scores."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.files import text_sha1
from pipeline.matching.idf import Idf
from pipeline.matching.pairs import AnswerToScore, score_answers
from pipeline.matching.titles import title_key
from pipeline.records import Candidate, Passage
from pipeline.wikipedia.segmentation.sentences import Splitter

if TYPE_CHECKING:
    import pyarrow as pa

_TOGETHER = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPair:
    """An answer sentence and a passage.

    ``title`` is the article that the corpus names and ``short_answers`` are its answers, if any.
    """

    title: str | None
    answer_sentence: str
    passage_title: str
    passage: str
    short_answers: tuple[str, ...] = ()


def score_text_pairs(
    pairs: Sequence[TextPair],
    idf: Idf,
    split: Splitter,
    max_sentences: int,
    targets: Mapping[str, str],
) -> pa.Table:
    """A table of Score rows in the order of the pairs; pair n is question ``f"{n:09d}"``.

    ``split`` finds the sentences of the passages; ``targets`` leads from the keys of redirects'
    titles to those of their articles. Retrieval rank and score are made up and used by nothing.
    """
    import pyarrow as pa

    tables = []
    for batch in itertools.batched(enumerate(pairs), _TOGETHER):
        passages = {f"{n:09d}": _passage(n, pair, split) for n, pair in batch}
        answers = [_answer(n, pair, targets) for n, pair in batch]
        articles = {answer.article: True for answer in answers if answer.article is not None}
        tables.append(score_answers(answers, passages, articles, max_sentences, idf))
    return pa.concat_tables(tables)


def _answer(number: int, pair: TextPair, targets: Mapping[str, str]) -> AnswerToScore:
    article = None
    if pair.title:
        own, named = title_key(pair.passage_title), title_key(pair.title)
        article = targets.get(named, named)
        if targets.get(own, own) == article:
            article = own  # the passage may stand under a redirect's title, too
    candidate = Candidate(
        question_id=f"{number:09d}",
        answer_index=0,
        rank=1,
        passage_id=f"{number:09d}",
        retrieval_score=0.0,
    )
    return AnswerToScore(
        question_id=f"{number:09d}",
        answer_index=0,
        text=pair.answer_sentence,
        candidates=(candidate,),
        article=article,
        short_answers=pair.short_answers,
    )


def _passage(number: int, pair: TextPair, split: Splitter) -> Passage:
    spans = split(pair.passage)
    return Passage(
        passage_id=f"{number:09d}",
        page_id=number,
        revision_id=0,
        title=pair.passage_title,
        section="",
        text=pair.passage,
        text_sha1=text_sha1(pair.passage),
        sentence_starts=tuple(start for start, _ in spans),
        sentence_ends=tuple(end for _, end in spans),
    )
