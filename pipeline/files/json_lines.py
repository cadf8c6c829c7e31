"""Reading a user's file of JSON objects, one a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from pipeline.errors import InputError

# UTF-8 holds no half of a surrogate pair; only an escape can bring one in.
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def json_objects(lines: Iterable[str], source: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Where each object stands, and the object; empty lines are passed over.

    Text with half of a surrogate pair is refused: no file could be written with it.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{source}, line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"{where}: not JSON") from None
        if not isinstance(row, dict):
            raise InputError(f"{where}: expected a JSON object")
        if _ESCAPED_SURROGATE.search(line) and not is_text(json.dumps(row, ensure_ascii=False)):
            raise InputError(f"{where}: half of a surrogate pair, which is no character")
        yield where, row


def is_text(text: str) -> bool:
    """Whether UTF-8 can hold it: no half of a surrogate pair is in it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
