"""The table of templates, its pattern language, and the rules that compute."""

import re
from importlib.resources import files

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pipeline.wikipedia.wikitext.calls import Call
from pipeline.wikipedia.wikitext.marks import unshelter
from pipeline.wikipedia.wikitext.patterns import compile_pattern
from pipeline.wikipedia.wikitext.template_rules import RULES
from pipeline.wikipedia.wikitext.template_rules.measures import convert
from pipeline.wikipedia.wikitext.template_rules.units import read_number, units
from pipeline.wikipedia.wikitext.templates import known_templates

ENTRIES = yaml.safe_load(
    files("pipeline.wikipedia.wikitext").joinpath("templates.yaml").read_text(encoding="utf-8")
)
NAMES = [name for entry in ENTRIES for name in entry["names"]]


def call(name: str, *positional: str, **named: str) -> Call:
    numbered = {str(place): value for place, value in enumerate(positional, 1)}
    return Call(name, numbered | named, name)


def test_every_name_is_listed_once_and_casefolded() -> None:
    assert len(NAMES) == len(set(NAMES)) >= 2300
    assert [name for name in NAMES if name != name.casefold() or not name.strip()] == []


def test_every_rule_of_the_table_exists_and_is_used() -> None:
    assert {entry["rule"] for entry in ENTRIES if "rule" in entry} == set(RULES)


def test_every_entry_says_one_thing() -> None:
    for entry in ENTRIES:
        assert len(entry.keys() & {"show", "quote", "rule", "drop"}) == 1, entry


def test_a_name_wins_over_a_pattern_and_a_longer_pattern_over_a_shorter() -> None:
    table = known_templates()
    assert table.find("longitem") is not table.find("long plot")
    assert table.find("lang-fr") is table.find("lang-zz")
    assert table.find("norway-stub") is not None
    assert table.find("zzsparkle") is None


@pytest.mark.parametrize(
    ("pattern", "arguments", "shown"),
    [
        ("{1}", {"1": " a "}, "a"),
        ("{2|1}", {"1": "a", "2": ""}, "a"),
        ("{1}[ ({2})]", {"1": "a"}, "a"),
        ("{1}[ ({2}[, {3}])]", {"1": "a", "2": "b", "3": "c"}, "a (b, c)"),
        ("{1|None}", {}, "None"),
        ("{*, }", {"1": "a", "2": "", "3": "c"}, "a, c"),
        ("{2*+}", {"1": "a", "2": "b", "3": "c"}, "b+c"),
        ("x {y|z}", {"z": "w"}, "x w"),
    ],
)
def test_a_pattern_is_filled_with_arguments(
    pattern: str, arguments: dict[str, str], shown: str
) -> None:
    assert unshelter(compile_pattern(pattern)(Call("x", arguments))) == shown


@pytest.mark.parametrize("pattern", ["[{1}", "{1}]"])
def test_a_pattern_with_open_brackets_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="pattern"):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    ("text", "number", "shown"),
    [
        ("12", 12, "12"),
        ("1,234.50", 1234.5, "1,234.50"),
        ("-3", -3, "−3"),
        ("5+1/2", 5.5, "5+1⁄2"),
        ("1/4", 0.25, "1⁄4"),
        ("2e3", 2000, "2×103"),
    ],
)
def test_numbers_are_read_as_pages_write_them(text: str, number: float, shown: str) -> None:
    value = read_number(text)
    assert value is not None
    assert (value.number, value.shown) == (pytest.approx(number), shown)


@pytest.mark.parametrize("text", ["", "x", "1/0", "--", "1e999", "9" * 100])
def test_what_is_no_number_is_refused(text: str) -> None:
    assert read_number(text) is None


def test_every_unit_is_converted_to_one_of_its_kind() -> None:
    known = units()
    assert len(set(known.values())) >= 100
    for code, unit in known.items():
        for target in filter(None, unit.default.split(" ")):
            assert known[target].measures == unit.measures, (code, target)


@pytest.mark.parametrize("unit", ["km", "ft", "acre", "lb", "C", "kn", "hp"])
@given(number=st.integers(min_value=1, max_value=10**6))
def test_a_conversion_is_right_to_two_digits(unit: str, number: int) -> None:
    known = units()
    shown = convert([str(number), unit], {}, short=True)
    assert shown is not None
    target = known[known[unit].default.split(" ")[0]]
    results = re.findall(r"\(([^ ;)]+)", shown)
    assert results
    for result in results:
        value = read_number(result)
        assert value is not None
        if unit == "C":
            assert value.number == pytest.approx(number * 9 / 5 + 32, abs=max(1, number / 20))
        else:
            ratio = known[unit].factor / target.factor
            assert value.number == pytest.approx(number * ratio, rel=0.051)


@given(
    st.sampled_from(sorted(RULES)),
    st.lists(st.text(max_size=12), max_size=6),
    st.dictionaries(st.sampled_from(["df", "lc", "u", "e", "adj", "abbr", "round"]), st.text()),
)
def test_no_rule_fails_on_any_arguments(
    rule: str, positional: list[str], named: dict[str, str]
) -> None:
    names = {
        "named_language": "lang-fr",
        "money": "euro",
        "country_code": "usa",
        "prefixed_ship": "hms",
    }
    shown = RULES[rule](call(names.get(rule, "date"), *positional, **named))
    assert shown is None or isinstance(shown, str)


@given(st.sampled_from(["1", "12", "5+1/2", "1e40", "0", "-1"]), st.lists(st.text(), max_size=5))
def test_convert_takes_any_arguments(number: str, rest: list[str]) -> None:
    for code in ("km", "C", "ft", "zz"):
        shown = convert([number, code, *rest], {"sigfig": "3", "disp": "or"}, short=False)
        assert shown is None or isinstance(shown, str)


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.get("rule") == "money"])
def test_every_currency_has_a_sign(entry: dict[str, list[str]]) -> None:
    for name in entry["names"]:
        assert RULES["money"](call(name, "5")), name


@pytest.mark.parametrize(
    "entry", [entry for entry in ENTRIES if entry.get("rule") == "country_code"]
)
def test_every_country_code_has_a_country(entry: dict[str, list[str]]) -> None:
    for name in entry["names"]:
        assert RULES["country_code"](call(name)), name
