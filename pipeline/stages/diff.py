"""Command diff: two silver standards compared by text: kept, moved, edited, lost, gained."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline import files
from pipeline.errors import InputError
from pipeline.evaluation.changes import (
    CHANGES,
    EDITED,
    GAINED,
    LOST,
    MOVED,
    Change,
    Outcome,
    QuestionKey,
    changes,
    outcomes,
)
from pipeline.matching.cosines import cosines
from pipeline.matching.scoring import REFERENCE_WEIGHTS
from pipeline.matching.tokens import tokenize
from pipeline.records import Passage, Question, Silver
from pipeline.stages.lookup import find_passages

# Characters of a text in the list.
_SHOWN = 160


def run_diff(old: Path, new: Path, most: int) -> tuple[list[str], dict[str, object]]:
    """The lines to show, at most ``most`` a kind and corpus (0: all), and the counts.

    ``old`` and ``new`` are folders of outputs (paths.root), or silver files with questions and
    passages in the folders beside theirs.
    """
    ours, theirs = _silver_files(old), _silver_files(new)
    if old.is_file() and new.is_file():  # two files are compared whatever they are called
        ours, theirs = {new.stem: old}, {new.stem: new}
    shared = [name for name in ours if name in theirs]
    if not shared:
        raise InputError(f"{old} and {new} have no corpus in common")
    lines: list[str] = []
    by_corpus: dict[str, dict[str, int]] = {}
    for name in shared:
        before, after = _outcomes(ours[name]), _outcomes(theirs[name])
        found = list(changes(before, after))
        counts = {kind: sum(change.kind == kind for change in found) for kind in CHANGES}
        both = before.keys() & after.keys()
        counts |= {
            "unmapped": len(both) - len(found),
            "only_in_old": len(before.keys() - both),
            "only_in_new": len(after.keys() - both),
        }
        by_corpus[name] = counts
        lines += [f"{name}: " + ", ".join(f"{counts[kind]:,} {kind}" for kind in CHANGES), ""]
        for kind in (MOVED, EDITED, LOST, GAINED):
            lines += _listed(kind, [change for change in found if change.kind == kind], most)
    totals = {
        key: sum(counts[key] for counts in by_corpus.values()) for key in by_corpus[shared[0]]
    }
    alone = sorted({*ours} ^ {*theirs})
    return lines, {**totals, "corpora": by_corpus, "corpora_in_one_run": alone}


def _silver_files(path: Path) -> dict[str, Path]:
    if path.is_file():
        return {path.stem: path}
    folder = path / "silver"
    if not folder.is_dir():
        raise InputError(f"{path}: no silver standard there; expected a folder with silver/ in it, "
                         "or a Parquet file")  # fmt: skip
    found = {file.stem: file for file in sorted(folder.glob("*.parquet"))}
    if not found:
        raise InputError(f"{folder}: holds no <corpus>.parquet")
    return found


def _outcomes(silver: Path) -> dict[QuestionKey, Outcome]:
    root = silver.absolute().parent.parent
    questions = root / "questions" / silver.name
    rows = list(files.read_records(silver, Silver))
    matched = {row.passage_id for row in rows if row.matched and row.passage_id is not None}
    asked = list(files.read_records(questions, Question))
    strangers = {row.question_id for row in rows} - {question.question_id for question in asked}
    if strangers:
        raise InputError(f"{silver}: question '{min(strangers)}' is not in {questions}")
    passages = find_passages(root / "passages", matched)
    missing = matched - passages.keys()
    if missing:
        raise InputError(f"{root / 'passages'}: holds no passage '{min(missing)}' of {silver}")
    return outcomes(asked, rows, passages)


def _listed(kind: str, found: list[Change], most: int) -> Iterator[str]:
    if not found:
        return
    shown = found[:most] if most else found
    yield f"{kind} ({len(found):,})"
    for change in shown:
        yield from _change_lines(change)
    if len(shown) < len(found):
        yield f"  … and {len(found) - len(shown):,} more"
    yield ""


def _change_lines(change: Change) -> Iterator[str]:
    old, new = change.old, change.new
    name = (old if old.passages else new).question.question_id
    if change.kind == EDITED:
        one, other = old.passages[0], new.passages[0]
        yield f"  {name}: {_where(one)} → {_where(other)}, similarity {_similarity(one, other):.4f}"
        yield f"    old: {_short(one.text)}"
        yield f"    new: {_short(other.text)}"
    elif change.kind == MOVED:
        one = old.passages[0]
        other = next(passage for passage in new.passages if passage.text == one.text)
        yield f"  {name}: {_where(one)} → {_where(other)}"
    elif change.kind == LOST:
        yield f"  {name}: {_where(old.passages[0])}; now {new.loss or 'without a passage'}"
        yield f"    old: {_short(old.passages[0].text)}"
    else:
        yield f"  {name}: {_where(new.passages[0])}; before {old.loss or 'without a passage'}"
        yield f"    new: {_short(new.passages[0].text)}"


def _where(passage: Passage) -> str:
    return f"{passage.passage_id} '{passage.title}'"


def _short(text: str) -> str:
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return plain if len(plain) <= _SHOWN else plain[: _SHOWN - 1] + "…"


def _similarity(one: Passage, other: Passage) -> float:
    """The reference's t of two whole passages."""
    found = cosines(tokenize(one.text), tokenize(other.text))
    return sum(weight * value for weight, value in zip(REFERENCE_WEIGHTS, found, strict=True))
