"""``{{convert}}``: a measure as the page gives it, and what it is in another unit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pipeline.wikipedia.wikitext.template_rules.units import (
    Precision,
    Unit,
    Value,
    convert_value,
    find_unit,
    read_number,
    units,
)

_RANGE_WORDS = {
    "-": "–",
    "–": "–",
    "&ndash;": "–",
    "to": " to ",
    "to-": " to ",
    "to(-)": " to ",
    "and": " and ",
    "and(-)": " and ",
    "or": " or ",
    "x": " × ",
    "×": " × ",
    "*": " × ",
    "xx": " × ",
    "by": " by ",
    "+": " + ",
    ",": ", ",
    ", and": ", and ",
    ", or": ", or ",
    "+/-": " ± ",
    "±": " ± ",
    "to about": " to about ",
}
_SUBUNITS = {("ft", "in"), ("yd", "ft"), ("mi", "ft"), ("mi", "yd"), ("lb", "oz"), ("st", "lb")}
_JOINED = {"ftin": "ft in", "stlb": "st lb", "lboz": "lb oz", "ydft": "yd ft"}


def convert(positional: Sequence[str], named: Mapping[str, str], *, short: bool) -> str | None:
    """What ``{{convert}}`` shows; None for arguments that it does not take."""
    values, joints, units_given, rest = _split(positional)
    if not values or not units_given:
        return None
    unit = find_unit(units_given[0])
    precision = _precision(named, rest)
    targets = _targets(unit, rest)
    american = named.get("sp") == "us"
    show = _Show(named, short=short, american=american)
    if len(units_given) > 1:
        return _composite(values, units_given, targets, precision, show)
    if unit is None:
        return (
            "".join(_interleave([value.shown for value in values], joints)) + f" {units_given[0]}"
        )
    given = "".join(_interleave([value.shown for value in values], joints))
    left = show.given(given, values[-1].number, unit, "/" in values[-1].shown or "⁄" in given)
    results = []
    for target in targets:
        converted = [convert_value(value, unit, target, precision) for value in values]
        if any(shown is None for shown in converted):
            continue
        texts = [shown for shown in converted if shown is not None]
        if len(set(texts)) == 1 and all(joint in ("–", " to ") for joint in joints):
            texts = texts[:1]
        results.append(show.converted("".join(_interleave(texts, joints)), target))
    return show.together(left, results)


class _Show:
    """How the named arguments ask for a measure to be written."""

    def __init__(self, named: Mapping[str, str], *, short: bool, american: bool) -> None:
        self.abbreviate = named.get("abbr") or ("on" if short else "out")
        self.adjective = named.get("adj", "")
        self.layout = named.get("disp", "")
        self.flipped = named.get("order") == "flip" or self.layout == "flip"
        self.american = american
        self.middle = named.get("mid", "")

    def given(self, number: str, value: float, unit: Unit, fraction: bool = False) -> str:
        if self.abbreviate in ("values", "none0"):
            return number
        short = self.abbreviate in ("on", "in", "~") or unit.measures == "temperature"
        if self.flipped and self.abbreviate == "out":
            short = True
        if self.abbreviate in ("off", "none"):
            short = False
        return self._with_unit(number, value, unit, short, fraction)

    def converted(self, number: str, target: Unit | tuple[Unit, Unit]) -> str:
        if self.abbreviate == "values" or isinstance(target, tuple):
            return number
        short = self.abbreviate not in ("off", "none", "in")
        if self.flipped and self.abbreviate == "out":
            short = target.measures == "temperature"
        value = read_number(number)
        return self._with_unit(number, value.number if value else 2.0, target, short, False)

    def _with_unit(self, number: str, value: float, unit: Unit, short: bool, fraction: bool) -> str:
        if short:
            return f"{number}{'' if unit.symbol.startswith(('/', '×')) else ' '}{unit.symbol}"
        if self.adjective in ("on", "mid", "1") and unit.measures != "temperature":
            name = unit.name.replace(" ", "-")
            number = f"{number}-"
        else:
            singular = abs(value) == 1 or (fraction and abs(value) < 1)
            singular = singular and not unit.symbol.startswith("×")
            name = f" {unit.name if singular else unit.plural}"
        if self.american:
            name = name.replace("metre", "meter").replace("litre", "liter")
        return number + name

    def together(self, left: str, results: list[str]) -> str:
        if self.adjective == "mid":
            left += self.middle
        if not results or self.layout in ("number", "x", "none", "unit", "unit2"):
            return left if self.layout != "number" else (results[0] if results else left)
        right = "; ".join(results)
        if self.layout in ("out", "output only", "output number only", "number out"):
            return right
        if self.flipped:
            left, right = right, left
        match self.layout:
            case "or":
                return f"{left} or {right}"
            case "sqbr":
                return f"{left} [{right}]"
            case "comma":
                return f"{left}, {right}"
            case "/" | "slash":
                return f"{left} / {right}"
            case "br":
                return f"{left} {right}"
        return f"{left} ({right})"


def _split(
    positional: Sequence[str],
) -> tuple[list[Value], list[str], list[str], list[str]]:
    """Values, what stands between them, the units they are in, and the arguments after."""
    values: list[Value] = []
    joints: list[str] = []
    given: list[str] = []
    arguments = [argument.strip() for argument in positional]
    place = 0
    while place < len(arguments):
        value = read_number(arguments[place])
        if value is None:
            break
        values.append(value)
        following = arguments[place + 1] if place + 1 < len(arguments) else ""
        if following in _RANGE_WORDS and place + 2 < len(arguments):
            joints.append(_RANGE_WORDS[following])
            place += 2
            continue
        if not following or read_number(following):
            return values, joints, given, arguments[place + 1 :]
        given.append(following)
        place += 2
        after = arguments[place : place + 2]
        if len(after) == 2 and (following, after[1]) in _SUBUNITS and read_number(after[0]):
            continue
        break
    return values, joints, given, arguments[place:]


def _precision(named: Mapping[str, str], rest: list[str]) -> Precision | None:
    for key in ("sigfig", "round"):
        value = named.get(key, "").strip()
        if value.isdecimal() and len(value) < 3:
            return key, int(value)
    for argument in rest:
        if re.fullmatch(r"-?\d{1,2}", argument):
            return "decimals", int(argument)
    return None


def _targets(unit: Unit | None, rest: list[str]) -> list[Unit | tuple[Unit, Unit]]:
    asked = rest[0] if rest and rest[0] and not re.fullmatch(r"-?\d+", rest[0]) else ""
    if not asked and unit:
        asked = unit.default
    asked = _JOINED.get(asked, asked)
    if target := find_unit(asked):
        return [target]
    codes = asked.replace("/100 km", "/100km").replace("+", " ").split()
    if len(codes) == 2 and (codes[0], codes[1]) in _SUBUNITS:
        return [(units()[codes[0]], units()[codes[1]])]
    found: list[Unit | tuple[Unit, Unit]] = []
    found.extend(target for code in codes if (target := find_unit(code)))
    return found


def _composite(
    values: list[Value],
    given: list[str],
    targets: list[Unit | tuple[Unit, Unit]],
    precision: Precision | None,
    show: _Show,
) -> str:
    """A value in two units, such as feet and inches, and what it is in others."""
    known = units()
    pairs = [(value, known[code]) for value, code in zip(values, given, strict=True)]
    left = " ".join(show.given(value.shown, value.number, unit) for value, unit in pairs)
    last_value, last_unit = pairs[-1]
    total = sum(value.number * unit.factor for value, unit in pairs) / last_unit.factor
    whole = Value(last_value.shown, total, max(last_value.decimals, 0.0))
    results = []
    for target in targets:
        shown = convert_value(whole, last_unit, target, precision)
        if shown is not None:
            results.append(show.converted(shown, target))
    return show.together(left, results)


def _interleave(texts: Sequence[str], joints: Sequence[str]) -> list[str]:
    pieces = [texts[0]]
    for joint, text in zip(joints, texts[1:], strict=False):
        pieces += [joint, text]
    return pieces
