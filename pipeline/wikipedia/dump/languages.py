"""From what a dump says about its wiki to the words that decide how its pages read."""

from __future__ import annotations

import functools
import importlib.resources

import yaml

from pipeline.wikipedia.dump.page_xml import SiteInfo
from pipeline.wikipedia.wikitext.site import ENGLISH, Site

_FILE, _CATEGORY = 6, 14


def wikitext_site(info: SiteInfo) -> Site:
    """The wiki's own names of its file and category namespaces, and those of all languages.

    Pages are copied from wiki to wiki, and a head may be missing or wrong, so every language's
    words are known everywhere: no wiki uses another's as the start of an article's title.
    """
    own_file = {name.casefold() for name in (info.namespaces.get(_FILE, ""),) if name}
    own_category = {name.casefold() for name in (info.namespaces.get(_CATEGORY, ""),) if name}
    return Site(
        file_namespaces=ENGLISH.file_namespaces | _words("file") | own_file,
        category_namespaces=ENGLISH.category_namespaces | _words("category") | own_category,
        redirect_words=ENGLISH.redirect_words | _words("redirect"),
        language=info.language.partition("-")[0].casefold() or ENGLISH.language,
    )


@functools.cache
def _words(kind: str) -> frozenset[str]:
    table = importlib.resources.files(__package__).joinpath("languages.yaml")
    languages = yaml.safe_load(table.read_text(encoding="utf-8"))
    return frozenset(word.casefold() for words in languages.values() for word in words[kind])
