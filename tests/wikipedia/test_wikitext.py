"""Pages as readers see them: golden cases, and what a page says about how it was read."""

from pathlib import Path

import pytest
import yaml

from pipeline.wikipedia.wikitext.page import ENGLISH, PageText, Site, read_page, redirect_target

GOLDEN = Path(__file__).parents[1] / "golden" / "wikitext.yaml"
CASES = yaml.safe_load(GOLDEN.read_text(encoding="utf-8"))


def page(wikitext: str, site: Site = ENGLISH, **limits: int) -> PageText:
    return read_page(
        "Harbour",
        wikitext,
        site,
        max_characters=limits.get("max_characters", 100_000),
        max_template_characters=limits.get("max_template_characters", 1_000_000),
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_golden_case_reads_as_it_should(case: dict[str, object]) -> None:
    blocks = [(block.kind, block.text, block.section) for block in page(case["wikitext"]).blocks]
    if "text" in case:
        assert blocks == [("paragraph", case["text"], "")]
    else:
        assert blocks == [(*wanted, "")[:3] for wanted in case["blocks"]]


def test_there_are_cases_for_every_kind_of_fault() -> None:
    assert len(CASES) >= 200
    assert len({case["name"] for case in CASES}) >= 200
    assert all(case["why"] for case in CASES)


def test_unknown_templates_are_counted_by_name() -> None:
    read = page("The {{Zz sparkle|sea}} and {{zz_sparkle|land}}{{zzbot|a=1|b=2|c=3|d=4}}.")
    assert read.unknown_templates == {"zz sparkle": 2, "zzbot": 1}
    assert read.fallback is None


def test_known_templates_are_not_counted() -> None:
    assert page("{{Infobox x}} {{convert|1|km}} {{cn}} {{DEFAULTSORT:x}}").unknown_templates == {}


def test_a_page_over_its_length_is_read_simply_and_says_so() -> None:
    wikitext = "The sea is {{nowrap|wide}} and [[salt]]y.\n\n{|\n| a\n|}\n" + "x" * 100
    read = page(wikitext, max_characters=100)
    assert read.fallback == "too long"
    assert [block.text for block in read.blocks] == ["The sea is and salty.", "x" * 100]


def test_a_page_whose_templates_are_too_much_is_read_simply_and_says_so() -> None:
    wikitext = "The sea is {{nowrap|wide}}.\n\nThe land is dry."
    length = len("{{nowrap|wide}}")
    assert page(wikitext, max_template_characters=length).fallback is None
    read = page(wikitext, max_template_characters=length - 1)
    assert read.fallback == "too costly"
    assert [block.text for block in read.blocks] == ["The sea is.", "The land is dry."]


def test_nested_templates_count_at_every_level_and_what_holds_them_twice() -> None:
    inner = "{{nowrap|{{nowrap|wide}}}}"
    both = 2 * len(inner) + len("{{nowrap|wide}}")
    assert page(f"Sea {inner}.", max_template_characters=both).fallback is None
    assert page(f"Sea {inner}.", max_template_characters=both - 1).fallback == "too costly"


def test_names_of_a_wikis_own_namespaces_are_known() -> None:
    german = Site(
        file_namespaces=frozenset({"datei", "bild"}),
        category_namespaces=frozenset({"kategorie"}),
        redirect_words=frozenset({"weiterleitung"}),
        language="de",
    )
    wikitext = "[[Datei:X.jpg|mini|links|120px|Ein Schiff.]] Das Meer.[[Kategorie:Meer]][[en:Sea]]"
    blocks = page(wikitext, german).blocks
    assert [(block.kind, block.text) for block in blocks] == [
        ("caption", "Ein Schiff."),
        ("paragraph", "Das Meer."),
    ]
    assert redirect_target("#WEITERLEITUNG [[Meer]]", german) == "Meer"


@pytest.mark.parametrize(
    ("wikitext", "target"),
    [
        ("#REDIRECT [[Sea]]", "Sea"),
        ("#redirect: [[sea#Depth|the deep]]", "Sea"),
        (" \n#REDIRECT[[Red_Sea]]", "Red Sea"),
        ("#REDIRECT [[:Category:Seas]]", "Category:Seas"),
        ("#REDIRECT Sea", None),
        ("#OTHER [[Sea]]", None),
        ("The #REDIRECT [[Sea]]", None),
        ("#REDIRECT [[#Depth]]", None),
        ("", None),
    ],
)
def test_a_redirect_names_its_target_without_the_fragment(
    wikitext: str, target: str | None
) -> None:
    assert redirect_target(wikitext) == target


def test_nothing_is_read_from_nothing() -> None:
    for wikitext in ("", " \n\n ", "{{stub}}", "<!-- -->", "[[Category:Seas]]", "\x00\ufeff"):
        assert page(wikitext).blocks == ()


def test_the_same_page_reads_the_same_twice() -> None:
    wikitext = "{{zzb|b}} {{zza|a}} '''The''' [[sea]]\n* {{convert|1|-|2|km}}"
    assert page(wikitext) == page(wikitext)
