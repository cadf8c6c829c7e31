"""What became of each question's silver passage between two runs, by text and not by id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.matching.thresholds import best_passages, question_loss
from pipeline.records import Passage, Question, Silver

KEPT, MOVED, EDITED, LOST, GAINED = "kept", "moved", "edited", "lost", "gained"
CHANGES = (KEPT, MOVED, EDITED, LOST, GAINED)

# A question is known by its text, its answer sentences and, where a corpus repeats them, a number.
QuestionKey = tuple[str, tuple[str, ...], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one run has for a question: its best passage first, then its others; or the loss."""

    question: Question
    passages: tuple[Passage, ...]
    loss: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A question that is mapped in at least one of two runs. ``kind`` is one of ``CHANGES``."""

    kind: str
    old: Outcome
    new: Outcome


def outcomes(
    questions: Iterable[Question], rows: Sequence[Silver], passages: Mapping[str, Passage]
) -> dict[QuestionKey, Outcome]:
    """The outcome of every answerable question of a run."""
    best = best_passages(rows)
    matched: dict[str, list[Silver]] = {}
    losses: dict[str, list[str]] = {}
    for row in rows:
        if row.matched:
            matched.setdefault(row.question_id, []).append(row)
        elif row.loss is not None:
            losses.setdefault(row.question_id, []).append(row.loss)
    found: dict[QuestionKey, Outcome] = {}
    seen: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for question in questions:
        if not question.answer_sentences:
            continue
        texts = (question.question, question.answer_sentences)
        name = question.question_id
        first = [best[name]] if name in best else []
        ids = dict.fromkeys(row.passage_id or "" for row in [*first, *matched.get(name, [])])
        found[(*texts, seen[texts])] = Outcome(
            question=question,
            passages=tuple(passages[passage_id] for passage_id in ids),
            loss=question_loss(losses[name]) if name in losses else None,
        )
        seen[texts] += 1
    return found


def changes(
    old: Mapping[QuestionKey, Outcome], new: Mapping[QuestionKey, Outcome]
) -> Iterator[Change]:
    """The changes of the questions that both runs have, in the old run's order.

    kept: the old best passage's text is still matched, under the same id; moved: under another id;
    edited: only other texts are matched; lost and gained: mapped in one run only. A question that
    neither run maps is no change.
    """
    for key, before in old.items():
        after = new.get(key)
        if after is None or not (before.passages or after.passages):
            continue
        yield Change(kind=_kind(before, after), old=before, new=after)


def _kind(old: Outcome, new: Outcome) -> str:
    if not new.passages:
        return LOST
    if not old.passages:
        return GAINED
    best = old.passages[0]
    same = [passage.passage_id for passage in new.passages if passage.text == best.text]
    if not same:
        return EDITED
    return KEPT if best.passage_id in same else MOVED
