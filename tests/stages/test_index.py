"""The index stage: passages to a whole index, or the old one as it was."""

import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline import files
from pipeline.errors import InputError
from pipeline.lucene.manifest import check_index, open_searcher
from pipeline.records import DocumentFrequency, Passage
from pipeline.stages import index as stage
from tests.fakes import compute, config, contents, passage, write_passages

PARTS = (
    [passage("1-0", "Salt, salt and tin."), passage("1-1", "Tin is old.", title="Tin")],
    [passage("2-0", "Salt's price fell.", title="Salt")],
    [passage("10-0", "It fell .", title="It")],
)


@pytest.fixture
def passages(tmp_path: Path) -> Path:
    return write_passages(tmp_path / "passages", *PARTS)


def test_an_index_holds_all_passages_and_says_what_it_is(tmp_path: Path, passages: Path) -> None:
    out = tmp_path / "index"
    counts = stage.run_index(passages, out, config(), compute())
    assert counts["passages"] == 4
    assert sorted(path.name for path in out.iterdir()) == ["_stats.json", "frequencies", "lucene"]
    stats = check_index(out, config().index)
    assert stats["counts"] == counts
    assert str(tmp_path) not in json.dumps(stats)
    with open_searcher(out, config().index, "256m") as searcher:
        assert list(searcher.passages()) == [row for part in PARTS for row in part]


def test_frequencies_count_passages_not_occurrences_by_our_own_tokens(
    tmp_path: Path, passages: Path
) -> None:
    out = tmp_path / "index"
    settings = config("index.frequency_orders=2")
    stage.run_index(passages, out, settings, compute())
    (part,) = files.list_parts(out / "frequencies")
    rows = list(files.read_records(part, DocumentFrequency))
    found = {row.ngram: row.passages for row in rows}
    assert (found["salt"], found["fell"], found["tin"], found["s"]) == (2, 2, 2, 1)
    assert (found["salt salt"], found["salt s"], found["it fell"]) == (1, 1, 1)
    assert {row.order for row in rows} == {1, 2}
    assert all(len(row.ngram.split()) == row.order for row in rows)
    assert [(row.order, row.ngram) for row in rows] == sorted((r.order, r.ngram) for r in rows)


@pytest.mark.parametrize("workers", [2, 3, 8])
def test_parts_are_shared_out_in_order_and_none_is_lost(
    tmp_path: Path, passages: Path, workers: int
) -> None:
    parts = files.list_parts(passages)
    groups = stage._groups(parts, workers)
    assert [part for group in groups for part in group] == parts
    assert all(groups)
    assert len(groups) == min(workers, len(parts))


