"""Judged pairs that tuning leaves out: why, in words that say what helps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

ROLE_REPORT, WITHHELD, UNDECIDED, ABSENT = (
    "role report", "text withheld", "undecided", "not in the index",
)  # fmt: skip
_HASH = "sha1:"
_WORDS = {
    ROLE_REPORT: "of role report, which a hash of the article fixes so that what tunes never "
    "reports (draw others: silver judge sample --role tune; or --all-roles, then report on none)",
    WITHHELD: "with hashes in place of texts (import them without --hash-texts)",
    UNDECIDED: "undecided",
    ABSENT: "with a passage that the index does not hold",
}


def is_withheld(texts: Iterable[object]) -> bool:
    """Whether any of these texts stands as its hash."""
    return any(str(text).startswith(_HASH) for text in texts)


def left_out_words(left_out: Mapping[str, int]) -> str:
    """The end of a sentence: how many pairs were left out, and what to do; "" when none was."""
    found = [f"{left_out[reason]:,} {words}" for reason, words in _WORDS.items()
             if left_out.get(reason)]  # fmt: skip
    return f"; left out: {', '.join(found)}" if found else ""
