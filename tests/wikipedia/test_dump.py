"""Pages out of XML: what is read, what is dropped and why, what is refused."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import InputError
from pipeline.wikipedia.dump.page_xml import Page, SiteInfo
from pipeline.wikipedia.dump.pages import drop_reason, namespace_of, read_pages, read_siteinfo
from tests.wikipedia.dump_files import HEAD, TAIL, dump_xml, page


def read(*pages: str, head: str = HEAD, tail: str = TAIL) -> list[Page]:
    return list(read_pages([(head + "".join(pages) + tail).encode()]))


def test_a_page_is_read_with_its_newest_revision() -> None:
    (found,) = read(page(7, "A & B", "Some ''text'' & more."))
    assert (found.page_id, found.revision_id, found.title) == (7, 1007, "A & B")
    assert found.text == "Some ''text'' & more."
    assert (found.namespace, found.redirect, found.model) == (0, None, "wikitext")


def test_the_last_page_is_there() -> None:
    assert [found.page_id for found in read(*map(page, range(1, 40)))] == list(range(1, 40))


def test_of_several_revisions_the_newest_by_time_counts() -> None:
    revisions = "".join(
        f"<revision><id>{number}</id><timestamp>{when}</timestamp>"
        f"<text>text {number}</text></revision>"
        for number, when in ((1, "2010-01-01T00:00:00Z"), (3, "2016-01-01T00:00:00Z"), (2, "2012-"))
    )
    (found,) = read(f"<page><title>T</title><ns>0</ns><id>5</id>{revisions}</page>")
    assert (found.revision_id, found.text) == (3, "text 3")


def test_unknown_elements_and_second_contents_are_passed_over() -> None:
    extra = "<content><role>extra</role><model>json</model><text>{}</text></content>"
    extra += "<odd><id>9</id></odd>"
    contributor = "<contributor><username>U</username><id>99</id></contributor>"
    (found,) = read(page(4, text="Main.", page="<sha1>x</sha1>", revision=extra + contributor))
    assert (found.page_id, found.revision_id, found.model, found.text) == (
        4,
        1004,
        "wikitext",
        "Main.",
    )


def test_a_colon_in_a_title_makes_no_namespace() -> None:
    (found,) = read(page(1, "Star: The Story"))
    assert drop_reason(found, SiteInfo()) is None


@pytest.mark.parametrize(
    ("title", "number"),
    [("Talk:Star", 1), ("talk:star", 1), ("Star: The Story", 0), ("Plain", 0), ("Plaatje:X", 6)],
)
def test_old_schemas_without_ns_use_the_names_that_the_dump_lists(title: str, number: int) -> None:
    (found,) = read(page(1, title).replace("<ns>0</ns>", ""))
    assert namespace_of(found, read_siteinfo([HEAD.encode()])) == number


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (page(1, ns=10), "other namespace"),
        (page(1, model="json"), "other content model"),
        (page(1, text=""), "empty text"),
        (page(1, text=" \n "), "empty text"),
        (page(1, "").replace("<title>Title 1", "<title>"), "no title"),
        (page(1).replace("<id>1</id>", ""), "no page id"),
        (page(1).replace("<id>1</id>", "<id>one</id>"), "no page id"),
        ("<page><title>T</title><ns>0</ns><id>1</id></page>", "no revision"),
        (
            "<page><title>T</title><ns>0</ns><id>1</id><revision><id>2</id>"
            '<text deleted="deleted" /></revision></page>',
            "deleted text",
        ),
        (page(1, page='<redirect title="B"/>', text=""), None),
        (page(1, model=""), None),
    ],
)
def test_what_is_no_article_is_dropped_with_a_reason(text: str, reason: str | None) -> None:
    (found,) = read(text)
    assert drop_reason(found, SiteInfo()) == reason


def test_a_redirect_element_with_and_without_a_title_is_seen() -> None:
    titled, bare = read(page(1, page='<redirect title="B"/>'), page(2, page="<redirect />"))
    assert (titled.redirect, bare.redirect) == ("B", "")


def test_the_head_tells_names_of_namespaces_and_language() -> None:
    info = read_siteinfo([HEAD.encode(), page(1).encode()])
    assert (info.language, info.namespaces[6]) == ("en", "Plaatje")


def test_a_missing_head_is_no_error() -> None:
    xml = f"<mediawiki>{page(1)}</mediawiki>".encode()
    assert read_siteinfo([xml]) == SiteInfo()
    assert len(list(read_pages([xml]))) == 1


@pytest.mark.parametrize(
    ("xml", "said"),
    [
        (b"<html><body>Not found</body></html>", "root element is <html>"),
        (b'<!DOCTYPE a [<!ENTITY b "cc">]><mediawiki>&b;</mediawiki>', "DOCTYPE"),
        (b"<mediawiki><page></mediawiki>", "mismatched tag"),
        (b"<mediawiki><page>&nbsp;</page></mediawiki>", "undefined entity"),
        (b"<mediawiki>\xff\xfe</mediawiki>", "not well-formed"),
        (b"<mediawiki></mediawiki><mediawiki>", "junk"),
        (b'<?xml version="1.0" encoding="latin-1"?><mediawiki></mediawiki>', "latin-1"),
        (b"<mediawiki>", "ends before"),
        (b"", "ends before"),
        (b"<mediawiki>" + b"<a>" * 300, "nested"),
    ],
)
def test_broken_or_hostile_xml_is_an_input_error(xml: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        list(read_pages([xml]))


def test_an_endless_tag_or_comment_is_refused() -> None:
    def endless() -> Iterator[bytes]:
        yield b"<mediawiki><!--"
        while True:
            yield b"x" * (1 << 18)

    with pytest.raises(InputError, match="longer than"):
        list(read_pages(endless()))


def test_whole_pages_before_a_damage_are_read_first() -> None:
    cut = dump_xml(map(page, range(1, 6)))[:-200]
    found = []
    with pytest.raises(InputError, match="after page 'Title 4'"):
        for whole in read_pages([cut]):
            found.append(whole.page_id)
    assert found == [1, 2, 3, 4]


@given(st.lists(st.integers(1, 2000), max_size=6), st.booleans())
def test_how_the_bytes_are_cut_into_pieces_changes_nothing(cuts: list[int], inside: bool) -> None:
    pages = "".join(map(page, range(1, 5)))
    xml = (pages if inside else HEAD + pages + TAIL).encode()
    places = [0, *sorted(cuts), len(xml)]
    pieces = [xml[a:b] for a, b in pairwise(places)]
    found = [p.page_id for p in read_pages(pieces, first=not inside, last=not inside)]
    assert found == [1, 2, 3, 4]


@given(st.binary(max_size=300))
def test_arbitrary_bytes_raise_nothing_but_input_error(data: bytes) -> None:
    for before in (b"", b"<mediawiki><page><title>"):
        with pytest.raises(InputError):
            list(read_pages([before + data.replace(b"</mediawiki", b"")]))
