"""Rows of texts from a user's file, scored against a collection's statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.config import Config
from pipeline.errors import InputError
from pipeline.matching.best import ScoreColumns, columns_of
from pipeline.matching.text_pairs import TextPair, score_text_pairs
from pipeline.matching.titles import title_key
from pipeline.stages.collection import read_idf, redirect_targets
from pipeline.wikipedia.segmentation.sentences import make_splitter

_TEXTS = ("answer_sentence", "passage_title", "passage")


def score_rows(
    rows: Sequence[Mapping[str, Any]], index: Path, redirects: Path | None, config: Config
) -> ScoreColumns:
    """The Score columns of checked rows, in their order; row n is question n."""
    pairs = [
        TextPair(
            title=row.get("title") or None,
            answer_sentence=row["answer_sentence"],
            passage_title=row["passage_title"],
            passage=row["passage"],
            short_answers=tuple(row.get("answers") or ()),
        )
        for row in rows
    ]
    titles = (title for pair in pairs for title in (pair.title, pair.passage_title) if title)
    named = {title_key(title) for title in titles}
    targets = redirect_targets(redirects, named) if redirects is not None else {}
    split = make_splitter(
        config.segment.splitter, config.segment.language, (pair.passage for pair in pairs)
    )
    table = score_text_pairs(pairs, read_idf(index), split, config.score.max_sentences, targets)
    return columns_of(table)


def check_texts(row: Mapping[str, object], where: str) -> None:
    """Refuse a row without the three texts that a scorer needs."""
    for name in _TEXTS:
        if not isinstance(row.get(name), str):
            raise InputError(f"{where}: no text '{name}'")
    if not isinstance(row.get("title"), str | None):
        raise InputError(f"{where}: 'title' is no text")
    answers = row.get("answers")
    if answers is not None and not (
        isinstance(answers, list) and all(isinstance(answer, str) for answer in answers)
    ):
        raise InputError(f"{where}: 'answers' is no list of texts")
