"""Laws of reading wikitext: it never fails, leaves no markup, and keeps faults where they are."""

import gc
import re
import sys
import time
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pipeline.wikipedia.wikitext.page import PageText, read_page, redirect_target

PIECES = (
    *("{{", "}}", "{{{", "}}}", "[[", "]]", "[", "]", "|", "=", "'", "''", "'''", "'''''"),
    *("*", "#", ":", ";", "!", "{|", "|}", "|-", "||", "!!", "==", "===", "\n", " \n", "\n\n"),
    *("<ref>", "</ref>", "<ref/>", "<small>", "</small>", "<div>", "</div>", "<!--", "-->"),
    *("<nowiki>", "</nowiki>", "<math>", "</math>", "<gallery>", "</gallery>", "<poem>", "</poem>"),
    *("<blockquote>", "</blockquote>", "<li>", "<table>", "<td>", "</table>", "<br>", "<pre>"),
    *("</pre>", "-{", "}-", "&", "&nbsp;", "&#x41;", "&#xD800;", "__TOC__", "----", "http://x.org"),
    *("File:", "Category:", "thumb", "convert|", "lang|fr|", "nowrap|", "quote|", "cite web|"),
    *("#if:", "12", "km", "sea", "tide", ",", ".", "(", ")", "\u05d0", "\x00", "\x05"),
)
WIKITEXT = st.lists(st.sampled_from([*PIECES, " "]), max_size=40).map("".join)
SENTENCE = "The tide turned at noon and the boats came home."
BROKEN = (
    "The {{convert|5|km sea",
    "The [[sea is wide",
    "[[File:Sea.jpg|thumb|The [[sea]]",
    "The ''sea '''is",
    "The <small>sea",
    "The <div>sea",
    "The <ref>sea",
    "The <ref name='a'>sea",
    "The <!-- sea",
    "The <math>sea",
    "The <nowiki>sea",
    "<blockquote>The sea",
    "The <poem>sea",
    "The <gallery>sea",
    "The sea}} is",
    "The sea]] is",
    "The sea</ref></div></small>--> is",
    "{{Infobox sea\n| a = {{b}}\n| c = [[d]]",
    "The -{zh-hans:sea",
    "{|\n| sea",
    "The [http://x.org sea",
    "{{{{{sea}}",
)
# Without what closes something: MediaWiki too pairs that with an opening paragraphs before.
OPENED = tuple(fault for fault in BROKEN if not re.search(r"\}\}|</|-->|\]\] is", fault))


def page(wikitext: str) -> PageText:
    return read_page("Harbour", wikitext, max_characters=10**7, max_template_characters=10**7)


@given(st.one_of(WIKITEXT, st.text()))
@settings(max_examples=300, deadline=None)
def test_no_page_fails_and_every_block_is_clean(wikitext: str) -> None:
    for block in page(wikitext).blocks:
        assert block.text
        lines = block.text.split("\n")
        assert len(lines) == 1 or block.kind in ("list", "table")
        for line in lines:
            assert line == " ".join(line.split())
            assert not re.search("[\x00-\x07\x0e-\x1f\ufdd0-\ufdef]", line)


@given(WIKITEXT)
@settings(max_examples=300, deadline=None)
def test_no_markup_is_left_that_a_reader_would_not_see(wikitext: str) -> None:
    # Their content is text, and so are apostrophes beyond the five of a mark.
    assume(not re.search("<(?:nowiki|pre|math)|''''", wikitext))
    # Apostrophes parted by nothing but tags are letters, and meet when the tags go.
    assume(not re.search("'(?:<[^>]*>)+'", wikitext))
    markup = r"'''|<ref>|</?(?:small|div|br)>|__TOC__"
    if not re.search(r"(?<!\{)(?:\{\{)*\{(?!\{)|(?<!\})(?:\}\})*\}(?!\})", wikitext):
        markup += r"|\{\{|\}\}"  # unless single braces may have met when a tag between them went
    for block in page(wikitext).blocks:
        assert not re.search(markup, block.text)


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_paragraph_takes_no_other_along(broken: str) -> None:
    texts = [block.text for block in page(f"One {SENTENCE}\n\n{broken}\n\nTwo {SENTENCE}").blocks]
    assert texts[0] == f"One {SENTENCE}"
    assert texts[-1] == f"Two {SENTENCE}"


@given(st.lists(st.sampled_from(OPENED), min_size=1, max_size=4))
@settings(deadline=None)
def test_several_broken_paragraphs_leave_the_good_ones_whole(broken: list[str]) -> None:
    wikitext = "".join(f"{fault}\n\n{place} {SENTENCE}\n\n" for place, fault in enumerate(broken))
    texts = [block.text for block in page(wikitext).blocks]
    for place in range(len(broken)):
        assert f"{place} {SENTENCE}" in texts


@given(st.lists(st.text("abcde ,.éß—", min_size=1, max_size=30), max_size=5))
def test_plain_prose_is_kept_word_for_word(paragraphs: list[str]) -> None:
    read = page("\n\n".join(paragraphs))
    shown = " ".join(block.text for block in read.blocks)
    assert re.sub(r"[\s,.]", "", shown) == re.sub(r"[\s,.]", "", "".join(paragraphs))


