"""Which passages a cell means, where links are not given: the cell's text against titles.

An index proposes passages whose titles share words with the cell; they are scored here. A title
counts by how much of it the cell says, or the table's own title, section and column say of what the
cell leaves out (``Ireland`` under *Rugby sevens* means the *Ireland national rugby sevens team*),
times the root of how much of the cell the title covers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from pipeline.matching.titles import bare_title
from pipeline.matching.tokens import tokenize

# The least score of a link, where none is given.
LINK_THRESHOLD = 0.6
# What the table says counts for less than what the cell says.
_SAID_BY_TABLE = 0.8
_MOST_LINKS = 4
_MOST_WORDS = 30


def is_linkable(text: str) -> bool:
    """Whether a cell may name an article: it has letters, and is no running text."""
    tokens = tokenize(text)
    return 0 < len(tokens) <= _MOST_WORDS and any(not token[0].isdigit() for token in tokens)


def chosen_titles(
    cell: str, context: str, titles: Iterable[str], threshold: float
) -> list[tuple[str, float]]:
    """The titles that a cell means, best first, with their scores from 0 to 1.

    Each next one must be of words of the cell that no better one has taken. Ties go to the longer
    title in the cell's words, then by title.
    """
    words, around = tokenize(cell), frozenset(tokenize(context))
    if not words:
        return []
    scored = []
    for title in dict.fromkeys(titles):
        mine = tokenize(title)
        taken = frozenset(mine) & frozenset(words)
        score = title_score(words, around, mine, tokenize(bare_title(title)))
        if score > 0 and score >= threshold:
            scored.append((-score, -len(taken), title, taken))
    chosen: list[tuple[str, float]] = []
    left = set(words)
    for negative, _, title, taken in sorted(scored):
        if taken <= left and len(chosen) < _MOST_LINKS:
            chosen.append((title, -negative))
            left -= taken
    return chosen


def title_score(
    cell: Sequence[str], context: frozenset[str], title: Sequence[str], bare: Sequence[str]
) -> float:
    """From 0 to 1; 0 where cell and title share no word.

    ``bare`` is the title without the words in brackets at its end: those tell articles of one name
    apart, so they only help, a little, when the table says them.
    """
    said = frozenset(cell)
    if not bare or not said & frozenset(bare):
        return 0.0
    support = sum(1.0 if word in said else _SAID_BY_TABLE * (word in context) for word in bare)
    covered = sum(word in frozenset(title) for word in cell) / len(cell)
    bracketed = frozenset(title) - frozenset(bare)
    known = len(bracketed & (said | context)) / len(bracketed) if bracketed else 0.5
    return min(1.0, support / len(bare) * math.sqrt(covered) * (0.95 + 0.05 * known))
