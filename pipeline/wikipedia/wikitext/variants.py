"""Language conversion markup: ``-{zh-hans:a; zh-hant:b}-`` shows one of its texts.

Only wikis of languages with several scripts read it; elsewhere it is read where it names variants,
as copied text does.
"""

from __future__ import annotations

import re

_CONVERSION = re.compile(r"-\{(?!\{)([^{}]*)\}-")
_FLAGS = re.compile(r"\s*+([A-Za-z;-]*+)\s*+\|(.*)", re.DOTALL)
_CHOICE = re.compile(r"\s*+(?:[^;|=]*+=>\s*+)?([a-z]{2,3}(?:-[a-z]+)*)\s*+:(.*)", re.DOTALL)
_LANGUAGES = frozenset({"zh", "sr", "sh", "kk", "ku", "iu", "uz", "gan", "crh", "shi", "tg", "ban"})
_PREFERRED = ("zh-hans", "zh-cn", "zh", "sr-el", "sr-latn")
_HIDDEN = frozenset("HT-DN")


def read_variants(text: str, language: str) -> str:
    """The page with each choice of variants replaced by one, the same everywhere."""
    if "-{" not in text:
        return text

    def read(conversion: re.Match[str]) -> str:
        shown = _shown(conversion[1], converts=language in _LANGUAGES)
        return conversion[0] if shown is None else shown

    return _CONVERSION.sub(read, text)


def _shown(inside: str, *, converts: bool) -> str | None:
    if not inside.strip():
        return ""  # it keeps two characters from being converted as one word
    flags = _FLAGS.fullmatch(inside)
    if flags:
        names = set(flags[1].split(";"))
        inside = flags[2]
        if names & _HIDDEN:
            return ""
        converts = True
        if "R" in names:
            return inside
    choices: dict[str, str] = {}
    for part in inside.split(";"):
        choice = _CHOICE.fullmatch(part)
        if choice:
            choices.setdefault(choice[1], choice[2].strip())
        elif part.strip():
            return inside if converts else None
    if not choices:
        return "" if converts else None
    for code in _PREFERRED:
        if code in choices:
            return choices[code]
    return next(iter(choices.values()))
