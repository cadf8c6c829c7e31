"""What of a question's wording is searched: not the words that only make it a question."""

from __future__ import annotations

from collections.abc import Collection

_AROUND_WORDS = "?!.,;:\"'()[]“”‘’„«»…"


def without_words(text: str, words: Collection[str]) -> str:
    """A text without the words given in lower case; the whole text when nothing would be left.

    ``What is the capital of Chad?`` keeps ``the capital of Chad``: in the index, ``what`` is a
    rare and thus a heavy term, and no sign of an answer. Words next to one that goes become
    neighbours, so their n-gram is searched.
    """
    if not words:
        return text
    kept = [word for word in text.split() if word.strip(_AROUND_WORDS).lower() not in words]
    return " ".join(kept) if any(word.strip(_AROUND_WORDS) for word in kept) else text
