"""The score stage: every window of every candidate against its answer sentence."""

from pathlib import Path

import pytest

from pipeline import files
from pipeline.config import Config
from pipeline.errors import InputError
from pipeline.matching.cosines import cosines
from pipeline.matching.tokens import tokenize
from pipeline.records import Candidate, Redirect, Score
from pipeline.stages import score as stage
from tests.fakes import compute, config, passage, question, use_fake_index, write_questions

PASSAGES = [
    passage("1-0", "The Lune flows north.", "It is 85 km long.", title="Lune"),
    passage("2-0", "Orvik lies on the Lune.", title="Orvik"),
    passage("3-0", "...", title="Dots"),
]
QUESTIONS = [
    question("own-1", "The Lune flows north .", "It is long.", title="River_Lune"),
    question("own-2", "Orvik lies there.", title="Atlantis"),
    question("own-3", "Nothing like it.", title=None),
    question("own-4", title="Orvik"),
]


def candidate(question_id: str, passage_id: str, rank: int, answer_index: int = 0) -> Candidate:
    return Candidate(
        question_id=question_id, answer_index=answer_index, rank=rank, passage_id=passage_id,
        retrieval_score=9.5 - rank,
    )  # fmt: skip


CANDIDATES = [
    candidate("own-1", "2-0", 2),
    candidate("own-1", "1-0", 1),
    candidate("own-1", "1-0", 1, answer_index=1),
    candidate("own-2", "2-0", 1),
]


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path, Path, Path]:
    """Questions, candidates, index and redirects."""
    redirects = tmp_path / "redirects"
    files.write_records(
        redirects / "part-00000.parquet",
        Redirect,
        [Redirect(title="river Lune", target="Lune", page_id=7)],
    )
    asked = write_questions(tmp_path / "q.parquet", *QUESTIONS)
    found = tmp_path / "c.parquet"
    files.write_records(found, Candidate, CANDIDATES)
    return asked, found, use_fake_index(monkeypatch, stage, PASSAGES), redirects


def run(
    tmp_path: Path, inputs: tuple[Path, Path, Path, Path | None], settings: Config | None = None
) -> list[Score]:
    out = tmp_path / "s.parquet"
    stage.run_score(*inputs, out, settings or config(), compute())
    return list(files.read_records(out, Score))


def test_rows_are_all_windows_of_all_candidates_in_order(tmp_path: Path, inputs) -> None:
    rows = run(tmp_path, inputs)
    assert [(row.question_id, row.answer_index, row.rank, row.passage_id, row.sentence_index)
            for row in rows] == [
        ("own-1", 0, 1, "1-0", 0), ("own-1", 0, 1, "1-0", 1), ("own-1", 0, 2, "2-0", 0),
        ("own-1", 1, 1, "1-0", 0), ("own-1", 1, 1, "1-0", 1),
        ("own-2", 0, 1, "2-0", 0), ("own-3", 0, None, None, None),
    ]  # fmt: skip
    assert rows[0].cosine_3 == 1.0
    assert rows[0].retrieval_score == 8.5


def test_cosines_are_those_of_the_two_sentences(tmp_path: Path, inputs) -> None:
    sentences = {row.passage_id: row.sentences() for row in PASSAGES}
    answers = {row.question_id: row.answer_sentences for row in QUESTIONS}
    for row in run(tmp_path, inputs):
        if row.passage_id is None:
            continue
        one = tokenize(answers[row.question_id][row.answer_index])
        other = tokenize(sentences[row.passage_id][row.sentence_index])
        assert (row.cosine_1, row.cosine_2, row.cosine_3) == cosines(one, other)
        assert (row.answer_tokens, row.sentence_tokens) == (len(one), len(other))


def test_longer_windows_are_compared_where_the_configuration_says_so(
    tmp_path: Path, inputs
) -> None:
    rows = run(tmp_path, inputs, config("score.max_sentences=2"))
    first = [(row.sentence_index, row.sentence_count) for row in rows[:3]]
    assert first == [(0, 1), (0, 2), (1, 1)]
    assert rows[1].sentence_tokens == rows[0].sentence_tokens + rows[2].sentence_tokens


def test_the_named_article_is_found_through_redirects(tmp_path: Path, inputs) -> None:
    rows = {(row.question_id, row.passage_id): row for row in run(tmp_path, inputs)}
    flags = {key: (row.title_match, row.article_present) for key, row in rows.items()}
    assert flags == {
        ("own-1", "1-0"): (True, True),
        ("own-1", "2-0"): (False, True),
        ("own-2", "2-0"): (False, False),
        ("own-3", None): (None, None),
    }


def test_without_redirects_a_renamed_article_is_absent(tmp_path: Path, inputs) -> None:
    rows = run(tmp_path, (*inputs[:3], None))
    assert (rows[0].title_match, rows[0].article_present) == (False, False)


def test_the_counts_add_up(tmp_path: Path, inputs) -> None:
    out = tmp_path / "s.parquet"
    counts = stage.run_score(*inputs, out, config(), compute())
    assert counts == {"answer_sentences": 4, "pairs": 4, "windows": 6}
    assert files.row_count(out, Score) == 7


@pytest.mark.parametrize(
    ("stranger", "message"),
    [
        (candidate("other-1", "1-0", 1), "no answer sentence 0 of question 'other-1'"),
        (candidate("own-2", "1-0", 1, answer_index=1), "no answer sentence 1 of question 'own-2'"),
        (candidate("own-2", "9-9", 2), "passage '9-9' is not in the index"),
    ],
)
def test_candidates_of_another_corpus_or_index_are_refused_and_nothing_is_written(
    tmp_path: Path, inputs, stranger: Candidate, message: str
) -> None:
    files.write_records(inputs[1], Candidate, [*CANDIDATES, stranger])
    with pytest.raises(InputError) as caught:
        run(tmp_path, inputs)
    assert message in str(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "c.parquet", "q.parquet", "redirects",
    ]  # fmt: skip


def test_a_passage_without_a_token_has_cosines_of_0(tmp_path: Path, inputs) -> None:
    files.write_records(inputs[1], Candidate, [candidate("own-3", "3-0", 1)])
    row = run(tmp_path, inputs)[-1]
    assert (row.passage_id, row.cosine_1, row.sentence_tokens) == ("3-0", 0.0, 0)
