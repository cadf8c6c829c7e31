"""Calls of templates: names and arguments, the same as mwparserfromhell's."""

import mwparserfromhell
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pipeline.wikipedia.wikitext.braces import outermost_templates
from pipeline.wikipedia.wikitext.calls import (
    PARAMETER,
    Call,
    _part,
    _part_nested,
    normal_name,
    read_call,
)

PIECES = ("a", "b c", "1", "x", "=", "|", " ", "-", "y", "[[d|e=f]]", "{{g|h=i}}", "{{j}}", ":")


def as_written(text: str) -> str:
    return text


def call(source: str) -> Call:
    (span,) = outermost_templates(source)
    found = read_call(source, span.braces, as_written)
    assert found is not None
    return found


def test_arguments_have_names_or_numbers() -> None:
    found = call("{{ Lang_Zz |la|salve|Rtl = no|3=x}}")
    assert found.name == "lang zz"
    assert found.arguments == {"1": "la", "2": "salve", "rtl": " no", "3": "x"}


def test_pipes_and_equals_signs_of_links_and_calls_part_nothing() -> None:
    found = call("{{a|[[b|c=d]]|{{e|f=g}}=h|k=[[l]]=m}}")
    assert found.arguments == {"1": "[[b|c=d]]", "{{e|f=g}}": "h", "k": "[[l]]=m"}


def test_calls_in_arguments_are_expanded_after_the_parting() -> None:
    found = read_call("{{a|b{{!}}c|{{x}}=d}}", 2, lambda text: "|" if "!" in text else "name")
    assert found is not None
    assert found.arguments == {"1": "|", "name": "d"}


def test_a_parameter_shows_its_default() -> None:
    assert call("{{{1|the [[sea|wide]] one|and more}}}") == Call(
        PARAMETER, {"1": "the [[sea|wide]] one"}
    )
    assert call("{{{1}}}").arguments == {"1": ""}


@pytest.mark.parametrize("source", ["{{a\nb|c}}", "{{a[b]|c}}", "{{a<b|c}}"])
def test_what_cannot_be_a_name_makes_no_call(source: str) -> None:
    assert read_call(source, 2, as_written) is None


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_calls_are_parted_as_mwparserfromhell_parts_them(inside: str) -> None:
    source = "{{t|" + inside + "}}"
    nodes = mwparserfromhell.parse(source, skip_style_tags=True).nodes
    # Brackets out of pairs are left out: it reads them unlike MediaWiki.
    assume(len(nodes) == 1)
    wanted: dict[str, str] = {}
    number = 0
    for parameter in nodes[0].params:
        number += not parameter.showkey
        key = str(parameter.name).strip().casefold() if parameter.showkey else str(number)
        wanted[key] = str(parameter.value)
    found = call(source)
    assert found.name == normal_name(str(nodes[0].name))
    assert found.arguments == wanted
    if nested := _part_nested(source):
        assert nested == _part(source[2:-2])
