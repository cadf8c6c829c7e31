"""Comparing two silver runs: by text, with counts and a list that can be read."""

import json
import shutil
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.records import Silver
from pipeline.stages.diff import run_diff
from tests.fakes import passage, question, write_passages, write_questions

QUESTIONS = tuple(question(f"own-{n}", f"Sentence {n} tells it.") for n in range(1, 7))


def silver(question_id: str, passage_id: str | None, loss: str | None = None) -> Silver:
    matched = passage_id is not None
    return Silver(
        question_id=question_id, answer_index=0, passage_id=passage_id, sentence_index=0,
        sentence_count=1, similarity=0.9 if matched else None,
        cosine_similarity=0.9 if matched else None, rank=1 if matched else None, matched=matched,
        loss=loss,
    )  # fmt: skip


def write_run(root: Path, found: dict[str, str | None], texts: dict[str, str]) -> Path:
    from pipeline import files

    write_questions(root / "questions" / "own.parquet", *QUESTIONS)
    rows = [
        silver(name, passage_id, None if passage_id else "below threshold")
        for name, passage_id in found.items()
    ]
    files.write_records(root / "silver" / "own.parquet", Silver, rows)
    write_passages(root / "passages", [passage(name, text) for name, text in texts.items()])
    return root


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """One question of each kind, and one that neither run maps."""
    old = write_run(
        tmp_path / "old",
        {"own-1": "1-0", "own-2": "1-1", "own-3": "1-2", "own-4": "1-3", "own-5": None,
         "own-6": None},
        {"1-0": "It stays.", "1-1": "It moves.", "1-2": "It flows far to the north.",
         "1-3": "It goes."},
    )  # fmt: skip
    new = write_run(
        tmp_path / "new",
        {"own-1": "1-0", "own-2": "1-5", "own-3": "1-2", "own-4": None, "own-5": "2-0",
         "own-6": None},
        {"1-0": "It stays.", "1-5": "It moves.", "1-2": "It flows far to the south.",
         "2-0": "It comes."},
    )  # fmt: skip
    return old, new


def test_each_kind_is_counted_and_listed(runs: tuple[Path, Path]) -> None:
    lines, counts = run_diff(*runs, most=20)
    expected = dict.fromkeys(("kept", "moved", "edited", "lost", "gained", "unmapped"), 1)
    assert {name: counts[name] for name in expected} == expected
    assert counts["only_in_old"] == counts["only_in_new"] == 0
    assert counts["corpora"] == {"own": {**expected, "only_in_old": 0, "only_in_new": 0}}
    text = "\n".join(lines)
    assert "own: 1 kept, 1 moved, 1 edited, 1 lost, 1 gained" in text
    assert "own-2: 1-1 'Lune' → 1-5 'Lune'" in text
    assert "own-3: 1-2 'Lune' → 1-2 'Lune', similarity 0.7" in text
    assert "old: It flows far to the north." in text and "new: It flows far to the south." in text
    assert "own-4: 1-3 'Lune'; now below threshold" in text
    assert "own-5: 2-0 'Lune'; before below threshold" in text
    assert "own-1" not in text and "own-6" not in text


def test_a_run_does_not_differ_from_itself(runs: tuple[Path, Path]) -> None:
    lines, counts = run_diff(runs[0], runs[0], most=20)
    assert (counts["kept"], counts["unmapped"]) == (4, 2)
    assert lines == ["own: 4 kept, 0 moved, 0 edited, 0 lost, 0 gained", ""]


def test_files_may_be_given_instead_of_folders(runs: tuple[Path, Path]) -> None:
    old, new = (root / "silver" / "own.parquet" for root in runs)
    renamed = new.with_name("other.parquet")
    new.rename(renamed)
    (runs[1] / "questions" / "own.parquet").rename(runs[1] / "questions" / "other.parquet")
    assert run_diff(old, renamed, most=20)[1]["edited"] == 1


def test_a_loose_file_is_read_with_the_questions_and_passages_given_or_the_others(
    runs: tuple[Path, Path], tmp_path: Path
) -> None:
    old = runs[0] / "silver" / "own.parquet"
    (tmp_path / "loose" / "here").mkdir(parents=True)
    loose = shutil.copy(old, tmp_path / "loose" / "here" / "cos.parquet")
    lines, counts = run_diff(old, loose, most=20)
    assert (counts["kept"], counts["unmapped"]) == (4, 2)
    assert lines[0].startswith(f"{loose}: read with {runs[0]}")
    questions, passages = runs[0] / "questions" / "own.parquet", runs[0] / "passages"
    assert run_diff(loose, loose, 20, questions, passages)[1]["kept"] == 4
    with pytest.raises(InputError, match=r"no questions at .*; give them with --questions"):
        run_diff(loose, loose, 20)
    with pytest.raises(InputError, match=r"no passages at .*; give them with --passages"):
        run_diff(loose, loose, 20, questions)


def test_runs_without_a_common_question_say_so(runs: tuple[Path, Path]) -> None:
    old, new = runs
    strangers = [question(f"own-{n}", f"Another {n} says it.", question=f"Who is {n}?")
                 for n in range(1, 7)]  # fmt: skip
    write_questions(new / "questions" / "own.parquet", *strangers)
    lines, counts = run_diff(old, new, most=20)
    assert lines[0].startswith("own: the two share no question (6 in ")
    assert counts["only_in_old"] == 6


def test_a_long_list_is_cut_and_says_so(tmp_path: Path) -> None:
    texts = {"1-0": "It stays."}
    old = write_run(tmp_path / "old", {entry.question_id: "1-0" for entry in QUESTIONS}, texts)
    new = write_run(tmp_path / "new", {entry.question_id: None for entry in QUESTIONS}, texts)
    lines, counts = run_diff(old, new, most=2)
    assert counts["lost"] == 6
    assert "  … and 4 more" in lines
    assert not any("more" in line for line in run_diff(old, new, most=0)[0])


def test_runs_that_cannot_be_compared_are_refused(runs: tuple[Path, Path], tmp_path: Path) -> None:
    old, new = runs
    with pytest.raises(InputError, match="no silver standard there"):
        run_diff(old, tmp_path / "none", most=20)
    (tmp_path / "empty" / "silver").mkdir(parents=True)
    with pytest.raises(InputError, match=r"holds no <corpus>\.parquet"):
        run_diff(old, tmp_path / "empty", most=20)
    write_questions(new / "questions" / "own.parquet", QUESTIONS[0])
    with pytest.raises(InputError, match="question 'own-2' is not in"):
        run_diff(old, new, most=20)
    (new / "silver" / "own.parquet").rename(new / "silver" / "other.parquet")
    with pytest.raises(InputError, match="no corpus in common"):
        run_diff(old, new, most=20)
    write_passages(old / "passages", [passage("9-0", "It is another.")])
    with pytest.raises(InputError, match="holds no passage '1-0'"):
        run_diff(old, old, most=20)


def test_the_command_line_ends_with_the_counts(
    runs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    from pipeline import cli
    from tests.fakes import PARAMS

    cli.main(["diff", *map(str, runs), "--config", str(PARAMS)])
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["gained"] == 1
