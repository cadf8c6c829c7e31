"""Names in a text, by their capital letters."""

from __future__ import annotations

import re

from pipeline.matching.tokens import tokenize

_CAPITAL = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0391-\u03a9\u0410-\u042f"
# A capitalised word that opens neither the text nor a sentence of it.
_NAME = re.compile(rf"(?<!^)(?<![.!?:]\s)\b[{_CAPITAL}][^\W\d_]+")


def names_in(text: str) -> list[str]:
    """Tokens of the capitalised words of a text that do not open one of its sentences."""
    return tokenize(" ".join(_NAME.findall(text)))
