"""Small dumps for tests, written in every way that dumps are compressed."""

import bz2
import gzip
import lzma
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import zstandard

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>Testpedia</sitename>
    <dbname>testwiki</dbname>
    <base>https://test.example/wiki/Main_Page</base>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
      <namespace key="6" case="first-letter">Plaatje</namespace>
      <namespace key="10" case="first-letter">Template</namespace>
    </namespaces>
  </siteinfo>
"""
TAIL = "</mediawiki>\n"
FORMS = ("xml", "bz2", "multistream", "pbzip2", "gz", "xz", "zst")


def page(
    page_id: int, title: str = "", text: str | None = None, *, ns: int = 0, **more: str
) -> str:
    """One <page> as a dump writes it; ``page`` and ``revision`` add raw elements there."""
    body = f"The article of number {page_id} says little." if text is None else text
    return (
        f"  <page>\n    <title>{escape(title or f'Title {page_id}')}</title>\n    <ns>{ns}</ns>\n"
        f"    <id>{page_id}</id>{more.get('page', '')}\n    <revision>\n"
        f"      <id>{page_id + 1000}</id>"
        f"{more.get('revision', '')}\n      <model>{more.get('model', 'wikitext')}</model>\n"
        f'      <text xml:space="preserve">{escape(body)}</text>\n    </revision>\n  </page>\n'
    )


def many_pages(count: int) -> list[str]:
    """Pages whose texts do not compress to nothing."""
    return [
        page(n, text=" ".join(f"word{(n * 7919 + k * k * 104729) % 9973}" for k in range(300)))
        for n in range(1, count + 1)
    ]


def dump_xml(pages: Iterable[str]) -> bytes:
    return (HEAD + "".join(pages) + TAIL).encode()


def multistream(pages: Sequence[str], per_stream: int = 4) -> tuple[bytes, str]:
    """A multistream dump and the text of its index."""
    data = bz2.compress(HEAD.encode())
    lines = []
    for start in range(0, len(pages), per_stream):
        group = pages[start : start + per_stream]
        for text in group:
            page_id = text.partition("<id>")[2].partition("<")[0]
            title = text.partition("<title>")[2].partition("<")[0]
            lines.append(f"{len(data)}:{page_id}:{title}\n")
        data += bz2.compress("".join(group).encode())
    return data + bz2.compress(TAIL.encode()), "".join(lines)


def compressed(form: str, pages: Sequence[str]) -> bytes:
    """The bytes of a dump in one of ``FORMS``."""
    xml = dump_xml(pages)
    match form:
        case "xml":
            return xml
        case "bz2":
            return bz2.compress(xml, 1)
        case "multistream":
            return multistream(pages)[0]
        case "pbzip2":
            return b"".join(
                bz2.compress(xml[at : at + 50_001]) for at in range(0, len(xml), 50_001)
            )
        case "gz":
            half = len(xml) // 2
            return gzip.compress(xml[:half]) + gzip.compress(xml[half:])
        case "xz":
            half = len(xml) // 2
            return lzma.compress(xml[:half]) + lzma.compress(xml[half:])
        case "zst":
            half = len(xml) // 2
            return zstandard.compress(xml[:half]) + zstandard.compress(xml[half:])
    raise AssertionError(form)


def write_dump(folder: Path, form: str, pages: Sequence[str]) -> Path:
    """Write a dump under the name that its form usually has."""
    suffix = {"xml": "", "gz": ".gz", "xz": ".xz", "zst": ".zst"}.get(form, ".bz2")
    path = folder / f"test-pages-articles.xml{suffix}"
    path.write_bytes(compressed(form, pages))
    return path


def whole_pages(data: bytes) -> int:
    """How many pages end in the blocks that a plain decompressor finds before the cut."""
    text = b""
    while data:
        stream = bz2.BZ2Decompressor()
        try:
            text += stream.decompress(data)
        except OSError:
            break
        data = stream.unused_data
    return text.count(b"</page>")
