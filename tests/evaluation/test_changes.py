"""Two runs compared by text: ids may change, and questions may be numbered anew."""

import pytest

from pipeline.evaluation.changes import Outcome, changes, outcomes
from pipeline.records import Passage, Question, Silver
from tests.fakes import passage, question


def row(question_id: str, passage_id: str | None, similarity: float, **more: object) -> Silver:
    values = {
        "question_id": question_id, "answer_index": 0, "passage_id": passage_id,
        "sentence_index": 0, "sentence_count": 1, "similarity": similarity,
        "cosine_similarity": similarity, "rank": 1, "matched": similarity >= 0.4, "loss": None,
    }  # fmt: skip
    return Silver(**(values | more))


def run(asked: list[Question], rows: list[Silver], *passages: Passage) -> dict:
    return outcomes(asked, rows, {found.passage_id: found for found in passages})


ASKED = [question("own-1", "It flows.")]
OLD = run(ASKED, [row("own-1", "1-0", 0.9)], passage("1-0", "It flows north."))


@pytest.mark.parametrize(
    ("rows", "passages", "kind"),
    [
        ([("1-0", 0.9)], [("1-0", "It flows north.")], "kept"),
        ([("1-4", 0.9)], [("1-4", "It flows north.")], "moved"),
        ([("1-0", 0.9)], [("1-0", "It flows south.")], "edited"),
        ([("1-0", 0.1)], [], "lost"),
        ([("2-0", 0.9), ("1-0", 0.5)], [("2-0", "Other."), ("1-0", "It flows north.")], "kept"),
        ([("1-0", 0.9), ("1-4", 0.5)], [("1-0", "x"), ("1-4", "It flows north.")], "moved"),
    ],
)
def test_what_became_of_a_passage(rows: list, passages: list, kind: str) -> None:
    new = run(ASKED, [row("own-1", *entry) for entry in rows], *(passage(*p) for p in passages))
    assert [change.kind for change in changes(OLD, new)] == [kind]


def test_what_was_lost_one_way_is_gained_the_other() -> None:
    lost = run(ASKED, [row("own-1", "1-0", 0.1, loss="below threshold")])
    assert [change.kind for change in changes(lost, OLD)] == ["gained"]
    (change,) = changes(OLD, lost)
    assert change.new.loss == "below threshold"


def test_a_question_that_neither_run_maps_or_one_does_not_have_is_no_change() -> None:
    nothing = run(ASKED, [row("own-1", None, 0.0)])
    assert list(changes(nothing, nothing)) == []
    assert list(changes(OLD, {})) == []


def test_questions_are_known_by_their_texts_and_not_by_their_ids() -> None:
    renamed = [question("new-9", "It flows.")]
    new = run(renamed, [row("new-9", "7-3", 0.9)], passage("7-3", "It flows north."))
    assert [change.kind for change in changes(OLD, new)] == ["moved"]


def test_questions_with_the_same_texts_are_told_apart_by_their_order() -> None:
    asked = [question("own-1", "It flows."), question("own-2", "It flows."), question("own-3")]
    found = run(asked, [row("own-2", "1-0", 0.9)], passage("1-0", "It flows north."))
    assert len(found) == 2
    assert [bool(outcome.passages) for outcome in found.values()] == [False, True]
    assert all(isinstance(outcome, Outcome) for outcome in found.values())
