"""Runs of apostrophes: which are italics and bold, and which are letters that stay.

MediaWiki reads them line by line. Two open or close italics, three bold, five both; a fourth and
everything past the fifth are text. When a line has an odd number of both, one bold mark was an
apostrophe and an italic mark: the first after a word of one letter, else after a longer word,
else after a space.
"""

from __future__ import annotations

import re

from pipeline.wikipedia.wikitext.marks import SHELTERED_COLON

_RUN = re.compile(r"('{2,})")


def strip_apostrophes(line: str) -> str:
    """A line without the apostrophes that mark italics and bold."""
    if "''" not in line:
        return line
    pieces = _RUN.split(line)
    if ";" in pieces[0][:8]:
        # A colon inside bold or italics does not end the term of a definition list.
        pieces[2::4] = [piece.replace(":", SHELTERED_COLON) for piece in pieces[2::4]]
    italics = bold = 0
    for place in range(1, len(pieces), 2):
        length = len(pieces[place])
        letters = 0
        if length == 4:
            letters, length = 1, 3
        elif length > 5:
            letters, length = length - 5, 5
        if letters:
            pieces[place - 1] += "'" * letters
            pieces[place] = "'" * length
        if length != 3:
            italics += 1
        if length != 2:
            bold += 1
    if italics % 2 and bold % 2:
        _free_one(pieces)
    return "".join(pieces[::2])


def _free_one(pieces: list[str]) -> None:
    """Give one apostrophe of a bold mark back to the word before it."""
    after_letter = after_word = after_space = -1
    for place in range(1, len(pieces), 2):
        if len(pieces[place]) != 3:
            continue
        before = pieces[place - 1]
        if before[-1:] == " ":
            if after_space < 0:
                after_space = place
        elif before[-2:-1] == " ":
            after_letter = place
            break
        elif after_word < 0:
            after_word = place
    for place in (after_letter, after_word, after_space):
        if place >= 0:
            pieces[place - 1] += "'"
            return
