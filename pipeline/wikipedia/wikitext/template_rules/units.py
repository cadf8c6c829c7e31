"""Units of measure and numbers: what they are, how they are written, how they are converted.

The number of digits of a converted value follows the value on the page: as many as it had,
adjusted by the size of the factor, and two significant ones at least; temperatures keep three
significant digits of kelvins.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from importlib.resources import files

_ZERO_OFFSETS = {"C": 273.15, "F": 459.67}
_TEMPERATURE_SCALES = {"C": 1.0, "F": 5 / 9, "K": 1.0}
# Consumption measures the same as range does, the other way up.
_INVERSE = frozenset({"L/100km"})
_NUMBER = re.compile(
    r"([-−+–]?)(?:(\d[\d,]*(?:\.\d+)?|\.\d+)(?:e([+-]?\d+))?)?(?:[+ ]?(\d+)(?://?|⁄)(\d+))?",
    re.IGNORECASE,
)

Precision = tuple[str, int]
"""What a page asks of a rounded value: "decimals", "sigfig" or "round", and how many."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit as ``units.tsv`` gives it; ``factor`` counts base units."""

    code: str
    measures: str
    factor: float
    symbol: str
    name: str
    plural: str
    default: str


@dataclass(frozen=True, slots=True)
class Value:
    """One number of the page: as it reads, what it is, and how many decimals it was given in."""

    shown: str
    number: float
    decimals: float


@cache
def units() -> Mapping[str, Unit]:
    """Every unit by each of its codes."""
    table = files(__package__).joinpath("units.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines() if not line.startswith("#")]
    found: dict[str, Unit] = {}
    for code, measures, factor, symbol, name, plural, default, others in rows[1:]:
        unit = Unit(code, measures, float(factor), symbol, name, plural or f"{name}s", default)
        for known in (code, *filter(None, others.split(", "))):
            found.setdefault(known, unit)
    return found


_MULTIPLE = re.compile(r"e(3|6|9|12)(.+)")
_MULTIPLES = {"3": "thousand", "6": "million", "9": "billion", "12": "trillion"}


def find_unit(code: str) -> Unit | None:
    """A unit by its code; ``e6m3`` is a million of ``m3``."""
    known = units()
    multiple = None if code in known else _MULTIPLE.fullmatch(code)
    if multiple is None or (unit := known.get(multiple[2])) is None:
        return known.get(code)
    power, word = multiple[1], _MULTIPLES[multiple[1]]
    return Unit(
        code=code,
        measures=unit.measures,
        factor=unit.factor * 10.0 ** int(power),
        symbol=f"×10{power} {unit.symbol}",
        name=f"{word} {unit.name}",
        plural=f"{word} {unit.plural}",
        default=" ".join(f"e{power}{target}" for target in unit.default.split()),
    )


def read_number(text: str) -> Value | None:
    """A number as pages write it: thousands commas, fractions (``5+1/2``), exponents."""
    text = text.strip().replace("\u00a0", "").replace("&nbsp;", "").replace("&minus;", "-")
    match = _NUMBER.fullmatch(text)
    if not match or not (match[2] or match[4]) or len(text) > 40:
        return None
    sign = -1.0 if match[1] and match[1] in "-−–" else 1.0
    digits = (match[2] or "").replace(",", "")
    number = float(digits or 0)
    exponent = int(match[3] or 0)
    if abs(exponent) > 60:
        return None
    number *= 10.0**exponent
    shown = group_digits(digits) if digits else ""
    if exponent:
        shown += f"×10{exponent}"
    fraction, point, decimals = digits.partition(".")
    places = float(len(decimals)) if point else -float(len(fraction) - len(fraction.rstrip("0")))
    places -= exponent
    if match[4]:
        denominator = int(match[5])
        if not denominator:
            return None
        number += int(match[4]) / denominator
        shown += ("+" if shown else "") + f"{match[4]}⁄{match[5]}"
        places = max(math.log10(denominator), 1.0)
    return Value(("−" if sign < 0 else "") + shown, sign * number, places)


def group_digits(digits: str) -> str:
    """A decimal number with commas between its thousands."""
    whole, point, decimals = digits.partition(".")
    whole = whole.lstrip("0") or "0"
    return f"{int(whole):,}{point}{decimals}" if len(whole) < 4000 else digits


def _base(number: float, unit: Unit) -> float:
    if unit.measures == "temperature":
        return (number + _ZERO_OFFSETS.get(unit.code, 0.0)) * _TEMPERATURE_SCALES[unit.code]
    if unit.code in _INVERSE:
        return unit.factor / number if number else 0.0
    return number * unit.factor


def _from_base(base: float, unit: Unit) -> float:
    if unit.measures == "temperature":
        return base / _TEMPERATURE_SCALES[unit.code] - _ZERO_OFFSETS.get(unit.code, 0.0)
    if unit.code in _INVERSE:
        return unit.factor / base if base else 0.0
    return base / unit.factor


def convert_value(
    value: Value,
    unit: Unit,
    target: Unit | tuple[Unit, Unit],
    precision: Precision | None,
) -> str | None:
    """The value in another unit, rounded and written; None when it measures something else."""
    first = target[0] if isinstance(target, tuple) else target
    if first.measures != unit.measures:
        return None
    base = _base(value.number, unit)
    if isinstance(target, tuple):
        return _in_two_units(base, target, value)
    result = _from_base(base, target)
    if precision and precision[0] == "round" and precision[1]:
        return write_rounded(round(result / precision[1]) * precision[1], 0)
    return write_rounded(result, _decimals(value, result, base, target, precision))


def _decimals(
    value: Value, result: float, base: float, target: Unit, precision: Precision | None
) -> int:
    if precision and precision[0] == "decimals":
        return precision[1]
    if precision and precision[0] == "sigfig":
        return precision[1] - 1 - (math.floor(math.log10(abs(result)) + 1e-14) if result else 0)
    if target.measures == "temperature":
        least = 2 if base < 1e-8 else 2 - math.floor(math.log10(base) + 1e-14)
        return max(math.floor(value.decimals + math.log10(2)), least)
    if not value.number or not result:
        return 0
    least = 1 - math.floor(math.log10(abs(result)) + 1e-14)
    adjust = math.log10(abs(value.number / result)) + math.log10(2)
    return max(math.floor(value.decimals + adjust), least)


def write_rounded(number: float, decimals: int) -> str:
    """The number rounded, a half away from nought, with commas and a minus sign."""
    decimals = max(min(decimals, 12), -30)
    exact = Decimal(repr(number)).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
    shown = group_digits(f"{abs(exact):f}")
    return f"−{shown}" if exact < 0 else shown


def _in_two_units(base: float, target: tuple[Unit, Unit], value: Value) -> str:
    """``5 ft 11 in``: whole units of the first, and the rest in the second."""
    per = round(target[0].factor / target[1].factor)
    fine = max(0, math.floor(value.decimals + math.log10(2)))
    total = round(abs(base) / target[1].factor, min(fine, 1) if fine > 2 else 0)
    whole, rest = divmod(total, per)
    sign = "−" if base < 0 else ""
    return f"{sign}{int(whole):,} {target[0].symbol} {rest:g} {target[1].symbol}"
