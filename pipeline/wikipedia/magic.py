"""Magic words and parser functions: what MediaWiki itself computes in double braces."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipeline.wikipedia.calls import Call
from pipeline.wikipedia.convert import group_digits
from pipeline.wikipedia.marks import HOLE, JOIN

_MARKS = str.maketrans("", "", HOLE + JOIN)


def read_magic(call: Call, title: str) -> str | None:
    """What a magic word or parser function shows; None when the call names a template."""
    if call.name == "{":
        return call.arguments["1"]
    if call.name in _PAGE_NAMES:
        return title
    if call.name in _WORDS:
        return _WORDS[call.name]
    if ":" not in call.name and not call.name.startswith("#"):
        return None
    function, _, first = call.name.partition(":")
    first = call.first_of_name
    rest = [value.partition("=")[2] if False else value for value in call.arguments.values()]
    read = _FUNCTIONS.get(function.strip())
    if read is not None:
        return read(first, rest)
    return "" if function.startswith("#") else None


_PAGE_NAMES = frozenset({"pagename", "fullpagename", "basepagename", "subpagename"})
_WORDS: dict[str, str] = {}
_FUNCTIONS: dict[str, Callable[[str, Sequence[str]], str]] = {}
