"""Cutting a paragraph into sentences: exact character spans, whichever splitter is chosen.

``rules`` is the project's own set of rules for the languages that ``sentences.yaml`` has words
for, and ``sentencex`` for any other. ``sentencex`` is the library of that name, whose pieces are
brought back to exact spans. ``punkt`` is NLTK's unsupervised model, trained on the collection
itself: nothing is downloaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pipeline.wikipedia.segmentation.sentence_rules import rule_splitter, words_of

Spans = list[tuple[int, int]]
Splitter = Callable[[str], Spans]

# Marks that close what the sentence before them opened, where a splitter left them behind.
_CLOSERS = frozenset("\"”’'»)]」』")
_WIDE_SPACE = re.compile(r"[^\S\n]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PunktModel:
    """What Punkt has learnt, as plain sorted values: the same for the same text, easily sent."""

    abbreviations: tuple[str, ...]
    collocations: tuple[tuple[str, str], ...]
    starters: tuple[str, ...]
    orthography: tuple[tuple[str, int], ...]


def make_splitter(name: str, language: str, training_text: Iterable[str] | None = None) -> Splitter:
    """The splitter of that name for a language; ``punkt`` needs texts to be trained on.

    The spans that a splitter returns are in order and disjoint, have no white space at either
    end, and cover every visible character.
    """
    match name:
        case "rules":
            words = words_of(language)
            return rule_splitter(words) if words else _sentencex_splitter(language)
        case "sentencex":
            return _sentencex_splitter(language)
        case "punkt":
            return punkt_splitter(train_punkt(training_text or ()))
        case _:
            raise ValueError(f"'{name}' is no splitter; expected rules, sentencex or punkt")


def train_punkt(texts: Iterable[str]) -> PunktModel:
    """Learn abbreviations, collocations and words that open sentences from plain texts."""
    from nltk.tokenize.punkt import PunktTrainer

    trainer = PunktTrainer()
    learnt = 0
    for text in texts:
        trainer.train(text, finalize=False)
        learnt += 1
    if learnt:
        trainer.finalize_training()
    parameters = trainer.get_params()
    return PunktModel(
        abbreviations=tuple(sorted(parameters.abbrev_types)),
        collocations=tuple(sorted(parameters.collocations)),
        starters=tuple(sorted(parameters.sent_starters)),
        orthography=tuple(sorted(parameters.ortho_context.items())),
    )


def punkt_splitter(model: PunktModel) -> Splitter:
    """A splitter that uses what Punkt has learnt."""
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters: Any = PunktParameters()
    parameters.abbrev_types.update(model.abbreviations)
    parameters.collocations.update(model.collocations)
    parameters.sent_starters.update(model.starters)
    parameters.ortho_context.update(model.orthography)
    tokenizer = PunktSentenceTokenizer(parameters)

    def split(text: str) -> Spans:
        return spans_between(text, [end for _, end in tokenizer.span_tokenize(text)])

    return split


def _sentencex_splitter(language: str) -> Splitter:
    import sentencex

    def split(text: str) -> Spans:
        # The library stops the process at white space of several bytes after an initial.
        plain = _WIDE_SPACE.sub(" ", text)
        found = sentencex.get_sentence_boundaries(language, plain)
        return spans_between(text, [piece["end_index"] for piece in found])

    return split


def spans_between(text: str, ends: Iterable[int]) -> Spans:
    """The spans that cuts at these offsets leave, trimmed; empty ones vanish.

    A closing quote or bracket right after a cut belongs to the sentence before it.
    """
    spans: Spans = []
    start = 0
    for end in [*ends, len(text)]:
        while start < end < len(text) and text[end] in _CLOSERS and not text[end - 1].isspace():
            end += 1
        piece = text[start:end]
        bare = piece.strip()
        if bare:
            first = start + piece.index(bare)
            spans.append((first, first + len(bare)))
        start = max(start, end)
    return spans
