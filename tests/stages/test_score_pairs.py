"""Pairs of texts from anywhere get what the pipeline would give them."""

import json
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.matching.cosines import cosines
from pipeline.matching.features import FEATURES
from pipeline.matching.tokens import tokenize
from pipeline.stages import score_pairs as stage
from pipeline.stages import text_pairs
from tests.fakes import compute, config, idf_of, passage

COLLECTION = [passage(f"{n}-0", f"The river of place number {n} is long.") for n in range(50)]
RIGHT = {
    "pair_id": "one",
    "question": "Where does it flow?",
    "title": "Lune",
    "answers": ["north"],
    "answer_sentence": "The Lune flows north past Orvik .",
    "passage_title": "Lune",
    "passage": "It is a river. The Lune flows north past Orvik. It is long.",
    "label": 1,
}
WRONG = RIGHT | {
    "pair_id": "two",
    "title": None,
    "passage_title": "Ouse",
    "passage": "The Ouse flows south past Selby. It is a river.",
}


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(text_pairs, "read_idf", lambda folder: idf_of(COLLECTION))
    monkeypatch.setattr(stage, "check_index", lambda folder, index: {})
    return Path("index")


def run(tmp_path: Path, index: Path, rows: list, *overrides: str) -> list[dict]:
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    pairs.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    counts = stage.run_score_pairs(pairs, index, None, out, config(*overrides), compute())
    assert counts["pairs"] == len(rows)
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("scorer", ["cosine", "idf", "learned"])
def test_a_pair_comes_back_with_similarity_and_features(
    tmp_path: Path, index: Path, scorer: str
) -> None:
    right, wrong = run(tmp_path, index, [RIGHT, WRONG], f"match.scorer={scorer}")
    assert {key: right[key] for key in RIGHT} == RIGHT
    assert 0 <= wrong["similarity"] < 0.5 < right["similarity"] <= 1
    assert set(FEATURES) < set(right["features"])
    assert (right["features"]["title_match"], wrong["features"]["title_match"]) == (1, 0)


def test_the_plain_cosine_is_that_of_the_best_sentence(tmp_path: Path, index: Path) -> None:
    right, wrong = run(tmp_path, index, [RIGHT, WRONG])
    assert right["similarity"] == 1.0
    assert right["features"]["sentence_index"] == 1
    one, other = tokenize(WRONG["answer_sentence"]), tokenize("The Ouse flows south past Selby.")
    weighted = zip((0.25, 0.35, 0.40), cosines(one, other), strict=True)
    assert wrong["similarity"] == pytest.approx(sum(w * c for w, c in weighted))


@pytest.mark.parametrize("scorer", ["cosine", "idf", "learned"])
def test_neither_question_nor_answers_nor_label_change_a_similarity(
    tmp_path: Path, index: Path, scorer: str
) -> None:
    other = RIGHT | {"question": "What else?", "label": 0, "pair_id": "x"}
    del other["answers"]
    first, second = run(tmp_path, index, [RIGHT, other], f"match.scorer={scorer}")
    assert first["similarity"] == second["similarity"]


def test_short_answers_change_the_similarity_only_where_they_are_asked_for_and_known(
    tmp_path: Path, index: Path
) -> None:
    withheld = {name: value for name, value in RIGHT.items() if name != "answers"}
    said = RIGHT | {"passage": "The Lune flows past Orvik.", "passage_title": "Lune"}
    rows = [RIGHT, withheld, RIGHT | {"answers": None}, RIGHT | {"answers": ["Selby"]}, said]
    overrides = ("match.scorer=learned", "match.model=answers")
    given, *without, missed = run(tmp_path, index, rows, *overrides)
    unknown = without[0]["similarity"]
    assert {row["similarity"] for row in without} == {unknown}
    assert given["similarity"] > unknown
    features = [row["features"]["short_answer"] for row in (given, without[0], missed)]
    assert features == [1, 0, -1]


def test_a_wrong_or_missing_title_does_not_sink_a_right_match(tmp_path: Path, index: Path) -> None:
    rows = [RIGHT, RIGHT | {"title": "Derwent"}, RIGHT | {"title": None}]
    named, wrong, missing = run(tmp_path, index, rows, "match.scorer=learned")
    assert named["similarity"] > wrong["similarity"] == missing["similarity"] > 0.5


def test_many_pairs_are_scored_as_each_alone(tmp_path: Path, index: Path) -> None:
    rows = [RIGHT | {"passage": RIGHT["passage"] + f" Number {n}."} for n in range(205)]
    together = run(tmp_path, index, rows, "match.scorer=learned")
    for n in (0, 99, 100, 204):
        assert run(tmp_path, index, [rows[n]], "match.scorer=learned") == [together[n]]


def test_a_passage_without_words_has_a_similarity(tmp_path: Path, index: Path) -> None:
    for text in ("", " ", "..."):
        (row,) = run(tmp_path, index, [RIGHT | {"passage": text}])
        assert row["similarity"] == 0.0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no pair"),
        ("{", "line 1: not JSON"),
        ("[1]", "line 1: expected a JSON object"),
        ("[" * 100_000, "line 1: not JSON"),
        *(
            (json.dumps(RIGHT | {name: value}), "line 1: half of a surrogate pair")
            for name, value in [
                ("answer_sentence", "a \ud800"),
                ("passage", "\udfff"),
                ("passage_title", "\ud800"),
                ("title", "\ud800"),
                ("answers", ["\ud800"]),
                ("pair_id", "\udc00\ud800"),
            ]
        ),
        (json.dumps({"answer_sentence": "a", "passage_title": "b"}), "line 1: no text 'passage'"),
        (json.dumps(RIGHT | {"passage": 3}), "no text 'passage'"),
        (json.dumps(RIGHT | {"title": 3}), "'title' is no text"),
        (json.dumps(RIGHT | {"answers": "north"}), "line 1: 'answers' is no list of texts"),
        (json.dumps(RIGHT | {"answers": [1]}), "line 1: 'answers' is no list of texts"),
    ],
)
def test_what_is_no_pair_is_refused_with_its_line(
    tmp_path: Path, index: Path, content: str, message: str
) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        stage.run_score_pairs(path, index, None, tmp_path / "o.jsonl", config(), compute())
    assert not (tmp_path / "o.jsonl").exists()
