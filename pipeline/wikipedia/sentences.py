"""Cutting a paragraph into sentences: exact character spans, whichever splitter is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable

Spans = list[tuple[int, int]]
Splitter = Callable[[str], Spans]


def make_splitter(
    name: str, language: str, training_text: Iterable[str] | None = None
) -> Splitter:
    """The splitter of that name for a language."""
    import sentencex

    def split(text: str) -> Spans:
        found = sentencex.get_sentence_boundaries(language, text)
        return trim_spans(text, (item["end_index"] for item in found))

    return split


def trim_spans(text: str, ends: Iterable[int]) -> Spans:
    """Spans between cuts without the white space at their edges; empty ones are left out."""
    spans = []
    start = 0
    for end in [*ends, len(text)]:
        piece = text[start:end]
        bare = piece.strip()
        if bare:
            lead = len(piece) - len(piece.lstrip())
            spans.append((start + lead, start + lead + len(bare)))
        start = max(start, end)
    return spans
