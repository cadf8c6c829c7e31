"""Boosts searched for on a small index with judged questions."""

import csv
import json
from pathlib import Path

import pytest
import yaml

from pipeline.errors import InputError
from pipeline.evaluation.judgments import article_role
from pipeline.stages.index import run_index
from pipeline.stages.tune_retrieval import run_tune_retrieval
from tests.fakes import compute, config, passage, write_passages

TITLES = [title for title in (f"Lake {n}" for n in range(40)) if article_role(title) == "tune"][:6]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tune")
    rows = [
        passage(f"{n + 1}-0", f"It is {n + 100} km long and feeds the river.", title=title)
        for n, title in enumerate(TITLES)
    ]
    write_passages(folder / "passages", rows)
    run_index(folder / "passages", folder / "index", config(), compute())
    return folder / "index"


def judgments(path: Path, **more: object) -> Path:
    rows = [
        {
            "question": f"How long is {title}?",
            "answer_sentence": "It is long.",
            "passage_title": title,
            "passage": f"It is {n + 100} km long and feeds the river.",
            "label": 1,
        }
        | more
        for n, title in enumerate(TITLES)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_title_that_only_the_question_names_gets_weight(index: Path, tmp_path: Path) -> None:
    lines, found = run_tune_retrieval(
        [judgments(tmp_path / "judged.jsonl")], index, tmp_path / "out", config(), compute()
    )
    assert found["questions"] == len(TITLES)
    assert found["cross_validated"]["top_1"] == 100.0  # type: ignore[index]
    assert found["unigrams"]["top_1"] < 100.0  # type: ignore[index]
    suggested = yaml.safe_load((tmp_path / "out" / "suggested.yaml").read_text(encoding="utf-8"))
    assert suggested["retrieve"]["boosts"]["title"] > 0
    assert set(suggested["index"]["bm25"]) == {"k1", "b"}
    with (tmp_path / "out" / "boosts.csv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    assert len({(row["bigrams"], row["title"]) for row in rows}) == 25
    assert len({(row["k1"], row["b"]) for row in rows}) == 25
    assert len(rows) == 49
    assert lines[0].startswith("6 judged questions")
    assert [line.split()[0] for line in lines[2:6]] == ["1", "5", "10", "20"]
    assert lines[6] == "no difference is significant: more judged questions may show one"


def test_what_reports_never_tunes(index: Path, tmp_path: Path) -> None:
    reported = judgments(tmp_path / "judged.jsonl", role="report")
    with pytest.raises(InputError, match=r"0 questions .* left out: 6 of role report"):
        run_tune_retrieval([reported], index, tmp_path / "out", config(), compute())
    assert not (tmp_path / "out").exists()


def test_what_reports_tunes_when_asked_for_and_files_may_stand_in_a_folder(
    index: Path, tmp_path: Path
) -> None:
    (tmp_path / "judged").mkdir()
    judgments(tmp_path / "judged" / "mine.jsonl", role="report")
    _, found = run_tune_retrieval(
        [tmp_path / "judged"], index, tmp_path / "out", config(), compute(), all_roles=True
    )
    assert found["questions"] == len(TITLES)


def test_pairs_whose_texts_are_hashes_are_named_as_the_cause(index: Path, tmp_path: Path) -> None:
    hashed = judgments(tmp_path / "judged.jsonl", passage="sha1:0123456789abcdef")
    with pytest.raises(InputError, match="6 with hashes in place of texts"):
        run_tune_retrieval([hashed], index, tmp_path / "out", config(), compute())


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"label": 1.0}, "line 1: label '1.0'; expected 1, 0 or"),
        ({"label": "yes"}, "line 1: label 'yes'"),
        ({"role": "Tune"}, "line 1: role 'Tune'; expected tune or report"),
        ({"question": "\ud800"}, "line 1: half of a surrogate pair"),
    ],
)
def test_a_wrong_row_is_refused_and_not_left_out(
    index: Path, tmp_path: Path, wrong: dict[str, object], message: str
) -> None:
    judged = judgments(tmp_path / "judged.jsonl", **wrong)
    with pytest.raises(InputError) as caught:
        run_tune_retrieval([judged], index, tmp_path / "out", config(), compute())
    assert message in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_passage_that_the_index_lacks_is_counted(index: Path, tmp_path: Path) -> None:
    judged = judgments(tmp_path / "judged.jsonl")
    stranger = {"question": "Who?", "answer_sentence": "He.", "passage_title": TITLES[0],
                "passage": "Nobody feeds the river.", "label": 1}  # fmt: skip
    with judged.open("a", encoding="utf-8") as out:
        out.write(json.dumps(stranger) + "\n")
    _, found = run_tune_retrieval([judged], index, tmp_path / "out", config(), compute())
    assert found["judgments_without_passage"] == 1
