"""Downloaded judgments, checked and merged into one table: a row a pair and judge."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pipeline.errors import InputError
from pipeline.evaluation.judgments import (
    COLUMNS,
    JUDGE_KINDS,
    LABELS,
    article_role,
    pair_id,
    pair_key,
)

_NEEDED = ("answer_sentence", "passage", "passage_title", "judge")
_TEXTS = ("question", "answer_sentence", "passage")


@dataclass(slots=True)
class Merged:
    """What is to be written, and what is to be told.

    ``rows`` have the columns of ``COLUMNS`` and are sorted by the hashes of their texts, then by
    judge. ``known_wrong`` counts, by judge and label, the pairs that were mixed in as a test.
    """

    rows: list[dict[str, str]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    known_wrong: dict[str, Counter[str]] = field(default_factory=dict)


def merge(rows: Iterable[tuple[str, Mapping[str, object]]], *, hash_texts: bool) -> Merged:
    """Merge rows in order: what a judge says later of a pair replaces what the judge said before.

    ``read`` = ``unjudged`` + ``known_wrong`` + ``repeated`` + ``changed`` + ``written``.
    ``conflicts`` counts pairs on which judges differ, ``roles_fixed`` rows whose role was not the
    article's. With ``hash_texts`` question, answer sentence and passage are written as hashes.
    """
    found = Merged()
    kept: dict[tuple[str, ...], dict[str, str]] = {}
    for where, given in rows:
        row = _checked(where, given)
        found.counts["read"] += 1
        if not row["label"]:
            found.counts["unjudged"] += 1
            continue
        key = pair_key(row["answer_sentence"], row["passage"])
        if row["pair_id"] == pair_id(key, known_wrong=True):
            found.counts["known_wrong"] += 1
            judge = f"{row['judge']} ({row['judge_kind'] or 'kind not said'})"
            found.known_wrong.setdefault(judge, Counter())[row["label"]] += 1
            continue
        _check_id(where, row["pair_id"], pair_id(key))
        role = article_role(row["passage_title"])
        found.counts["roles_fixed"] += row["role"] not in ("", role)
        row["role"] = role
        name = (*key, row["judge_kind"], row["judge"])
        if name in kept:
            found.counts["repeated" if kept[name]["label"] == row["label"] else "changed"] += 1
        kept[name] = _hashed(row) if hash_texts else row
    found.rows = [kept[name] for name in sorted(kept)]
    found.counts["written"] = len(kept)
    found.counts["conflicts"] = sum(len(labels) > 1 for labels in _labels(kept).values())
    return found


def _checked(where: str, given: Mapping[str, object]) -> dict[str, str]:
    row = {name: "" if given.get(name) is None else str(given[name]) for name in COLUMNS}
    for name in _NEEDED:
        if not row[name]:
            hint = "; or give --judge NAME" if name == "judge" else ""
            raise InputError(f"{where}: no '{name}'{hint}")
    row["label"] = row["label"].strip()
    if row["label"] not in ("", *LABELS):
        raise InputError(f"{where}: label '{row['label']}'; expected 1, 0, ? or nothing")
    if row["judge_kind"] not in ("", *JUDGE_KINDS):
        raise InputError(f"{where}: judge_kind '{row['judge_kind']}'; expected person or program")
    for name in ("weight", "threshold"):
        if row[name] and not _is_number(row[name]):
            raise InputError(f"{where}: {name} '{row[name]}'; expected a number of 0 or more")
    return row


def _check_id(where: str, found: str, expected: str) -> None:
    """An id that a sample gave fits its texts: a spreadsheet may have changed them."""
    if found.startswith("jp-") and found != expected:
        raise InputError(
            f"{where}: the texts are not those of pair '{found}'; expected them as downloaded"
        )


def _is_number(text: str) -> bool:
    try:
        value = float(text)
    except ValueError:
        return False
    return math.isfinite(value) and value >= 0


def _hashed(row: Mapping[str, str]) -> dict[str, str]:
    hashes = dict(zip(_TEXTS[1:], pair_key(row["answer_sentence"], row["passage"]), strict=True))
    if row["question"]:
        hashes["question"] = pair_key(row["question"], "")[0]
    return {**row, **{name: f"sha1:{value}" for name, value in hashes.items()}}


def _labels(kept: Mapping[tuple[str, ...], Mapping[str, str]]) -> dict[tuple[str, ...], set[str]]:
    labels: dict[tuple[str, ...], set[str]] = {}
    for name, row in kept.items():
        labels.setdefault(name[:2], set()).add(row["label"])
    return labels


def lines_of(merged: Merged) -> Iterator[str]:
    """One line a judge: how many known-wrong pairs were passed (called wrong) and failed."""
    for judge, labels in sorted(merged.known_wrong.items()):
        yield (
            f"{judge}: {labels['0']} known-wrong pairs passed, {labels['1']} failed, "
            f"{labels['?']} undecided"
        )
