"""Templates of measures and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable

from pipeline.wikipedia.wikitext.calls import Call
from pipeline.wikipedia.wikitext.template_rules.measures import convert
from pipeline.wikipedia.wikitext.template_rules.units import (
    group_digits,
    read_number,
    write_rounded,
)


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
    return write_rounded(value.number, int(places.number))


_ROMAN = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L")),
    *((40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)


def _roman(call: Call) -> str | None:
    text = call.plain("1")
    if not text.isdecimal() or len(text) > 4 or not 0 < int(text) < 5000:
        return text
    left, shown = int(text), ""
    for value, letters in _ROMAN:
        shown += letters * (left // value)
        left %= value
    return shown


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


NUMBER_RULES: dict[str, Callable[[Call], str | None]] = {
    "measure": _measure,
    "short_measure": _short_measure,
    "fraction": _fraction,
    "number": _number,
    "grouped_digits": _grouped_digits,
    "value": _value,
    "percentage": _percentage,
    "ordinal": _ordinal,
    "rounded": _rounded,
    "roman": _roman,
    "nuclide": _nuclide,
    "height": _height,
    "coordinates": _coordinates,
}
