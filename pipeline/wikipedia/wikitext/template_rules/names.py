"""Templates of money, ships and countries."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

import yaml

from pipeline.wikipedia.wikitext.calls import Call
from pipeline.wikipedia.wikitext.template_rules.units import group_digits

_DIGITS = re.compile(r"\d+(?:\.\d+)?")


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    text = files(__package__).joinpath("words.yaml").read_text(encoding="utf-8")
    words: Mapping[str, Mapping[str, str]] = yaml.safe_load(text)
    return words


def _money(call: Call) -> str | None:
    sign = _words()["currencies"][call.name]
    amount = call.get("1")
    if not amount:
        return sign.strip()
    return sign + (group_digits(amount) if _DIGITS.fullmatch(amount) else amount)


def _money_by_code(call: Call) -> str | None:
    code = call.plain("2").casefold()
    sign = _words()["currencies"].get(code, f"{code.upper()} " if code else "$")
    amount = call.plain("1")
    return f"{sign}{amount}" if amount else sign.strip()


def _prefixed_ship(call: Call) -> str | None:
    prefix = _words()["ship_prefixes"].get(call.name, call.name.upper())
    return _ship_text(prefix, call.get("1"), call.get("2"), call.plain("3"))


def _ship(call: Call) -> str | None:
    return _ship_text(call.get("1") or "", call.get("2"), call.get("3"), call.plain("4"))


def _ship_text(prefix: str, name: str | None, number: str | None, layout: str) -> str | None:
    """The layouts: 1 the hull number alone, 2 no number, 3 no prefix, 5 and 6 the name alone."""
    if not name:
        return prefix
    match layout:
        case "1" if number:
            return number
        case "2":
            return f"{prefix} {name}".strip()
        case "3" if number:
            return f"{name} ({number})"
        case "5" | "6" | "3":
            return name
    whole = f"{prefix} {name}".strip()
    return f"{whole} ({number})" if number else whole


def _ship_class(call: Call) -> str | None:
    name, kind, layout = call.get("1"), call.get("2"), call.plain("3")
    if not name:
        return None
    match layout:
        case "1" | "2":
            return f"{name} class"
        case "3" | "5" if not kind:
            return name
    return f"{name}-class {kind}" if kind else f"{name} class"


def _country_code(call: Call) -> str | None:
    return _words()["countries"][call.name]


NAME_RULES: dict[str, Callable[[Call], str | None]] = {
    "money": _money,
    "money_by_code": _money_by_code,
    "prefixed_ship": _prefixed_ship,
    "ship": _ship,
    "ship_class": _ship_class,
    "country_code": _country_code,
}
