"""Command diff: two silver standards compared by text: kept, moved, edited, lost, gained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class _Run:
    """A silver standard with the questions and the passages that it is about."""

    silver: Path
    questions: Path
    passages: Path


def run_diff(
    old: Path, new: Path, most: int, questions: Path | None = None, passages: Path | None = None
) -> tuple[list[str], dict[str, object]]:
    """The lines to show, at most ``most`` a kind and corpus (0: all), and the counts.

    ``old`` and ``new`` are folders of outputs (paths.root), or silver files. A file that has no
    questions or passages in the folders beside its own is read with those given, else with those
    of the other, and a line says so.
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
        pair = (ours[name], theirs[name])
        one, other = (_run(mine, pair, questions, passages) for mine in pair)
        lines += [*_borrowed(one), *_borrowed(other)]
        before, after = _outcomes(one), _outcomes(other)
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
        if not both:
            lines[-2] = (
                f"{name}: the two share no question ({len(before):,} in {one.silver}, "
                f"{len(after):,} in {other.silver})"
            )
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


def _run(silver: Path, pair: Sequence[Path], questions: Path | None, passages: Path | None) -> _Run:
    """Its own questions and passages, else those given, else those of the other."""
    roots = [path.absolute().parent.parent for path in (silver, *pair)]
    asked = [
        root / "questions" / path.name for root, path in zip(roots, (silver, *pair), strict=True)
    ]
    held = [root / "passages" for root in roots]
    return _Run(silver, _first_there(asked, questions), _first_there(held, passages))


def _first_there(places: Sequence[Path], given: Path | None) -> Path:
    own, *others = places
    tried = [own, *([given] if given else others)]
    return next((path for path in tried if path.exists()), given or own)


def _borrowed(run: _Run) -> Iterator[str]:
    root = run.silver.absolute().parent.parent
    found = [path for path in (run.questions, run.passages) if not path.is_relative_to(root)]
    if found:
        yield f"{run.silver}: read with {' and '.join(map(str, found))}"


def _outcomes(run: _Run) -> dict[QuestionKey, Outcome]:
    silver, questions = run.silver, run.questions
    if not questions.exists():
        raise InputError(f"{silver}: no questions at {questions}; give them with --questions")
    rows = list(files.read_records(silver, Silver))
    matched = {row.passage_id for row in rows if row.matched and row.passage_id is not None}
    asked = list(files.read_records(questions, Question))
    strangers = {row.question_id for row in rows} - {question.question_id for question in asked}
    if strangers:
        raise InputError(f"{silver}: question '{min(strangers)}' is not in {questions}")
    if not run.passages.exists():
        raise InputError(f"{silver}: no passages at {run.passages}; give them with --passages")
    passages = find_passages(run.passages, matched)
    missing = matched - passages.keys()
    if missing:
        raise InputError(f"{run.passages}: holds no passage '{min(missing)}' of {silver}")
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
