"""Explaining one question: every loss and every match can be read off."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline import files
from pipeline.errors import InputError
from pipeline.matching.features import FEATURES
from pipeline.records import Redirect, Score, Silver, arrow_schema
from pipeline.stages.explain import run_explain
from pipeline.stages.match import run_match
from tests.fakes import compute, config, passage, question, score, write_passages, write_questions

PASSAGES = [
    passage("1-0", "It is long.", "It flows north.", title="Lune", section="Course"),
    passage("2-0", "Salt was traded here.", title="Orvik"),
    passage("10-3", "It flows south.", title="Lune"),
]
QUESTIONS = (
    question("own-1", "It flows north.", title="River Lune", answers=("north",)),
    question("own-2", "It was sold.", title="Nowhere"),
    question("own-3", "It rose.", title="Lune"),
    question("own-4", title="Lune"),
    question("own-5", "Yes.", title=None),
)
OTHER = {"title_match": False}
SCORES = [
    score("own-1", "1-0", 0.2),
    score("own-1", "1-0", 0.9, sentence_index=1),
    score("own-1", "2-0", 0.1, rank=2, **OTHER),
    score("own-2", "2-0", 0.3, article_present=False, **OTHER),
    score("own-3", "2-0", 0.3, **OTHER),
    score("own-3", "10-3", 0.6, rank=7),
    score("own-5", None, title_match=None, article_present=None, answer_tokens=1),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """What a whole run leaves of one corpus, as far as it is read."""
    asked = write_questions(tmp_path / "questions" / "own.parquet", *QUESTIONS)
    (tmp_path / "scores").mkdir()
    scores = tmp_path / "scores" / "own.parquet"
    pq.write_table(pa.Table.from_pylist(SCORES, schema=arrow_schema(Score)), scores)
    run_match(asked, scores, tmp_path / "silver" / "own.parquet", config(), compute())
    write_passages(tmp_path / "passages", PASSAGES[:2], PASSAGES[2:])
    files.write_records(
        tmp_path / "articles" / "redirects" / "part-00000.parquet", Redirect,
        [Redirect(title="River Lune", target="Lune", page_id=9)],
    )  # fmt: skip
    return tmp_path


def told(data: Path, question_id: str) -> tuple[str, dict[str, object]]:
    lines, counts = run_explain(question_id, data, config())
    return "\n".join(lines), counts


def test_a_mapped_question_is_told_with_its_passage_window_and_cosines(data: Path) -> None:
    text, counts = told(data, "own-1")
    assert text.splitlines()[0] == ("own-1 (own, dev): mapped to 1-0 of 'Lune', similarity 0.9000")
    assert "article:  'River Lune', a redirect to 'Lune', in the collection" in text
    assert "answer sentence 0: It flows north." in text
    assert "rank 1: 1-0 'Lune' > Course, the named article" in text
    assert "similarity 0.9000 (t 0.9000); cosines 0.900, 0.900, 0.900; matched" in text
    assert "best: It flows north." in text
    assert "rank 2: 2-0 'Orvik'" in text and "not matched" in text
    assert counts == {"answer_sentences": 1, "candidates": 2, "loss": None, "mapped": True,
                      "matched": 1}  # fmt: skip


def test_a_learned_similarity_is_told_input_by_input_for_the_best_passage(data: Path) -> None:
    from pipeline.matching.model import load_model

    learned = config("match.scorer=learned", "match.threshold=0.0")
    nothing = dict.fromkeys(FEATURES, 0.0)
    rows = [row | nothing | {"answer_in_passage": 0.25 * row["rank"]} for row in SCORES[:3]]
    others = [row | nothing for row in SCORES[3:]]
    table = pa.Table.from_pylist(rows + others, schema=arrow_schema(Score))
    pq.write_table(table, data / "scores" / "own.parquet")
    run_match(data / "questions" / "own.parquet", data / "scores" / "own.parquet",
              data / "silver" / "own.parquet", learned, compute())  # fmt: skip
    lines, _ = run_explain("own-1", data, learned)
    assert "t: the plain cosine" in "\n".join(lines) and lines[-1].startswith("mass: ")
    (at,) = (number for number, line in enumerate(lines) if "log-odds" in line)
    assert "rank 2" in lines[at - 3]  # the higher similarity
    assert f"{load_model('default').intercept:+.2f} of an average judged pair" in lines[at]
    inputs = [line.split()[:3] for line in lines[at + 1 : at + 14]]
    assert {name for _, name, _ in inputs} == set(load_model("default").inputs)
    sizes = [abs(float(added)) for added, _, _ in inputs]
    assert sizes == sorted(sizes, reverse=True)
    assert ["answer_in_passage", "0.50:"] in [entry[1:] for entry in inputs]
    total = sum(float(added) for added, _, _ in inputs) + load_model("default").intercept
    assert float(lines[at].split()[1].rstrip(":")) == pytest.approx(total, abs=0.1)
    assert "log-odds" not in told(data, "own-1")[0]


def test_each_loss_is_told_where_it_happened(data: Path) -> None:
    text, counts = told(data, "own-2")
    assert counts["loss"] == "article absent"
    assert "'Nowhere', not in the collection" in text
    text, counts = told(data, "own-3")
    assert counts["loss"] == "right article not a candidate"
    assert "rank 7: 10-3 'Lune', the named article, but deeper than counts" in text
    text, counts = told(data, "own-5")
    assert counts["loss"] == "no candidate"
    assert "a short answer sentence: 1 tokens" in text
    text, counts = told(data, "own-4")
    assert "not answerable" in text and counts["loss"] is None


def test_an_unknown_id_names_the_closest(data: Path) -> None:
    with pytest.raises(InputError, match=r"no question 'own-11'; the closest are own-1, "):
        run_explain("own-11", data, config())
    with pytest.raises(InputError, match=r"no question '完'$"):
        run_explain("完", data, config())


def test_an_id_that_is_no_text_is_refused(data: Path) -> None:
    with pytest.raises(InputError, match=r"question id '\\udcff': not UTF-8"):
        run_explain("\udcff", data, config())


def test_a_run_that_stopped_early_is_told_as_far_as_it_went(data: Path) -> None:
    (data / "silver" / "own.parquet").unlink()
    assert "not decided yet, since the corpus is not matched" in told(data, "own-1")[0]
    (data / "scores" / "own.parquet").unlink()
    assert "not decided yet, since the corpus is not scored" in told(data, "own-1")[0]


def test_what_terminals_obey_is_not_printed(data: Path) -> None:
    hostile = question("own-1", "It \x1b[31mflows\x07.", question="a\x1b]0;b\x07\u202ec")
    write_questions(data / "questions" / "own.parquet", hostile)
    text, _ = told(data, "own-1")
    assert all(character.isprintable() or character == "\n" for character in text)


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda data: (data / "questions" / "own.parquet").unlink(), "holds no <corpus>.parquet"),
        (lambda data: (data / "silver" / "own.parquet").write_text("x"), "not a whole Parquet"),
        (
            lambda data: files.write_records(data / "silver" / "own.parquet", Silver, []),
            r"silver/own\.parquet: does not belong to the questions",
        ),
        (
            lambda data: files.write_records(data / "scores" / "own.parquet", Score, []),
            r"scores/own\.parquet: does not belong to the questions",
        ),
        (
            lambda data: write_questions(
                data / "questions" / "own.parquet", question("own-1", "A.", "B.")
            ),
            "'own-1' are not of the",
        ),
        (lambda data: write_passages(data / "passages", PASSAGES[:1]), "holds no passage '2-0'"),
    ],
)
def test_a_wrong_run_is_refused(
    data: Path, break_it: Callable[[Path], object], message: str
) -> None:
    break_it(data)
    with pytest.raises(InputError, match=message):
        run_explain("own-1", data, config())


def test_passages_with_ids_of_another_tool_are_found(data: Path) -> None:
    rows = [
        {**{name: getattr(PASSAGES[0], name) for name in PASSAGES[0].__slots__},
         "passage_id": name}
        for name in ("doc-a", "doc-b")
    ]  # fmt: skip
    from pipeline.records import Passage
    from pipeline.stages.lookup import find_passages

    files.write_records(data / "own" / "part-00000.parquet", Passage,
                        [Passage(**row) for row in rows])  # fmt: skip
    assert list(find_passages(data / "own", {"doc-b", "doc-c"})) == ["doc-b"]


def test_the_command_line_tells_it_and_ends_with_the_counts(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pipeline import cli
    from tests.fakes import PARAMS

    cli.main(["explain", "own-1", "--data", str(data), "--config", str(PARAMS)])
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("own-1 (own, dev): mapped")
    assert json.loads(shown[-1])["mapped"] is True
    with pytest.raises(SystemExit) as left:
        cli.main(["explain", "own-0", "--data", str(data), "--config", str(PARAMS)])
    assert left.value.code == 2
    assert "the closest are" in capsys.readouterr().err
