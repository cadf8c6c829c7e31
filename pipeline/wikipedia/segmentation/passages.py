"""Making passages of an article's blocks: which kinds, how short, and where long ones are cut."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from pipeline.files import text_sha1
from pipeline.records import Article, Passage

Splitter = Callable[[str], list[tuple[int, int]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Which blocks become passages. ``words`` is None where a passage is a whole block."""

    kinds: Collection[str]
    min_characters: int
    words: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A block, or a piece of one, that becomes no passage."""

    passage_id: str
    kind: str
    text: str
    reason: str


def rules_of(kinds: Collection[str], min_characters: int, unit: str) -> Rules:
    """The rules that ``segment.unit``, ``paragraph`` or ``words:N``, and its neighbours set."""
    _, colon, number = unit.partition(":")
    return Rules(
        kinds=frozenset(kinds),
        min_characters=min_characters,
        words=int(number) if colon else None,
    )


def passages_of(article: Article, rules: Rules, split: Splitter) -> Iterator[Passage | Dropped]:
    """What becomes of each block of an article, in order: passages, or the reason for none.

    The n of an id counts all blocks, so a changed rule renames no passage.
    """
    for number, block in enumerate(article.blocks):
        passage_id = f"{article.page_id}-{number}"
        text = block.text.strip()
        reason = _reason_to_drop(block.kind, text, rules)
        if reason is not None:
            yield Dropped(passage_id=passage_id, kind=block.kind, text=text, reason=reason)
            continue
        spans = split(text)
        pieces = [spans] if rules.words is None else cut_spans(text, spans, rules.words)
        for piece_number, piece in enumerate(pieces, 1):
            start, end = piece[0][0], piece[-1][1]
            piece_text = text[start:end]
            yield Passage(
                passage_id=passage_id if rules.words is None else f"{passage_id}.{piece_number}",
                page_id=article.page_id,
                revision_id=article.revision_id,
                title=article.title,
                section=block.section,
                text=piece_text,
                text_sha1=text_sha1(piece_text),
                sentence_starts=tuple(span[0] - start for span in piece),
                sentence_ends=tuple(span[1] - start for span in piece),
            )


def _reason_to_drop(kind: str, text: str, rules: Rules) -> str | None:
    if kind not in rules.kinds:
        return f"kind {kind}"
    if not text:
        return "empty"
    if len(text) < rules.min_characters:
        return "too short"
    return None


def cut_spans(text: str, spans: list[tuple[int, int]], words: int) -> list[list[tuple[int, int]]]:
    """Group sentences into pieces of about ``words`` words, cut at ends of sentences only.

    A piece is closed where that brings its length nearest to ``words``; a sentence is never cut.
    """
    pieces: list[list[tuple[int, int]]] = []
    current: list[tuple[int, int]] = []
    count = 0
    for start, end in spans:
        length = len(text[start:end].split())
        if current and abs(count + length - words) > abs(words - count):
            pieces.append(current)
            current, count = [], 0
        current.append((start, end))
        count += length
    if current:
        pieces.append(current)
    return pieces
