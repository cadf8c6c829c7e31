"""The one tokenizer of all matching: words and numbers, without the conventions of any corpus.

It makes equal what only conventions tell apart: ``Israel 's`` and ``Israel's``, ``-LRB-`` and
``(``, ```` `` ```` and ``"``, kinds of space and dash, composed and decomposed letters, spacing
before punctuation, and the placeholders that WikiExtractor left in SelQA.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata

# Penn Treebank names of brackets, and what WikiExtractor writes for formulas and code.
_PLACEHOLDER = re.compile(r"-[lr][rsc]b-|\b(?:formula|codice)_\d+")
# The Treebank cuts "don't" to "do n't" and "cannot" to "can not".
_NOT = re.compile(r"(?<=\w) n['’]t\b")
_CANNOT = re.compile(r"\bcannot\b")
_APOSTROPHE_NOT = re.compile(r"n['’]t\b")
# Every combining mark and every script without spaces lies in these ranges; a text without them
# is read by a pattern that need not look for any, five times as fast.
_SPECIAL = re.compile("[\u0300-\u036f\u0483-\u1dff\u20d0-\u20ff\u2c00-\U0010ffff]")
_PLAIN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_PLAIN_ASCII = re.compile(r"[0-9]+(?:[.,][0-9]+)*|[a-z]+")
_INVISIBLE = dict.fromkeys(
    (0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), 0xFEFF)
)


def tokenize(text: str) -> list[str]:
    """The tokens of a text in order: casefolded words, and numbers with their separators.

    Punctuation and symbols are no tokens. Scripts written without spaces (Han, Kana, Thai, Lao,
    Khmer, Burmese) give one token a character.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.translate(_INVISIBLE))
    text = text.casefold()
    # Looked for before they are replaced: few texts hold any of them.
    if "b-" in text or "a_" in text or "e_" in text:
        text = _PLACEHOLDER.sub(" ", text)
    if "n't" in text or "n’t" in text:
        text = _APOSTROPHE_NOT.sub("n't", _NOT.sub("n't", text))
    if "cannot" in text:
        text = _CANNOT.sub("can not", text)
    if text.isascii():
        return _PLAIN_ASCII.findall(text)
    return (_pattern() if _SPECIAL.search(text) else _PLAIN).findall(text)


@functools.cache
def _pattern() -> re.Pattern[str]:
    """Numbers, then single characters of unspaced scripts, then runs of letters and marks."""
    marks = _ranges_of_marks()
    unspaced = (
        "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
        "\uf900-\ufaff\U00020000-\U000323af"
    )
    letter = rf"(?:(?![{unspaced}])[^\W\d_])"
    return re.compile(rf"\d+(?:[.,]\d+)*|[{unspaced}][{marks}]*|{letter}(?:{letter}|[{marks}])*")


def _ranges_of_marks() -> str:
    """Combining marks as ranges of a character class: letters of many scripts carry them."""
    ranges: list[list[int]] = []
    for code in range(0x300, min(sys.maxunicode, 0x1F000)):
        if unicodedata.category(chr(code)) in ("Mn", "Mc"):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
