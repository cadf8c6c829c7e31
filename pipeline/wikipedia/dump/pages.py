"""Reading pages out of a MediaWiki dump, one at a time, and saying what each of them is.

Namespaces are read from ``<ns>`` and never from a colon in the title; only the old schemas that
have no ``<ns>`` fall back on the namespace names that the dump itself lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pipeline.errors import InputError
from pipeline.wikipedia.dump.page_xml import ROOT, Page, PageReader, SiteInfo


def drop_reason(page: Page, site: SiteInfo) -> str | None:
    """Why a page is neither an article nor a redirect to one, or None when it is."""
    if page.page_id is None or page.page_id < 1:
        return "no page id"
    if not page.title:
        return "no title"
    if namespace_of(page, site) != 0:
        return "other namespace"
    if page.redirect is None and page.flaw is not None:
        return page.flaw
    if page.model not in ("", "wikitext"):
        return "other content model"
    if page.redirect is None and not page.text.strip():
        return "empty text"
    return None


def namespace_of(page: Page, site: SiteInfo) -> int:
    """The number of a page's namespace; 0 is the articles'."""
    if page.namespace is not None:
        return page.namespace
    prefix, colon, _ = page.title.partition(":")
    if not colon:
        return 0
    wanted = prefix.replace("_", " ").strip().casefold()
    for number, name in site.namespaces.items():
        if number != 0 and name.casefold() == wanted:
            return number
    return 0


def read_pages(
    chunks: Iterable[bytes],
    *,
    first: bool = True,
    last: bool = True,
    reader: PageReader | None = None,
) -> Iterator[Page]:
    """The pages of a dump, or of a part of it, in order.

    ``first``: the bytes begin with the dump's root element. ``last``: they end with its end.
    All whole pages before a damage are yielded before ``InputError`` is raised; its message has
    no file name, for the caller to add.
    """
    reader = reader or PageReader(inside=not first)
    pieces = iter(chunks)
    while True:
        try:
            piece = next(pieces, None)
            if piece is not None:
                reader.feed(piece)
        except InputError as error:
            yield from reader.take()
            raise InputError(f"{error}{_after(reader)}") from None
        yield from reader.take()
        if piece is None:
            break
    if last:
        if not reader.closed:
            raise InputError(
                f"ends before </{ROOT}>{_after(reader)}; the dump is cut off or no dump"
            )
        try:
            reader.feed(b"", last=True)
        except InputError as error:
            raise InputError(f"{error}{_after(reader)}") from None
    elif not reader.between_pages:
        raise InputError(f"a page is cut in two{_after(reader)}; the dump is damaged")


def _after(reader: PageReader) -> str:
    return f", after page '{reader.last_title[:80]}'" if reader.last_title else ""


def read_siteinfo(chunks: Iterable[bytes]) -> SiteInfo:
    """What the head of a dump says about its wiki; reads no further than the first page.

    A damage behind the head is left to whoever reads the pages.
    """
    reader = PageReader()
    for chunk in chunks:
        try:
            reader.feed(chunk)
        except InputError:
            if not reader.siteinfo_read:
                raise
        if reader.siteinfo_read:
            break
    return reader.siteinfo()
