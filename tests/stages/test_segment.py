"""The segment stage end to end: parts, ids, reasons, the same bytes every time."""

import json
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pipeline import files
from pipeline.config import Compute, Config, load_config
from pipeline.errors import InputError
from pipeline.records import Article, Block, Passage
from pipeline.stages.segment import run_segment
from tests.fakes import PARAMS

LONG = "Dr. Ames wrote the first of these sentences. The second one came a year later."


def settings(*overrides: str) -> Config:
    return load_config(PARAMS, overrides)


def compute() -> Compute:
    return Compute(workers=1, memory=None, scheduler=None, java_heap="1g", quiet=True)


def write_articles(folder: Path, parts: int = 3) -> Path:
    for number in range(parts):
        rows = [
            Article(
                page_id=number * 10 + n,
                revision_id=n,
                title=f"Title {number} {n}",
                blocks=(
                    Block(kind="paragraph", section="", text=LONG),
                    Block(kind="caption", section="", text=LONG),
                    Block(kind="paragraph", section="Life", text="Short."),
                    Block(kind="list", section="Life > Work", text=LONG + " " + LONG),
                ),
            )
            for n in range(4)
        ]
        files.write_records(folder / f"part-{number:05d}.parquet", Article, rows)
    return folder


def rows(folder: Path) -> list[Passage]:
    return [row for part in files.list_parts(folder) for row in files.read_records(part, Passage)]


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_every_block_becomes_passages_or_a_counted_drop(tmp_path: Path) -> None:
    out = tmp_path / "passages"
    counts: dict[str, Any] = run_segment(
        write_articles(tmp_path / "articles"), out, settings(), compute()
    )
    assert (counts["articles"], counts["blocks"], counts["passages"]) == (12, 48, 24)
    assert counts["dropped"] == {"kind caption": 12, "too short": 12}
    passages = rows(out)
    assert [p.passage_id for p in passages[:4]] == ["0-0", "0-3", "1-0", "1-3"]
    assert (passages[1].section, len(passages[1].sentences())) == ("Life > Work", 4)
    rejected = (out / "rejected" / "part-00000.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(rejected[0]) == {
        "reason": "kind caption",
        "passage_id": "0-1",
        "kind": "caption",
        "text": LONG[:80],
    }
    assert files.read_stats(out)["counts"] == counts


def test_words_cut_blocks_and_the_sum_still_holds(tmp_path: Path) -> None:
    counts: dict[str, Any] = run_segment(
        write_articles(tmp_path / "articles"),
        tmp_path / "out",
        settings("segment.unit=words:15"),
        compute(),
    )
    assert counts["cut"] + counts["whole"] + 24 == counts["blocks"]
    assert counts["passages"] == 36
    assert {p.passage_id for p in rows(tmp_path / "out")} >= {"0-0.1", "0-3.1", "0-3.2"}


def test_a_list_that_a_paragraph_announces_is_counted_as_joined(tmp_path: Path) -> None:
    blocks = (
        Block(kind="paragraph", section="", text="Three rivers meet below the town. They are:"),
        Block(kind="list", section="", text="the Ame\nthe Bure\nthe Coll"),
    )
    row = Article(page_id=7, revision_id=8, title="Town", blocks=blocks)
    files.write_records(tmp_path / "part-00000.parquet", Article, [row])
    counts: dict[str, Any] = run_segment(tmp_path, tmp_path / "out", settings(), compute())
    assert (counts["blocks"], counts["whole"], counts["joined"], counts["dropped"]) == (2, 1, 1, {})
    (made,) = rows(tmp_path / "out")
    assert made.passage_id == "7-0"
    assert made.sentences()[-3:] == ["the Ame", "the Bure", "the Coll"]


def test_changed_settings_never_mix_with_the_parts_of_a_killed_run(tmp_path: Path) -> None:
    articles = write_articles(tmp_path / "articles")
    out, fresh = tmp_path / "out", tmp_path / "fresh"
    run_segment(articles, out, settings(), compute())
    (out / files.STATS).unlink()
    (out / files.UNFINISHED).touch()
    files.list_parts(out, whole=False)[-1].unlink()
    run_segment(articles, out, settings("segment.min_characters=1"), compute())
    run_segment(articles, fresh, settings("segment.min_characters=1"), compute())
    assert snapshot(out) == snapshot(fresh)


def as_a_cluster_would(
    function: Callable[[Any], Any], tasks: Sequence[Any], _compute: Compute, _label: str
) -> list[Any]:
    """Every task in another process's clothes, and the last one first."""
    results = [function(pickle.loads(pickle.dumps(task))) for task in reversed(tasks)]
    return results[::-1]


@pytest.mark.parametrize("splitter", ["rules", "sentencex", "punkt"])
def test_the_order_and_place_of_work_changes_no_byte(
    splitter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    articles = write_articles(tmp_path / "articles")
    config = settings(f"segment.splitter={splitter}")
    run_segment(articles, tmp_path / "one", config, compute())
    monkeypatch.setattr("pipeline.stages.segment.run_tasks", as_a_cluster_would)
    run_segment(articles, tmp_path / "two", config, compute())
    assert snapshot(tmp_path / "one") == snapshot(tmp_path / "two")


def test_a_second_run_keeps_current_parts_and_drops_old_ones(tmp_path: Path) -> None:
    articles, out = write_articles(tmp_path / "articles"), tmp_path / "out"
    run_segment(articles, out, settings(), compute())
    before = snapshot(out)
    times = {path: path.stat().st_mtime_ns for path in files.list_parts(out)}
    assert run_segment(articles, out, settings(), compute())["parts_kept"] == 3
    assert snapshot(out) == before
    assert {path: path.stat().st_mtime_ns for path in files.list_parts(out)} == times
    (articles / "part-00002.parquet").unlink()
    run_segment(articles, out, settings(), compute())
    assert len(files.list_parts(out)) == 2
    assert len(list((out / "rejected").iterdir())) == 2


def test_articles_without_a_passage_are_an_input_error(tmp_path: Path) -> None:
    articles = tmp_path / "articles"
    files.write_records(articles / "part-00000.parquet", Article, [])
    with pytest.raises(InputError, match="none of 0 blocks became a passage"):
        run_segment(articles, tmp_path / "out", settings(), compute())
    assert not (tmp_path / "out" / files.STATS).exists()


def test_a_changed_filter_renames_nothing(tmp_path: Path) -> None:
    articles = write_articles(tmp_path / "articles")
    run_segment(articles, tmp_path / "few", settings("segment.kinds=[list]"), compute())
    run_segment(articles, tmp_path / "all", settings("segment.min_characters=1"), compute())
    few = {p.passage_id: p.text for p in rows(tmp_path / "few")}
    every = {p.passage_id: p.text for p in rows(tmp_path / "all")}
    assert few.items() <= every.items()


def test_what_is_no_folder_of_articles_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        run_segment(tmp_path / "none", tmp_path / "out", settings(), compute())
    (tmp_path / "part-00000.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match="not a whole Parquet file"):
        run_segment(tmp_path, tmp_path / "out", settings(), compute())
    articles = write_articles(tmp_path / "articles")
    with pytest.raises(InputError, match="another folder"):
        run_segment(articles, articles, settings(), compute())
    assert not (tmp_path / "out").exists()
