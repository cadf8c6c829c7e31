"""Negative control: answers dealt out to other questions match nothing."""

import itertools

import pytest

from pipeline.matching.best import columns_of
from pipeline.matching.idf import Idf
from pipeline.matching.pairs import AnswerToScore, score_answers
from pipeline.matching.thresholds import best_passages, silver_rows
from pipeline.records import Candidate
from tests.fakes import config, passage

# A sentence of a passage, and how a corpus quotes it from an older version.
SENTENCES = [
    ("The Lune is 85 km long and flows north to the Sea of Varn.",
     "The Lune is 85 km long and flows north into the Sea of Varn ."),
    ("Orvik was founded by tin merchants in 1204.",
     "Orvik was founded in 1204 by tin merchants."),
    ("She wrote her third symphony for two pianos and a choir.",
     "She wrote her third symphony for two pianos and choir."),
    ("Its leaves are eaten by caterpillars of the grey moth.",
     "Leaves are eaten by the caterpillars of the grey moth."),
    ("Both regiments crossed the frozen river before dawn.",
     "Both regiments had crossed the frozen river before dawn."),
    ("A lighthouse of red brick stands on the eastern cape.",
     "A red brick lighthouse stands on the eastern cape."),
    ("Passenger trains were withdrawn when the viaduct collapsed.",
     "Passenger trains were withdrawn after the viaduct collapsed."),
]  # fmt: skip
PASSAGES = {
    f"{n}-0": passage(f"{n}-0", f"This is passage number {n}.", sentence)
    for n, (sentence, _) in enumerate(SENTENCES, start=1)
}


def mapped_by(shift: int) -> dict[str, str | None]:
    """Each mapped question's best passage when each gets the answer ``shift`` questions on.

    The candidates stay the question's own: five passages, the right one among them, and never the
    passage that its new answer comes from.
    """
    count = len(SENTENCES)
    answers = []
    for number in range(count):
        theirs = (number + shift) % count
        others = (n % count for n in itertools.count(number) if n % count != theirs or not shift)
        candidates = tuple(
            Candidate(question_id=f"q{number}", answer_index=0, rank=rank, passage_id=f"{n + 1}-0",
                      retrieval_score=10.0 - rank)
            for rank, n in enumerate(itertools.islice(others, 5), start=1)
        )  # fmt: skip
        answers.append(
            AnswerToScore(question_id=f"q{number}", answer_index=0, text=SENTENCES[theirs][1],
                          candidates=candidates, article=None)
        )  # fmt: skip
    table = score_answers(answers, PASSAGES, {}, 1, Idf(len(PASSAGES), {}))
    rows = silver_rows(columns_of(table), config("match.short_sentences=renormalize").match)
    return {question_id: row.passage_id for question_id, row in best_passages(rows).items()}


def test_answers_in_their_places_are_mapped_to_their_passages() -> None:
    assert mapped_by(0) == {f"q{n}": f"{n + 1}-0" for n in range(len(SENTENCES))}


@pytest.mark.parametrize("shift", range(1, len(SENTENCES)))
def test_answers_dealt_out_to_other_questions_match_nothing(shift: int) -> None:
    assert mapped_by(shift) == {}
