"""The real excerpts as tests read them: pages, and what becomes of them."""

from collections.abc import Iterator
from pathlib import Path

from pipeline.records import Article
from pipeline.wikipedia.dump.languages import wikitext_site
from pipeline.wikipedia.dump.page_xml import Page
from pipeline.wikipedia.dump.pages import read_pages, read_siteinfo
from pipeline.wikipedia.dump.streams import read_file
from pipeline.wikipedia.wikitext.page import read_page

ENGLISH = ("enwiki-2016", "enwiki-modern")
OTHERS = ("de", "fr", "es", "ru", "ja", "zh", "ar")


def excerpt(real_data: Path, name: str) -> Path:
    """The dump of that name in the folder of real excerpts."""
    return real_data / "dumps" / f"{name}-excerpt.xml.bz2"


def pages(path: Path) -> Iterator[Page]:
    """Every page of a dump of one bzip2 stream, redirects and talk included."""
    return read_pages(read_file(path, "bz2"))


def articles(path: Path) -> Iterator[Article]:
    """Every page of the dump as an article, whatever its namespace."""
    site = wikitext_site(read_siteinfo(read_file(path, "bz2")))
    for page in pages(path):
        read = read_page(
            page.title, page.text, site, max_characters=10**7, max_template_characters=10**7
        )
        assert read.fallback is None
        yield Article(
            page_id=page.page_id or 0,
            revision_id=page.revision_id,
            title=page.title,
            blocks=read.blocks,
        )
