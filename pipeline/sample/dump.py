"""A MediaWiki dump as multistream bzip2, with its index: one hundred pages a stream."""

from __future__ import annotations

import bz2
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

PAGES_PER_STREAM = 100
NAMESPACES = {
    -2: "Media", -1: "Special", 0: "", 1: "Talk", 2: "User", 3: "User talk", 4: "Wikipedia",
    5: "Wikipedia talk", 6: "File", 7: "File talk", 8: "MediaWiki", 9: "MediaWiki talk",
    10: "Template", 11: "Template talk", 12: "Help", 13: "Help talk", 14: "Category",
    15: "Category talk", 100: "Portal", 101: "Portal talk", 118: "Draft", 828: "Module",
}  # fmt: skip
_SCHEMA = "http://www.mediawiki.org/xml/export-0.11/"


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the dump: ``title`` with its namespace, ``target`` where it is a redirect."""

    page_id: int
    title: str
    wikitext: str
    namespace: int = 0
    target: str | None = None


def write_dump(pages: Iterable[Page], dump: BinaryIO, index: BinaryIO) -> int:
    """Write the pages as streams of a hundred, and the index of where each stands.

    Both outputs are the same bytes for the same pages. Returns the number of pages.
    """
    index_compressor = bz2.BZ2Compressor()
    offset = dump.write(bz2.compress(_header().encode()))
    waiting: list[Page] = []
    count = 0

    def flush() -> None:
        nonlocal offset
        lines = "".join(f"{offset}:{page.page_id}:{page.title}\n" for page in waiting)
        index.write(index_compressor.compress(lines.encode()))
        stream = "".join(_page_xml(page) for page in waiting)
        offset += dump.write(bz2.compress(stream.encode()))
        waiting.clear()

    for page in pages:
        waiting.append(page)
        count += 1
        if len(waiting) == PAGES_PER_STREAM:
            flush()
    if waiting:
        flush()
    dump.write(bz2.compress(b"</mediawiki>\n"))
    index.write(index_compressor.flush())
    return count


def _header() -> str:
    namespaces = "".join(
        f'      <namespace key="{key}" case="first-letter"'
        + (f">{name}</namespace>\n" if name else " />\n")
        for key, name in NAMESPACES.items()
    )
    return (
        f'<mediawiki xmlns="{_SCHEMA}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:schemaLocation="{_SCHEMA} http://www.mediawiki.org/xml/export-0.11.xsd" '
        'version="0.11" xml:lang="en">\n'
        "  <siteinfo>\n"
        "    <sitename>Sample encyclopedia</sitename>\n"
        "    <dbname>samplewiki</dbname>\n"
        "    <base>https://sample.example/wiki/Main_Page</base>\n"
        "    <generator>silver sample</generator>\n"
        "    <case>first-letter</case>\n"
        f"    <namespaces>\n{namespaces}    </namespaces>\n"
        "  </siteinfo>\n"
    )


def _base_36(digest: bytes) -> str:
    """A SHA-1 as dumps write it: 31 digits to the base 36."""
    number, digits = int.from_bytes(digest), ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits.rjust(31, "0")


def _page_xml(page: Page) -> str:
    redirect = f"    <redirect title={quoteattr(page.target)} />\n" if page.target else ""
    size = len(page.wikitext.encode())
    sha1 = _base_36(hashlib.sha1(page.wikitext.encode(), usedforsecurity=False).digest())
    revision = 700_000_000 + page.page_id
    return (
        "  <page>\n"
        f"    <title>{escape(page.title)}</title>\n"
        f"    <ns>{page.namespace}</ns>\n"
        f"    <id>{page.page_id}</id>\n"
        f"{redirect}"
        "    <revision>\n"
        f"      <id>{revision}</id>\n"
        f"      <parentid>{revision - 1000}</parentid>\n"
        f"      <timestamp>2016-08-{1 + page.page_id % 20:02d}T12:00:00Z</timestamp>\n"
        "      <contributor>\n"
        "        <username>Sample writer</username>\n"
        "        <id>1</id>\n"
        "      </contributor>\n"
        "      <comment>/* newer edition */</comment>\n"
        f"      <origin>{revision}</origin>\n"
        "      <model>wikitext</model>\n"
        "      <format>text/x-wiki</format>\n"
        f'      <text bytes="{size}" sha1="{sha1}" xml:space="preserve">'
        f"{escape(page.wikitext)}</text>\n"
        f"      <sha1>{sha1}</sha1>\n"
        "    </revision>\n"
        "  </page>\n"
    )
