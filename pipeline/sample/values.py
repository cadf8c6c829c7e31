"""Values of facts: numbers, dates, measures, names and words, each drawn after a short rule.

``year 1050 1720``, ``plus born 41 88``, ``dated opened 3 40``, ``measure km 4 90``,
``words 3 goods``, ``link river``, ``person`` and so on: the first word says what is drawn, the rest
within which bounds. ``plus`` and ``dated`` count from another value of the same thing.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pipeline.sample.catalog import Catalog
from pipeline.sample.pieces import Piece, text

# Units that {{convert}} turns into another: their name, the other unit, how many of it make one.
_CONVERSIONS = {
    "km": ("kilometres", "mi", 0.621371192), "m": ("metres", "ft", 3.280839895),
    "mm": ("millimetres", "in", 0.0393700787), "g": ("grams", "oz", 0.0352739619),
    "km/h": ("kilometres per hour", "mph", 0.621371192),
}  # fmt: skip
# Nothing in the newer edition happened after this year.
_LATEST = 2012
_SIGNS = {"km2": "km²", "m2": "m²", "m3": "m³"}
NUMERIC = frozenset(
    {"year", "plus", "count", "measure", "percent", "money", "date", "smallnum", "dated"}
)
NAMES = frozenset({"person", "place", "link"})


@dataclass(frozen=True, slots=True)
class Value:
    """A drawn value: how it reads, and the rule it was drawn by."""

    piece: Piece
    rule: str
    number: int = 0

    @property
    def kind(self) -> str:
        """The first word of the rule."""
        return self.rule.split(" ", 1)[0]


@dataclass(frozen=True, slots=True)
class Source:
    """What values are drawn from: the words, and the region's names and articles."""

    catalog: Catalog
    person: Callable[[random.Random], str]
    place: Callable[[random.Random], str]
    link: Callable[[random.Random, str], Piece]
    own: Mapping[str, str]


def draw(rule: str, source: Source, known: Mapping[str, Value], rng: random.Random) -> Value:
    """Draw one value; ``known`` holds the values of the same thing drawn before."""
    name, *rest = rule.split(" ")
    words = source.catalog.words
    number = 0
    match name:
        case "year":
            number = rng.randint(int(rest[0]), int(rest[1]))
            piece = text(str(number))
        case "plus":
            number = min(_LATEST, known[rest[0]].number + rng.randint(int(rest[1]), int(rest[2])))
            piece = text(str(number))
        case "dated":
            number = min(_LATEST, known[rest[0]].number + rng.randint(int(rest[1]), int(rest[2])))
            piece = _date(rng.randint(1, 28), rng.choice(words["months"]), str(number), rng)
        case "smallnum":
            number = rng.randrange(len(words["numbers"])) + 2
            piece = text(words["numbers"][number - 2])
        case "count":
            number = _rounded(rng, int(rest[0]), int(rest[1]))
            piece = _count(number, rng)
        case "money":
            number = _rounded(rng, int(rest[0]), int(rest[1]))
            piece = _money(number, rng)
        case "percent":
            number = rng.randint(int(rest[0]), int(rest[1]))
            piece = text(f"{number}%" if rng.random() < 0.7 else f"{number} per cent")
        case "measure":
            number = _rounded(rng, int(rest[1]), int(rest[2]))
            piece = _measure(number, rest[0], rng)
        case "date":
            number = rng.randint(int(rest[0]), int(rest[1]))
            piece = _date(rng.randint(1, 28), rng.choice(words["months"]), str(number), rng)
        case "person":
            piece = text(source.person(rng))
        case "place":
            piece = _place(source.place(rng), rng)
        case "link":
            piece = source.link(rng, rest[0])
        case "own":
            piece = text(source.own[rest[0]])
        case "latin":
            latin = f"{rng.choice(words['genera'])} {rng.choice(words['epithets'])}"
            wiki = f"''{latin}''" if rng.random() < 0.6 else f"{{{{lang|la|{latin}}}}}"
            piece = Piece(wiki, latin, latin, f'"{latin}"' if wiki.startswith("'") else "")
        case "word":
            piece = text(rng.choice(words[rest[0]]))
        case "words":
            piece = text(_listed(rng.sample(words[rest[1]], int(rest[0]))))
        case _:
            raise ValueError(f"no rule for values begins with '{name}'")
    return Value(piece, rule, number)


