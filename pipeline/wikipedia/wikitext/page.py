"""From the wikitext of a page to the blocks a reader sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.records import Block
from pipeline.wikipedia.wikitext.blocks import BlockBuilder
from pipeline.wikipedia.wikitext.extensions import read_extensions
from pipeline.wikipedia.wikitext.links import read_links, read_plain_links
from pipeline.wikipedia.wikitext.marks import clean
from pipeline.wikipedia.wikitext.site import ENGLISH, Site, redirect_target
from pipeline.wikipedia.wikitext.tags import read_tags
from pipeline.wikipedia.wikitext.templates import PageTooCostlyError, TemplateReader
from pipeline.wikipedia.wikitext.variants import read_variants
from pipeline.wikipedia.wikitext.words import behaviour_switch

__all__ = ["ENGLISH", "PageText", "Site", "read_page", "redirect_target"]


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
    max_template_characters: int,
) -> PageText:
    """The blocks of a page in reading order.

    A page longer than ``max_characters``, or one whose templates have more than
    ``max_template_characters`` (what is nested counts at every level, as it is read at every
    level, and a template that holds others counts twice), is read without its tables and without
    what its templates show; ``fallback`` says why. Both are counts, not times, so that a page
    reads the same on every machine.
    """
    text = clean(wikitext)
    if len(text) > max_characters:
        return _read_simply(title, text, site, "too long")
    try:
        reader = TemplateReader(title, max_template_characters)
        return _read(text, site, reader, None)
    except PageTooCostlyError:
        return _read_simply(title, text, site, "too costly")


def _read_simply(title: str, text: str, site: Site, reason: str) -> PageText:
    reader = TemplateReader(title, 0, render=False)
    return _read(text, site, reader, reason)


def _read(text: str, site: Site, templates: TemplateReader, fallback: str | None) -> PageText:
    text = read_plain_links(read_tags(read_extensions(text)))
    text = read_variants(templates.expand(text), site.language)
    if "__" in text:
        text = behaviour_switch().sub("", text)
    text = read_links(text, site)
    builder = BlockBuilder()
    builder.read(text, tables=fallback is None)
    return PageText(
        blocks=tuple(builder.blocks),
        unknown_templates=dict(sorted(templates.unknown.items())),
        fallback=fallback,
    )