def test_an_index_that_is_current_is_kept_and_another_is_made_anew(
    tmp_path: Path, passages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "index"
    first = stage.run_index(passages, out, config(), compute())
    before = contents(out)
    monkeypatch.setattr(stage, "index_shard", lambda task: pytest.fail("it is current"))
    kept = first | {"kept": True}
    assert stage.run_index(passages, out, config(), compute()) == kept
    assert stage.run_index(passages, out, config("index.bm25={k1: 2, b: 1}"), compute()) == kept
    assert contents(out) == before
    monkeypatch.undo()
    stage.run_index(passages, out, config("index.fields.title.stemmer=none"), compute())
    assert contents(out)["_stats.json"] != before["_stats.json"]


def test_changed_code_of_the_analysis_makes_the_index_anew(
    tmp_path: Path, passages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "index"
    stage.run_index(passages, out, config(), compute())
    before = (out / files.STATS).read_bytes()
    monkeypatch.setattr(files, "source_fingerprint", lambda package, names=None: "other code")
    stage.run_index(passages, out, config(), compute())
    assert (out / files.STATS).read_bytes() != before


def test_another_pyserini_makes_the_index_anew(
    tmp_path: Path, passages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "index"
    stage.run_index(passages, out, config(), compute())
    monkeypatch.setattr("importlib.metadata.version", lambda package: f"another {package}")
    built = []
    monkeypatch.setattr(stage, "index_shard", lambda task: built.append(task) or 0)
    with pytest.raises(InputError, match="holds no passage"):
        stage.run_index(passages, out, config(), compute())
    assert built


def test_a_shard_whose_worker_died_is_made_again_in_the_folder_it_left(
    tmp_path: Path, passages: Path
) -> None:
    parts = tuple(files.list_parts(passages))
    task = shard(parts, tmp_path / "shard-0", "made of this")
    assert stage.index_shard(task) == 4
    frequencies = (task.folder / "frequencies.parquet").read_bytes()
    (task.folder / files.STATS).unlink()
    (task.folder / "lucene" / "half.tmp").touch()
    assert stage.index_shard(task) == 4
    assert not (task.folder / "lucene" / "half.tmp").exists()
    assert (task.folder / "frequencies.parquet").read_bytes() == frequencies


def shard(parts: tuple[Path, ...], folder: Path, fingerprint: str) -> stage.ShardTask:
    return stage.ShardTask(
        parts=parts, folder=folder, index=config().index, heap="256m", fingerprint=fingerprint
    )


def test_a_finished_shard_is_kept_and_one_of_other_settings_is_made_anew(
    tmp_path: Path, passages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = tuple(files.list_parts(passages))
    assert stage.index_shard(shard(parts, tmp_path / "shard-0", "one")) == 4
    monkeypatch.setattr(
        "pipeline.lucene.indexing.write_shard", lambda *_: pytest.fail("it is finished")
    )
    assert stage.index_shard(shard(parts, tmp_path / "shard-0", "one")) == 4
    monkeypatch.undo()
    assert stage.index_shard(shard(parts[:1], tmp_path / "shard-0", "two")) == 2


def test_a_build_goes_on_with_the_shards_that_a_killed_one_finished(
    tmp_path: Path, passages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "index"
    monkeypatch.setattr(stage, "_SHARD_BYTES", 1)
    indexed: list[str] = []
    real = stage.index_shard

    def killed_at_the_second(task: stage.ShardTask) -> int:
        if task.folder.name == "shard-00001":
            raise KeyboardInterrupt
        return real(task)

    monkeypatch.setattr(stage, "index_shard", killed_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        stage.run_index(passages, out, config(), compute())
    assert not out.exists()

    def watched(task: stage.ShardTask) -> int:
        if not (task.folder / files.STATS).exists():
            indexed.append(task.folder.name)
        return real(task)

    monkeypatch.setattr(stage, "index_shard", watched)
    assert stage.run_index(passages, out, config(), compute())["passages"] == 4
    assert indexed == ["shard-00001", "shard-00002"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "passages"]
    with open_searcher(out, config().index, "256m") as searcher:
        assert list(searcher.passages()) == [row for part in PARTS for row in part]


@pytest.mark.parametrize("alive", [True, False])
def test_a_second_build_of_one_index_stops_and_leaves_the_first_its_shards(
    tmp_path: Path, passages: Path, alive: bool
) -> None:
    shards = tmp_path / ".index.shards"
    half = shards / "shard-00007" / "half"
    half.mkdir(parents=True)
    holder = shards / f".held-by-{os.getppid() if alive else 999_999_999}"
    holder.touch()
    if alive:
        with pytest.raises(InputError, match="another build is writing there"):
            stage.run_index(passages, tmp_path / "index", config(), compute())
        assert sorted(shards.iterdir()) == [holder, half.parent]
        assert half.exists()
        assert not (tmp_path / "index").exists()
    else:
        assert stage.run_index(passages, tmp_path / "index", config(), compute())["passages"] == 4
        assert not shards.exists()


def test_what_no_build_left_among_the_shards_is_not_touched(tmp_path: Path, passages: Path) -> None:
    mine = tmp_path / ".index.shards" / "thesis" / "years.tex"
    mine.parent.mkdir(parents=True)
    mine.touch()
    with pytest.raises(InputError, match="holds 'thesis', which no stage wrote; not touched"):
        stage.run_index(passages, tmp_path / "index", config(), compute())
    assert [path.name for path in mine.parents[1].rglob("*")] == ["thesis", "years.tex"]
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize("column", ["text", "title", "section", "passage_id"])
def test_text_that_is_not_utf_8_is_refused_and_nothing_stays(
    tmp_path: Path, passages: Path, column: str
) -> None:
    path = passages / "part-00001.parquet"
    table = pq.read_table(path)
    broken = pa.array([b"Salt\xff"], pa.binary()).cast(pa.string(), safe=False)
    at = table.schema.get_field_index(column)
    pq.write_table(table.set_column(at, table.schema.field(at), broken), path)
    with pytest.raises(InputError, match=r"part-00001\.parquet: damaged \(.*UTF8"):
        stage.run_index(passages, tmp_path / "index", config(), compute())
    assert [path.name for path in tmp_path.iterdir()] == ["passages"]


def test_a_column_that_stands_twice_is_refused(tmp_path: Path, passages: Path) -> None:
    path = passages / "part-00001.parquet"
    table = pq.read_table(path)
    pq.write_table(table.append_column("text", table.column("text")), path)
    with pytest.raises(InputError, match="column 'text' stands there twice"):
        stage.run_index(passages, tmp_path / "index", config(), compute())
    assert [path.name for path in tmp_path.iterdir()] == ["passages"]


def test_a_damaged_manifest_is_told_with_what_to_do(tmp_path: Path, passages: Path) -> None:
    stage.run_index(passages, tmp_path / "index", config(), compute())
    (tmp_path / "index" / files.STATS).write_text("{")
    with pytest.raises(InputError, match=r"not readable as JSON; remove .*index and run the stage"):
        stage.run_index(passages, tmp_path / "index", config(), compute())


def test_two_passages_of_one_id_are_refused_and_nothing_is_written(
    tmp_path: Path, passages: Path
) -> None:
    files.write_records(passages / "part-00003.parquet", Passage, [PARTS[0][1]])
    with pytest.raises(InputError, match="passage_id '1-1' stands for two passages"):
        stage.run_index(passages, tmp_path / "index", config(), compute())
    assert [path.name for path in tmp_path.iterdir()] == ["passages"]


def test_an_error_leaves_the_old_index(tmp_path: Path, passages: Path) -> None:
    out = tmp_path / "index"
    stage.run_index(passages, out, config(), compute())
    before = contents(out)
    part = passages / "part-00001.parquet"
    part.write_bytes(part.read_bytes()[:-30])
    with pytest.raises(InputError, match=r"part-00001\.parquet: not a whole Parquet file"):
        stage.run_index(passages, out, config(), compute())
    assert contents(out) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "passages"]


def test_no_passage_is_no_index(tmp_path: Path) -> None:
    passages = write_passages(tmp_path / "passages", [])
    with pytest.raises(InputError, match="holds no passage"):
        stage.run_index(passages, tmp_path / "index", config(), compute())
    assert not (tmp_path / "index").exists()


def test_passages_are_not_replaced_by_their_index(tmp_path: Path, passages: Path) -> None:
    files.finish_parts(passages, {"fingerprint": "x"})
    before = contents(passages)
    with pytest.raises(InputError, match="which this stage did not write"):
        stage.run_index(passages, passages, config(), compute())
    assert contents(passages) == before


def test_sentences_that_are_null_are_refused(tmp_path: Path, passages: Path) -> None:
    path = passages / "part-00000.parquet"
    table = pq.read_table(path)
    at = table.schema.get_field_index("text")
    pq.write_table(table.set_column(at, "text", [[None, "x"]]), path)
    with pytest.raises(InputError, match="column 'text' holds a null"):
        stage.run_index(passages, tmp_path / "index", config(), compute())
