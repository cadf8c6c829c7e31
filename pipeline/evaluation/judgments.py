"""Judgments of (answer sentence, passage) pairs, from CSV or JSON lines, known by their texts."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping

from pipeline.errors import InputError
from pipeline.evaluation.robustness import JudgedPair
from pipeline.files import text_sha1

LABELS = ("1", "0", "?")
ROLES = ("tune", "report")
_HASHED = re.compile(r"sha1:([0-9a-f]{16})[0-9a-f]*$")


def parse_judgments(lines: Iterable[str], source: str, *, is_csv: bool) -> Iterator[JudgedPair]:
    """The judged pairs of one file.

    Needs ``answer_sentence``, ``passage`` and ``label``; a text of restricted licence may stand as
    ``sha1:<hex>``. ``role`` is read where given, else follows from the article's title.
    """
    rows = _csv_rows(lines, source) if is_csv else _json_rows(lines, source)
    for number, row in rows:
        where = f"{source}, line {number}"
        for name in ("answer_sentence", "passage", "label"):
            if not row.get(name) and row.get(name) != 0:
                raise InputError(f"{where}: no '{name}'")
        label = str(row["label"]).strip()
        if label not in LABELS:
            raise InputError(f"{where}: label '{label}'; expected 1, 0 or ?")
        role = str(row.get("role") or article_role(str(row.get("passage_title") or "")))
        if role not in ROLES:
            raise InputError(f"{where}: role '{role}'; expected tune or report")
        key = (_hash_of(str(row["answer_sentence"])), _hash_of(str(row["passage"])))
        yield JudgedPair(key=key, label=label, role=role)


def article_role(title: str) -> str:
    """The role that an article's judgments have for good: half tune, half report, by a hash."""
    digest = hashlib.sha256(title.encode()).digest()
    return ROLES[digest[0] % 2]


def _hash_of(text: str) -> str:
    hashed = _HASHED.match(text)
    return hashed.group(1) if hashed else text_sha1(text)


def _csv_rows(lines: Iterable[str], source: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    # A quoted field may span lines: the reader needs their ends to put it together again.
    reader = csv.DictReader(f"{line}\n" for line in lines)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError(f"{source}, line {reader.line_num}: not CSV ({error})") from None


def _json_rows(lines: Iterable[str], source: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            raise InputError(f"{source}, line {number}: not JSON") from None
        if not isinstance(row, dict):
            raise InputError(f"{source}, line {number}: expected a JSON object")
        yield number, row
