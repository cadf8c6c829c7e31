"""What a wiki calls its namespaces and its redirect word: the parts of ``<siteinfo>`` we need."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The words of one wiki that decide how its pages read; all casefolded but ``language``."""

    file_namespaces: frozenset[str]
    category_namespaces: frozenset[str]
    redirect_words: frozenset[str]
    language: str


ENGLISH = Site(
    file_namespaces=frozenset({"file", "image"}),
    category_namespaces=frozenset({"category"}),
    redirect_words=frozenset({"redirect"}),
    language="en",
)

_REDIRECT = re.compile(
    r"[\s\ufeff]*#([^\s\[:：]+)\s*+[:：]?\s*+\[\[\s*:?([^\[\]|#\n]+)[^\]\n]*\]\]"
)


def redirect_target(wikitext: str, site: Site = ENGLISH) -> str | None:
    """The title that a redirect page names, without its fragment; None for any other page."""
    found = _REDIRECT.match(wikitext)
    if not found:
        return None
    word = found[1].casefold()
    if word != "redirect" and word not in site.redirect_words:
        return None
    title = " ".join(found[2].replace("_", " ").split())
    return title[:1].upper() + title[1:] if title else None
