"""From the wikitext of a page to the blocks a reader sees."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.records import Block
from pipeline.wikipedia.apostrophes import strip_apostrophes
from pipeline.wikipedia.blocks import BlockBuilder
from pipeline.wikipedia.extensions import read_extensions
from pipeline.wikipedia.links import read_links, read_plain_links
from pipeline.wikipedia.marks import clean
from pipeline.wikipedia.site import ENGLISH, Site, redirect_target
from pipeline.wikipedia.tags import read_tags
from pipeline.wikipedia.templates import expand_templates

__all__ = ["ENGLISH", "PageText", "Site", "read_page", "redirect_target"]

_SWITCH = re.compile(r"__[A-ZÀ-Þ]+__")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """The blocks of a page, and what could not be read as it should."""

    blocks: tuple[Block, ...]
    unknown_templates: Mapping[str, int]
    fallback: str | None


def read_page(
    title: str,
    wikitext: str,
    site: Site = ENGLISH,
    *,
    max_characters: int,
    max_seconds: float,
) -> PageText:
    """The blocks of a page."""
    unknown: Counter[str] = Counter()
    text = read_tags(read_extensions(clean(wikitext)))
    text = expand_templates(read_plain_links(text), unknown)
    if "__" in text:
        text = _SWITCH.sub("", text)
    text = strip_apostrophes(read_links(text, site))
    builder = BlockBuilder()
    builder.read(text, tables=True)
    return PageText(blocks=tuple(builder.blocks), unknown_templates=dict(unknown), fallback=None)