# What is read by Python, line by line: the work can be counted.
NESTED: dict[str, Callable[[int], str]] = {
    "templates in templates": lambda n: "{{a|" * n + "x" + "}}" * n,
    "templates five deep": lambda n: "{{a|{{a|{{a|{{a|{{a|x}}}}}}}}}} " * (n // 5),
    "open templates": lambda n: "{{a|[[b|" * n,
    "parameters": lambda n: "{{{a|" * n + "}}}" * n,
    "tags": lambda n: "<small><div>" * n,
    "references": lambda n: "a<ref>b " * n + "</ref>",
    "comments": lambda n: "a<!-- b -->" * n,
    "tables in tables": lambda n: "{|\n| a\n" * n + "|}\n" * n,
    "many tables": lambda n: "{|\n| a\n|}\n" * n,
    "open tables": lambda n: "{|\n| a\n" * n,
    "apostrophes": lambda n: "''a'''" * n,
    "quotations": lambda n: "<blockquote>" * n,
    "headings": lambda n: "== a ==\n=== b ===\n" * n,
}
# What is read by regular expressions and by mwparserfromhell: the work can only be timed.
HOSTILE: dict[str, Callable[[int], str]] = {
    **NESTED,
    "links in links": lambda n: "[[a|" * n + "]]" * n,
    "templates twenty deep": lambda n: ("{{lang|fr|" * 20 + "x" + "}}" * 20) * (n // 20),
    "many calls that hold one": lambda n: "{{a|{{b}}}}" * n,
    "tables in a call": lambda n: "{{a|{{b}}" + "\n{|\n|" * n + "}}",
    "open tags in a call": lambda n: "{{a|{{b}}" + "<b " * n + "}}",
    "external links in a call": lambda n: "{{a|{{b}}" + "[http://a " * n + "}}",
    "links open in a template": lambda n: "{{a|" + "[[b|" * n + "}}",
    "calls in a call": lambda n: "{{a|" + "{{b|c}} " * n + "}}",
    "a long name": lambda n: "{{" + "a" * n + "}}",
    "a long number": lambda n: "{{formatnum:" + "9" * n + "}}",
    "external links": lambda n: "[http://a " * n,
    "attributes": lambda n: "<div " + "a='b " * n,
    "stops": lambda n: "a" + ",;" * n,
    "stops after a space": lambda n: "a ," + "," * n + "b",
    "spaces of a formula": lambda n: "<math>" + "\\, " * n + "x</math>",
    "open references": lambda n: "<ref>" * n + "</ref>",
    "references in references": lambda n: "<ref>" * n + "</ref>" * n,
    "references of words": lambda n: "<ref>Word by word " * n + "</ref>",
    "open formulas": lambda n: "<math>" * n + "\n\n" + "sea " * n + "<math>a</math>",
    "open comments": lambda n: "a<!-- b " * n,
    "spaces in an item": lambda n: "<li>x" + " " * n + "y",
    "lists in lists": lambda n: "<ul><li>" * n + "x" + "</li></ul>" * n,
    "options in a gallery": lambda n: "<gallery>\na.jpg|" + "alt=x|" * n + "</gallery>",
    "empty brackets": lambda n: "( , " * n + ")" * n,
    "spaces": lambda n: "a" + " " * n + ".",
    "spaces in a link": lambda n: "[[a" + " " * n + "(b)|]]",
    "variants": lambda n: "-{a:b;" * n,
    "spaces in a variant": lambda n: "-{zh-hans:" + " " * n + "x;" + " " * n + "}-",
    "colons of a term": lambda n: "; <i>" + ":a" * n,
    "list markers": lambda n: "*" * n + " a",
    "holes in a row": lambda n: "a " + "{{zz}};" * n,
    "holes and spaces": lambda n: "a, " + "{{zz}} " * n,
    "holes in brackets": lambda n: "(" + "{{zz}}, " * n,
    "holes": lambda n: "a {{zz}}, " * n,
}


def steps(wikitext: str) -> int:
    """How many lines of Python the reading of a page takes."""
    count = 0

    def trace(frame: object, event: str, argument: object) -> Callable[..., object]:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        page(wikitext)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", NESTED)
def test_the_work_is_linear_in_the_length_of_nested_input(name: str) -> None:
    page(NESTED[name](20))
    small, large = (steps(NESTED[name](n)) for n in (100, 400))
    assert small < large <= 4 * small * 1.3 + 2000


def seconds(wikitext: str) -> float:
    """The processor's time that a page takes, at best."""
    best = float("inf")
    for _ in range(3):
        gc.collect()
        start = time.process_time()
        page(wikitext)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("name", HOSTILE)
def test_four_times_the_hostile_text_takes_about_four_times_as_long(name: str) -> None:
    make = HOSTILE[name]
    repeats = 12_000 * 1000 // len(make(1000))
    # A quadratic pattern takes sixteen times as long, and far more than the floor.
    assert seconds(make(4 * repeats)) <= max(11 * seconds(make(repeats)), 0.06)


def test_a_redirect_with_much_space_is_read_at_once() -> None:
    start = time.process_time()
    assert redirect_target("#REDIRECT" + " " * 50_000 + "x") is None
    assert time.process_time() - start < 1
