"""When two titles name the same article."""

from __future__ import annotations

import re
import unicodedata

_BRACKETS = re.compile(r"\s*\([^()]*\)$")


def title_key(title: str) -> str:
    """A title in the form that comparisons use.

    Underscores are spaces, the first letter's case does not count (MediaWiki's rule for titles),
    and composed and decomposed letters are equal.
    """
    plain = " ".join(unicodedata.normalize("NFC", title).replace("_", " ").split())
    return plain[:1].upper() + plain[1:]


def bare_title(title: str) -> str:
    """A title without the words in brackets at its end, which tell articles of one name apart."""
    return _BRACKETS.sub("", title.replace("_", " ")) or title
