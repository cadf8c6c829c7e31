"""Templates whose text needs arithmetic or a table: what each shows for a call.

A rule returns None for arguments that it does not take; the call is then read like that of an
unknown template.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from pipeline.wikipedia.calls import Call
from pipeline.wikipedia.convert import convert, group_digits, read_number
from pipeline.wikipedia.date_rules import DATE_RULES
from pipeline.wikipedia.words import language_name

Rule = Callable[[Call], str | None]


@cache
def _words() -> Mapping[str, Any]:
    text = files("pipeline.wikipedia").joinpath("rule_words.yaml").read_text(encoding="utf-8")
    words: Mapping[str, Any] = yaml.safe_load(text)
    return words


# ---------------------------------------------------------------- languages


def _named_language(call: Call) -> str | None:
    """``{{lang-fr|x}}`` shows "French: x"; ``label=none`` leaves the name out."""
    if call.name == "langx":
        code, text, romanized = call.plain("1"), call.get("2", "text"), call.get("3", "translit")
    else:
        code = call.name.removeprefix("lang-")
        text, romanized = call.get("1", "text"), call.get("2", "translit")
    literal = call.get("lit", "3" if call.name != "langx" else "4")
    if not text:
        return ""
    label = call.plain("label")
    name = "" if label == "none" else label or language_name(code)
    shown = f"{name}: {text}" if name else text
    if romanized:
        shown += f", romanized: {romanized}" if name else f", {romanized}"
    return f"{shown}, lit. '{literal}'" if literal else shown


_CHINESE = (
    ("c", "Chinese"),
    ("s", "simplified Chinese"),
    ("t", "traditional Chinese"),
    ("p", "pinyin"),
    ("hp", "pinyin"),
    ("tp", "Tongyong Pinyin"),
    ("w", "Wade–Giles"),
    ("j", "Jyutping"),
    ("cy", "Cantonese Yale"),
    ("poj", "Pe̍h-ōe-jī"),
    ("l", "lit."),
    ("lit", "lit."),
)


def _chinese(call: Call) -> str | None:
    labels = call.plain("labels") != "no"
    parts = []
    for key, label in _CHINESE:
        text = call.get(key)
        if not text:
            continue
        if label == "lit.":
            parts.append(f"lit. '{text}'")
        else:
            parts.append(f"{label}: {text}" if labels else text)
    if not parts and (text := call.get("1")):
        return f"Chinese: {text}" if labels else text
    return "; ".join(parts)


def _japanese(call: Call) -> str | None:
    """English, then the Japanese and its reading in brackets; what is missing moves up."""
    parts = [part for part in (call.get("1"), call.get("2"), call.get("3")) if part]
    if extra := call.get("4", "extra"):
        parts.append(extra)
    if not parts:
        return ""
    shown = f"{parts[0]} ({', '.join(parts[1:])})" if parts[1:] else parts[0]
    return f"{shown} {last}" if (last := call.get("5", "extra2")) else shown


_SOUND_FILE = re.compile(r"\.(?:ogg|oga|wav|mp3|flac)\s*$", re.IGNORECASE)
_SPOKEN = {
    "lang": "",
    "pron": "pronounced ",
    "also": "also ",
    "us": "US: ",
    "uk": "UK: ",
    "au": "AU: ",
    "local": "locally ",
    "ipa": "",
    "": "",
    "_": " ",
}


def _ipa_word(call: Call) -> str | None:
    """``{{IPAc-en|k|æ|t}}``: the sounds are arguments; some words of its own come before."""
    lead, sounds = "", ""
    for argument in call.positional():
        sound = argument.strip()
        if _SOUND_FILE.search(sound):
            continue
        if not sounds.strip() and sound.casefold() in _SPOKEN and sound != "_":
            lead += _SPOKEN[sound.casefold()]
        else:
            sounds += " " if sound == "_" else sound
    return f"{lead}/{sounds}/" if sounds else lead.strip()


def _respelling(call: Call) -> str | None:
    shown = ""
    for syllable in (argument.strip() for argument in call.positional()):
        if syllable == "_":
            shown += " "
        elif syllable:
            shown += ("-" if shown and not shown.endswith(" ") else "") + syllable
    return shown


# ---------------------------------------------------------------- measures and numbers


def _arguments(call: Call) -> tuple[list[str], dict[str, str]]:
    positional = [call.plain(str(place + 1)) for place in range(len(call.positional()))]
    named = {key: call.plain(key) for key in call.arguments if not key.isdecimal()}
    return positional, named


def _measure(call: Call) -> str | None:
    positional, named = _arguments(call)
    return convert(positional, named, short=False)


def _short_measure(call: Call) -> str | None:
    positional, named = _arguments(call)
    return convert(positional, named, short=True)


def _fraction(call: Call) -> str | None:
    match [argument.strip() for argument in call.positional()[:3] if argument.strip()]:
        case [whole, top, bottom]:
            return f"{whole} {top}⁄{bottom}"
        case [top, bottom]:
            return f"{top}⁄{bottom}"
        case [bottom]:
            return f"1⁄{bottom}"
    return "⁄"


_DIGITS = re.compile(r"[-−+]?\d+(?:\.\d+)?")


def _number(call: Call) -> str | None:
    text = call.plain("1")
    return group_digits(text) if _DIGITS.fullmatch(text) and text[0].isdigit() else text


def _grouped_digits(call: Call) -> str | None:
    shown = " ".join(argument.strip() for argument in call.positional() if argument.strip())
    return _exponent(shown, call)


def _exponent(shown: str, call: Call) -> str:
    if power := call.plain("e"):
        shown += f"×10{power.replace('-', '−')}"
    if unit := call.get("u", "ul"):
        shown += unit if unit in ("%", "°") else f" {unit}"
    if per := call.get("up", "upl"):
        shown += f"/{per}"
    return shown


def _value(call: Call) -> str | None:
    """``{{val}}``: a value, what it may be off by, a power of ten and a unit."""
    text, *errors = [call.plain(key) for key in ("1", "2", "3")]
    shown = group_digits(text) if _DIGITS.fullmatch(text) and text[0].isdigit() else text
    shown = (call.get("p") or "") + shown.replace("-", "−")
    match [error for error in errors if error]:
        case [error]:
            shown += f"({error[1:-1]})" if error.startswith("(") else f"±{error}"
        case [above, below]:
            shown += f"+{above.lstrip('+')}−{below.lstrip('-−')}"
    return _exponent(shown, call) + (call.get("s") or "")


def _percentage(call: Call) -> str | None:
    part, whole, places = (read_number(call.plain(key)) for key in ("1", "2", "3"))
    if part and whole and whole.number:
        decimals = int(places.number) if places and 0 <= places.number < 10 else 0
        return f"{part.number / whole.number * 100:.{decimals}f}%"
    return f"{call.plain('1')}%" if call.plain("1") else "%"


def _ordinal(call: Call) -> str | None:
    text = call.plain("1").replace(",", "")
    if not text.isdecimal():
        return text
    last = {"1": "st", "2": "nd", "3": "rd"}.get(text[-1], "th")
    return text + ("th" if text[-2:-1] == "1" else last)


def _rounded(call: Call) -> str | None:
    value, places = read_number(call.plain("1")), read_number(call.plain("2") or "0")
    if not value or not places or abs(places.number) > 12:
        return call.plain("1")
    number = round(value.number, int(places.number))
    return group_digits(f"{number:.{max(int(places.number), 0)}f}") if number >= 0 else f"{number}"


def _nuclide(call: Call) -> str | None:
    first, second = call.plain("1"), call.plain("2")
    if first.isdecimal():
        return f"{first}{second}"
    return f"{second}{first}"


def _height(call: Call) -> str | None:
    feet, inches = call.plain("ft"), call.plain("in")
    if feet:
        return f"{feet} ft {inches} in" if inches else f"{feet} ft"
    for unit in ("m", "cm", "in"):
        if value := call.plain(unit):
            return f"{value} {unit}"
    return None


_HEMISPHERE = re.compile(r"[NSEW]", re.IGNORECASE)


def _coordinates(call: Call) -> str | None:
    """Coordinates inside the text are shown; most stand in the page's corner."""
    if call.plain("display").replace(",", " ").split() == ["title"]:
        return ""
    shown, signs = "", iter("°′″")
    numbers: list[str] = []
    for argument in (call.plain(str(place + 1)) for place in range(len(call.positional()))):
        if _HEMISPHERE.fullmatch(argument) and numbers:
            signs = iter("°′″")
            shown += "".join(f"{number}{next(signs, '')}" for number in numbers[:3])
            shown += argument.upper() + " "
            numbers = []
        elif read_number(argument):
            numbers.append(argument)
        else:
            break
    if not shown and len(numbers) == 2:
        latitude, longitude = numbers
        north = "S" if latitude[0] in "-−" else "N"
        east = "W" if longitude[0] in "-−" else "E"
        return f"{latitude.lstrip('-−')}°{north} {longitude.lstrip('-−')}°{east}"
    return shown.strip()


# ---------------------------------------------------------------- money, ships, places


def _money(call: Call) -> str | None:
    sign: str = _words()["currencies"][call.name]
    amount = call.get("1")
    if not amount:
        return sign.strip()
    places = call.plain("2")
    del places  # a link or a year: neither is shown before the amount
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
    country: str = _words()["countries"][call.name]
    return country


RULES: dict[str, Rule] = {
    "named_language": _named_language,
    "japanese": _japanese,
    "chinese": _chinese,
    "ipa_word": _ipa_word,
    "respelling": _respelling,
    "measure": _measure,
    "short_measure": _short_measure,
    "fraction": _fraction,
    "number": _number,
    "grouped_digits": _grouped_digits,
    "value": _value,
    "percentage": _percentage,
    "ordinal": _ordinal,
    "rounded": _rounded,
    "nuclide": _nuclide,
    "height": _height,
    "coordinates": _coordinates,
    "money": _money,
    "money_by_code": _money_by_code,
    "prefixed_ship": _prefixed_ship,
    "ship": _ship,
    "ship_class": _ship_class,
    "country_code": _country_code,
    **DATE_RULES,
}
