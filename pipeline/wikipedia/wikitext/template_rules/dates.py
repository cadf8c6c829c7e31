"""Templates of dates and ages: what each shows for a call.

An age that depends on the day of reading is not shown: the same page must give the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pipeline.wikipedia.wikitext.calls import Call

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_WHOLE = re.compile(r"\d{1,4}")


def _written(year: str, month: str, day: str, *, day_first: bool) -> str | None:
    """A date in words, as far as it is given; None when the parts are no numbers."""
    if not year:
        return None
    if not month:
        return year
    name = _month(month)
    if name is None:
        return None
    if not day:
        return f"{name} {year}"
    if not _WHOLE.fullmatch(day):
        return None
    day = day.lstrip("0") or day
    return f"{day} {name} {year}" if day_first else f"{name} {day}, {year}"


def _month(text: str) -> str | None:
    if text.isdecimal() and 1 <= int(text[:4]) <= 12:
        return _MONTHS[int(text) - 1]
    for name in _MONTHS:
        if len(text) >= 3 and name.casefold().startswith(text.casefold().rstrip(".")):
            return name
    return None


def _day_first(call: Call) -> bool:
    return call.plain("df") not in ("", "no", "n") or call.plain("mf") == "no"


def _numbers(call: Call, *, start: int = 1) -> tuple[str, str, str]:
    year, month, day = (call.plain(str(place)) for place in range(start, start + 3))
    return year, month, day


def _date(call: Call) -> str | None:
    """Year, month and day as numbers or words; or one argument that is a date already."""
    year, month, day = _numbers(call)
    if not _WHOLE.fullmatch(year):
        if _WHOLE.fullmatch(day) and _month(month) and year.isdecimal() is False:
            return _written(day, month, year, day_first=_day_first(call)) or year
        return call.get("1")
    if month and not day and _month(month) is None:
        return call.get("1")
    if len(year) < 3 and _WHOLE.fullmatch(day) and len(day) > 2:
        year, day = day, year
    return _written(year, month, day, day_first=_day_first(call)) or call.get("1")


def _death_and_age(call: Call) -> str | None:
    """The day of death, then the day of birth: the age is told by both."""
    if not _WHOLE.fullmatch(call.plain("1")):
        return call.get("1")
    if call.name == "death year and age":
        born, died = call.plain("2"), call.plain("1")
        if _WHOLE.fullmatch(born):
            years = int(died) - int(born)
            return f"{died} (aged {years - 1}–{years})"
        return died
    died = _written(*_numbers(call), day_first=_day_first(call)) or call.plain("1")
    age = _years_between(_numbers(call, start=4), _numbers(call))
    return f"{died} (aged {age})" if age is not None else died


def _years_between(start: tuple[str, str, str], end: tuple[str, str, str]) -> int | None:
    if not all(_WHOLE.fullmatch(part) for part in (*start, *end)):
        return None
    first, last = tuple(map(int, start)), tuple(map(int, end))
    return last[0] - first[0] - (last[1:] < first[1:])


def _age_between(call: Call) -> str | None:
    age = _years_between(_numbers(call), _numbers(call, start=4))
    return str(age) if age is not None and "day" not in call.name else ""


def _as_of(call: Call) -> str | None:
    if alternative := call.get("alt"):
        return alternative
    year, month, day = _numbers(call)
    date = _written(year, month, day, day_first=_day_first(call)) or year
    since = call.plain("since") not in ("", "n", "no")
    lead = "Since" if since else "As of"
    if call.plain("bare") not in ("", "n", "no"):
        lead = ""
    elif call.plain("lc") not in ("", "n", "no"):
        lead = lead.lower()
    return f"{lead} {date}".strip() + (call.get("post") or "")


def _marriage(call: Call) -> str | None:
    name = call.get("1")
    if not name:
        return None
    start, end = call.get("2"), call.get("3")
    reason = {"died": "died", "d.": "died", "death": "died", "div": "div."}
    how = reason.get(call.plain("end", "reason").casefold(), "div.")
    parts = [f"m. {start}"] if start else []
    if end:
        parts.append(f"{how} {end}")
    return f"{name} ({'; '.join(parts)})" if parts else name


DATE_RULES: dict[str, Callable[[Call], str | None]] = {
    "date": _date,
    "death_and_age": _death_and_age,
    "age_between": _age_between,
    "as_of": _as_of,
    "marriage": _marriage,
}