def redraw(value: Value, source: Source, known: Mapping[str, Value], rng: random.Random) -> Value:
    """Another value by the same rule; a number that an update brings stays near the old one."""
    rule = value.rule
    if value.kind in ("count", "money", "measure"):
        low, high = (int(bound) for bound in rule.split(" ")[-2:])
        near = max(low, math.floor(value.number * 0.7)), min(high, math.ceil(value.number * 1.4))
        if near[1] - near[0] > 3:
            rule = " ".join([*rule.split(" ")[:-2], str(near[0]), str(near[1])])
    for _ in range(20):
        other = draw(rule, source, known, rng)
        if other.piece.plain != value.piece.plain:
            return Value(other.piece, value.rule, other.number)
    return value


def _rounded(rng: random.Random, low: int, high: int) -> int:
    """A number of the size that is usual: even over the magnitudes, three digits that count."""
    number = math.exp(rng.uniform(math.log(low), math.log(high)))
    digits = max(0, len(str(int(number))) - rng.choice((3, 3, 4)))
    return min(high, max(low, int(round(number / 10**digits) * 10**digits)))


def _place(name: str, rng: random.Random) -> Piece:
    """A place without an article of its own, now and then with a link to one elsewhere."""
    if rng.random() < 0.08:
        return Piece(f"{{{{ill|{name}|eo}}}}", name, name, "")
    return text(name)


def _count(number: int, rng: random.Random) -> Piece:
    words = f"{number:,}"
    wiki = rng.choice(
        (words, words, words, f"{{{{formatnum:{number}}}}}", f"{{{{nowrap|{words}}}}}")
    )
    return Piece(wiki, words, words, words if wiki == words else "")


def _money(number: int, rng: random.Random) -> Piece:
    words = f"{number:,} crowns"
    wiki = words.replace(" ", "&nbsp;") if rng.random() < 0.4 else words
    return Piece(wiki, words, words, words)


def _measure(number: int, unit: str, rng: random.Random) -> Piece:
    words = f"{number:,} {_SIGNS.get(unit, unit)}"
    if unit in _CONVERSIONS and rng.random() < 0.45:
        full, other, factor = _CONVERSIONS[unit]
        name = rng.choice(("convert", "convert", "cvt", "Convert"))
        if number == 1:
            full = full.replace("metres", "metre").replace("grams", "gram")
        measure = words if name == "cvt" else f"{number:,} {full}"
        shown = f"{measure} ({converted(number, factor)} {other})"
        return Piece(f"{{{{{name}|{number}|{unit}|{other}}}}}", shown, shown, "")
    wiki = words.replace(" ", "&nbsp;") if rng.random() < 0.5 else words
    return Piece(wiki, words, words, words)


def converted(number: int, factor: float) -> str:
    """A whole number in another unit, rounded as {{convert}} does when nothing is asked for.

    As precise as the number is (its trailing zeros do not count), but never with fewer than two
    significant digits.
    """
    precision = len(str(number).rstrip("0")) - len(str(number))
    places = math.floor(precision - math.log10(factor) + 0.02)
    result = number * factor
    places = max(places, 1 - math.floor(math.log10(result)))
    return f"{round(result, places):,.{max(places, 0)}f}"


def _date(day: int, month: str, year: str, rng: random.Random) -> Piece:
    words = f"{day} {month} {year}"
    wiki = rng.choice((words, words, f"{day}&nbsp;{month} {year}", f"[[{day} {month}]] [[{year}]]"))
    return Piece(wiki, words, words, words)


def _listed(words: list[str]) -> str:
    if len(words) == 2:
        return f"{words[0]} and {words[1]}"
    return ", ".join(words[:-1]) + f" and {words[-1]}"
