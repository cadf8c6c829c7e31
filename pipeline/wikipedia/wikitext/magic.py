"""Magic words and parser functions: what MediaWiki itself computes in double braces.

What depends on the day of reading or on other pages shows nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipeline.wikipedia.wikitext.calls import PARAMETER, Call
from pipeline.wikipedia.wikitext.marks import HOLE, JOIN
from pipeline.wikipedia.wikitext.template_rules.units import group_digits
from pipeline.wikipedia.wikitext.words import language_name, silent_words

_MARKS = str.maketrans("", "", HOLE + JOIN)
_WIDEST = 500  # as in MediaWiki
_PAGE_NAMES = frozenset(
    {"pagename", "fullpagename", "basepagename", "subpagename", "articlepagename"}
)
# What stands for the markup of tables where a bar would part arguments: a magic word, templates.
_TABLE_MARKUP = {"!": "|", "!!": "||", "!-": "|-", "!+": "|+", "(!": "{|", "!)": "|}"}
_WORDS = {"sitename": "Wikipedia", "namespace": "", "namespacenumber": "0", **_TABLE_MARKUP}


def read_magic(call: Call, title: str) -> str | None:
    """What a magic word or parser function shows; None when the call names a template."""
    name = call.name
    if name == PARAMETER:
        return call.arguments["1"]
    if name in _PAGE_NAMES:
        return title
    if name in _WORDS:
        return _WORDS[name]
    if name in silent_words():
        return ""
    if ":" not in name and not name.startswith("#"):
        return None
    function, _, first = call.written.partition(":")
    function = function.strip().casefold()
    read = _FUNCTIONS.get(function)
    if read is not None:
        rest = [
            value if key.isdecimal() else f"{key}={value}" for key, value in call.arguments.items()
        ]
        return read(first.strip(), rest)
    if function.startswith("#") or function in silent_words():
        return ""
    return None


def _argument(rest: Sequence[str], place: int) -> str:
    return rest[place].strip() if place < len(rest) else ""


def _bare(text: str) -> str:
    return text.translate(_MARKS).strip()


def _if(first: str, rest: Sequence[str]) -> str:
    return _argument(rest, 0 if _bare(first) else 1)


def _if_equal(first: str, rest: Sequence[str]) -> str:
    return _argument(rest, 1 if _bare(first) == _bare(_argument(rest, 0)) else 2)


def _if_exists(first: str, rest: Sequence[str]) -> str:
    return _argument(rest, 0)


def _if_error(first: str, rest: Sequence[str]) -> str:
    return _argument(rest, 1) or first


def _switch(first: str, rest: Sequence[str]) -> str:
    wanted = _bare(first).casefold()
    falling, default = False, ""
    for case in rest:
        key, equals, value = case.partition("=")
        bare = _bare(key).casefold()
        if not equals:
            falling = falling or bare == wanted
            default = key.strip()
        elif falling or bare == wanted:
            return value.strip()
        elif bare == "#default":
            default = value.strip()
    return default


def _format_number(first: str, rest: Sequence[str]) -> str:
    if _argument(rest, 0).casefold() == "r":
        return first.replace(",", "")
    whole, _, decimals = first.partition(".")
    return group_digits(first) if (whole + decimals).isdecimal() else first


def _tag(first: str, rest: Sequence[str]) -> str:
    return "" if first.casefold() in ("ref", "references", "gallery") else _argument(rest, 0)


def _plural(first: str, rest: Sequence[str]) -> str:
    return _argument(rest, 0) if _bare(first) == "1" else _argument(rest, 1) or _argument(rest, 0)


def _padding(rest: Sequence[str]) -> tuple[int, str]:
    """The width and the character to fill with; of a longer filling, the first."""
    width = _argument(rest, 0)
    return min(int(width), _WIDEST) if width.isdecimal() and len(width) < 4 else 0, (
        _argument(rest, 1)[:1] or "0"
    )


_FUNCTIONS: dict[str, Callable[[str, Sequence[str]], str]] = {
    "#if": _if,
    "#ifeq": _if_equal,
    "#ifexist": _if_exists,
    "#iferror": _if_error,
    "#switch": _switch,
    "#tag": _tag,
    "#language": lambda first, rest: language_name(first.casefold()),
    "formatnum": _format_number,
    "#formatnum": _format_number,
    "lc": lambda first, rest: first.lower(),
    "uc": lambda first, rest: first.upper(),
    "lcfirst": lambda first, rest: first[:1].lower() + first[1:],
    "ucfirst": lambda first, rest: first[:1].upper() + first[1:],
    "plural": _plural,
    "padleft": lambda first, rest: first.rjust(*_padding(rest)),
    "padright": lambda first, rest: first.ljust(*_padding(rest)),
}
