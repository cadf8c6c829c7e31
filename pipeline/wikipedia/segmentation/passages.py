"""Making passages of an article's blocks: which kinds, how short, and where long ones are cut.

A list that a paragraph announces with a colon is one passage with it: alone, neither says what
the list is of. A line of a list or table is never in one sentence with the next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from pipeline.files import text_sha1
from pipeline.records import Article, Block, Passage

Spans = list[tuple[int, int]]
Splitter = Callable[[str], Spans]

_COLONS = (":", "：")
_OF_LINES = frozenset({"list", "table"})


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A list that is part of the passage of the paragraph before it; ``reason`` names that."""

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


def passages_of(
    article: Article, rules: Rules, split: Splitter
) -> Iterator[Passage | Joined | Dropped]:
    """What becomes of each block of an article, in order: passages, or the reason for none.

    The n of an id counts all blocks, so a changed rule renames no passage. A list joined to its
    lead-in has the id of the lead-in, and its own is not used.
    """
    number = 0
    while number < len(article.blocks):
        block = article.blocks[number]
        passage_id = f"{article.page_id}-{number}"
        announced = _announced_list(article.blocks, number, rules)
        text = block.text.strip()
        if announced is not None:
            text = f"{text}\n{announced.text.strip()}"
        reason = _reason_to_drop(block.kind, text, rules)
        if reason is not None:
            yield Dropped(
                passage_id=passage_id, kind=block.kind, text=block.text.strip(), reason=reason
            )
        else:
            of_lines = announced is not None or block.kind in _OF_LINES
            spans = split_lines(text, split) if of_lines else split(text)
            yield from _pieces(article, block.section, passage_id, text, spans, rules)
        number += 1
        if announced is not None:
            list_id = f"{article.page_id}-{number}"
            text = announced.text.strip()
            if reason is None:
                reason = f"joined to {passage_id}"
                yield Joined(passage_id=list_id, kind="list", text=text, reason=reason)
            else:
                yield Dropped(passage_id=list_id, kind="list", text=text, reason=reason)
            number += 1


def _announced_list(blocks: Sequence[Block], number: int, rules: Rules) -> Block | None:
    """The list right after a paragraph that ends with a colon, if both may become passages."""
    block = blocks[number]
    if block.kind != "paragraph" or not block.text.rstrip().endswith(_COLONS):
        return None
    following = blocks[number + 1] if number + 1 < len(blocks) else None
    if following is None or following.kind != "list" or following.section != block.section:
        return None
    if not following.text.strip() or not {"paragraph", "list"} <= set(rules.kinds):
        return None
    return following


def split_lines(text: str, split: Splitter) -> Spans:
    """The sentences of a text whose lines are items: no sentence goes over the end of a line."""
    spans: Spans = []
    start = 0
    for line in text.split("\n"):
        spans.extend((start + first, start + end) for first, end in split(line))
        start += len(line) + 1
    return spans


def _pieces(
    article: Article, section: str, passage_id: str, text: str, spans: Spans, rules: Rules
) -> Iterator[Passage]:
    pieces = [spans] if rules.words is None else cut_spans(text, spans, rules.words)
    for piece_number, piece in enumerate(pieces, 1):
        start, end = piece[0][0], piece[-1][1]
        piece_text = text[start:end]
        yield Passage(
            passage_id=passage_id if rules.words is None else f"{passage_id}.{piece_number}",
            page_id=article.page_id,
            revision_id=article.revision_id,
            title=article.title,
            section=section,
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


def cut_spans(text: str, spans: Spans, words: int) -> list[Spans]:
    """Group sentences into pieces of about ``words`` words, cut at ends of sentences only.

    A piece is closed where that brings its length nearest to ``words``; a sentence is never cut.
    """
    pieces: list[Spans] = []
    current: Spans = []
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
