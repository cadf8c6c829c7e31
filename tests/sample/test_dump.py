"""The dump is a multistream dump of MediaWiki."""

import bz2
import io
import xml.etree.ElementTree as ET
from pathlib import Path

from pipeline.sample.dump import PAGES_PER_STREAM, Page, write_dump
from pipeline.stages.sample import DUMP
from tests.sample.reading import SCHEMA, field, index_lines, pages


def stream_at(data: bytes, offset: int) -> str:
    return bz2.BZ2Decompressor().decompress(data[offset:]).decode()


def test_every_line_of_the_index_points_at_the_stream_that_holds_its_page(sample: Path) -> None:
    data = (sample / DUMP).read_bytes()
    streams = {offset: stream_at(data, offset) for offset, _, _ in index_lines(sample)}
    for offset, page_id, title in index_lines(sample):
        found = ET.fromstring(f"<pages>{streams[offset]}</pages>")
        assert (title, str(page_id)) in [
            (page.findtext("title"), page.findtext("id")) for page in found
        ]


def test_the_index_lists_the_pages_of_the_dump_in_order(larger: Path) -> None:
    listed = [(page_id, title) for _, page_id, title in index_lines(larger)]
    assert listed == [(int(field(page, "id")), field(page, "title")) for page in pages(larger)]
    assert len({page_id for page_id, _ in listed}) == len({title for _, title in listed})
    assert [page_id for page_id, _ in listed] == sorted(page_id for page_id, _ in listed)


def test_a_stream_holds_a_hundred_pages_and_the_last_the_rest() -> None:
    dump, index = io.BytesIO(), io.BytesIO()
    count = write_dump((Page(n, f"P{n}", "x") for n in range(1, 251)), dump, index)
    offsets = [line.split(b":")[0] for line in bz2.decompress(index.getvalue()).splitlines()]
    assert count == 250
    assert [offsets.count(offset) for offset in dict.fromkeys(offsets)] == [
        PAGES_PER_STREAM, PAGES_PER_STREAM, 50,
    ]  # fmt: skip


def test_titles_and_texts_that_look_like_markup_come_back_as_they_were() -> None:
    dump, index = io.BytesIO(), io.BytesIO()
    text = "<b>&amp; \"quoted\" 'n' <!-- c --> ]]>  two  spaces\n\ttab é 𝄞"
    page = Page(1, 'A & "B" <C>', text, target='D & "E"')
    write_dump([page], dump, index)
    root = ET.fromstring(bz2.decompress(dump.getvalue()))
    found = next(root.iter(f"{SCHEMA}page"))
    assert field(found, "title") == page.title
    assert field(found, "text") == text
    redirect = found.find(f"{SCHEMA}redirect")
    assert redirect is not None
    assert redirect.get("title") == page.target
    text_element = found.find(f".//{SCHEMA}text")
    assert text_element is not None
    assert int(text_element.get("bytes", "")) == len(text.encode())


def test_the_dump_holds_redirects_disambiguations_and_pages_of_other_namespaces(
    sample: Path,
) -> None:
    found = list(pages(sample))
    titles = {field(page, "title") for page in found}
    assert {field(page, "ns") for page in found} >= {"0", "1", "6", "10", "14"}
    assert any(title.endswith("(disambiguation)") for title in titles)
    targets = [
        redirect.get("title", "")
        for page in found
        if (redirect := page.find(f"{SCHEMA}redirect")) is not None
    ]
    assert targets
    assert {target.split("#")[0] for target in targets} <= titles


def test_articles_carry_the_markup_that_extraction_must_cope_with(larger: Path) -> None:
    texts = "\n".join(field(page, "text") for page in pages(larger) if field(page, "ns") == "0")
    for mark in (
        "{{Infobox", "<ref>{{cite book", '<ref name="survey" />', '<ref name="survey">', "{{sfn|",
        "{|", "|}", "[[File:", "|thumb", "{{convert|", "{{cvt|", "{{formatnum:", "{{nowrap|",
        "{{lang|", "{{IPAc-en|", "{{circa|", "&nbsp;", "<!--", "<nowiki>", "<gallery>",
        "\n** ", "\n; ", "\n# ", "'''''", "[[Category:", "{{DEFAULTSORT:", "{{about|",
        "{{reflist", "{{citation needed", "<blockquote>", "{{quote|", "<br />", "{{SS|", "{{ill|",
        "{{As of|", "#REDIRECT [[",
    ):  # fmt: skip
        assert mark in texts, mark
