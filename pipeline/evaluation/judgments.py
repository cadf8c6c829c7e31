"""Judgments of (answer sentence, passage) pairs, from CSV or JSON lines, known by their texts."""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pipeline import files
from pipeline.errors import InputError
from pipeline.evaluation.robustness import JudgedPair, PairKey
from pipeline.files import text_sha1
from pipeline.matching.titles import title_key

COLUMNS = (
    "pair_id", "question_id", "question", "title", "answer_sentence", "passage_title", "passage",
    "label", "weight", "threshold", "judge", "judge_kind", "role",
)  # fmt: skip
LABELS = ("1", "0", "?")
ROLES = ("tune", "report")
JUDGE_KINDS = ("person", "program")
_LONGEST_FIELD = 1 << 30  # characters: a passage may be longer than the reader's own 131,072
_HASHED = re.compile(r"sha1:([0-9a-f]{16})[0-9a-f]*$")


def parse_judgments(lines: Iterable[str], source: str, *, is_csv: bool) -> Iterator[JudgedPair]:
    """The judged pairs of one file.

    Needs ``answer_sentence``, ``passage`` and ``label``; a text of restricted licence may stand as
    ``sha1:<hex>``. ``role`` is read where given, else follows from the article's title.
    """
    for where, row in judgment_rows(lines, source, is_csv=is_csv):
        for name in ("answer_sentence", "passage", "label"):
            if not row.get(name) and row.get(name) != 0:
                raise InputError(f"{where}: no '{name}'")
        label, role = label_and_role(row, where)
        key = pair_key(str(row["answer_sentence"]), str(row["passage"]))
        yield JudgedPair(
            key=key,
            label=label,
            role=role,
            judge=str(row.get("judge") or ""),
            judge_kind=str(row.get("judge_kind") or ""),
            known_wrong=row.get("pair_id") == pair_id(key, known_wrong=True),
        )


def label_and_role(row: Mapping[str, object], where: str) -> tuple[str, str]:
    """The label and the role of a row; a role that is not stated is its article's."""
    label = str(row.get("label", "")).strip()
    if label not in LABELS:
        raise InputError(f"{where}: label '{label}'; expected 1, 0 or ?")
    role = str(row.get("role") or article_role(str(row.get("passage_title") or "")))
    if role not in ROLES:
        raise InputError(f"{where}: role '{role}'; expected tune or report")
    return label, role


def judgment_files(folder: Path) -> list[Path]:
    """The files of a folder of judgments, in order."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder of judgments")
    return sorted([*folder.glob("*.csv"), *folder.glob("*.jsonl")])


def read_judgments(folder: Path) -> list[JudgedPair]:
    """Every judged pair of a folder's files, one entry a judge and pair."""
    found: list[JudgedPair] = []
    for path in judgment_files(folder):
        with files.open_text(path) as lines:
            found.extend(parse_judgments(lines, str(path), is_csv=path.suffix == ".csv"))
    return found


def merged(judgments: Iterable[JudgedPair]) -> dict[PairKey, JudgedPair]:
    """One entry a pair; one that judges label differently counts as undecided.

    What is to tune in one file is to tune in all, so that it is never reported. Known-wrong pairs
    test the judge and are left out.
    """
    pairs: dict[PairKey, JudgedPair] = {}
    for pair in judgments:
        if pair.known_wrong:
            continue
        known = pairs.get(pair.key)
        label = pair.label if known is None or known.label == pair.label else "?"
        tuned = "tune" in (pair.role, known.role if known else None)
        role = "tune" if tuned else pair.role
        pairs[pair.key] = JudgedPair(key=pair.key, label=label, role=role)
    return pairs


def role_of(key: PairKey, passage_title: str, judged: Mapping[PairKey, JudgedPair]) -> str:
    """The role of a pair: the one that a judgment states, else the one of its article."""
    known = judged.get(key)
    return known.role if known is not None else article_role(passage_title)


def article_role(title: str) -> str:
    """The role that an article's judgments have for good: half tune, half report, by a hash."""
    digest = hashlib.sha256(title_key(title).encode("utf-8", "surrogatepass")).digest()
    return ROLES[digest[0] % 2]


def pair_key(answer_sentence: str, passage: str) -> PairKey:
    """How a pair is known: the hashes of its texts, which may stand for them already."""
    return _hash_of(answer_sentence), _hash_of(passage)


def pair_id(key: PairKey, *, known_wrong: bool = False) -> str:
    """The id of a pair in a sample; whether it is known to be wrong shows only to who hashes it."""
    kind = "known wrong" if known_wrong else "drawn"
    return f"jp-{hashlib.sha256('\0'.join((kind, *key)).encode()).hexdigest()[:16]}"


def judgment_rows(
    lines: Iterable[str], source: str, *, is_csv: bool
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The rows of one file with where they stand, unchecked."""
    yield from _csv_rows(lines, source) if is_csv else files.json_objects(lines, source)


def _hash_of(text: str) -> str:
    hashed = _HASHED.match(text)
    return hashed.group(1) if hashed else text_sha1(text)


def _csv_rows(lines: Iterable[str], source: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    csv.field_size_limit(_LONGEST_FIELD)
    # A quoted field may span lines: the reader needs their ends to put it together again.
    reader = csv.DictReader(f"{line}\n" for line in lines)
    try:
        for row in reader:
            yield f"{source}, line {reader.line_num}", row
    except csv.Error as error:
        raise InputError(f"{source}, line {reader.line_num}: not CSV ({error})") from None
