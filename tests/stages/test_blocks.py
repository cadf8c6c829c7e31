"""silver blocks: what becomes of a folder of tables."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline import files
from pipeline.errors import InputError
from pipeline.records import BlockContents, Passage
from pipeline.stages import blocks as stage
from pipeline.stages.index import run_index
from tests.fakes import compute, config, contents
from tests.tables.made import PASSAGES, PORTS, cell, table, write_tables

OTHER = table([cell("Vik", "/wiki/Stone_Bridge_(Vik)", "/wiki/Nowhere"), cell("1900")], title="Q")


@pytest.fixture
def given(tmp_path: Path) -> Path:
    write_tables(tmp_path / "tables", Ports_0=PORTS, Quays_0=OTHER)
    write_tables(
        tmp_path / "passages",
        Ports_0=PASSAGES,
        Quays_0={"/wiki/Stone_Bridge_(Vik)": PASSAGES["/wiki/Stone_Bridge_(Vik)"]},
    )
    return tmp_path


def run(given: Path, links: str, out: str = "out", **more: Any) -> dict[str, Any]:
    options = {
        "tables": given / "tables" if more.pop("tables", True) else None,
        "passages": given / "passages" if more.pop("passages", links == "oracle") else None,
        "index": more.pop("index", None),
    }
    workers, settings = more.pop("workers", 1), config(*more.pop("overrides", ()))
    return stage.run_blocks(
        stage.BlocksInputs(**options), links, given / out, settings, compute(workers=workers),
        **more,
    )  # fmt: skip


def written(folder: Path) -> list[tuple[Passage, BlockContents]]:
    return [
        pair
        for part in files.list_parts(folder)
        for pair in zip(
            files.read_records(part, Passage),
            files.read_records(folder / "contents" / part.name, BlockContents),
            strict=True,
        )
    ]


def rejected(folder: Path) -> list[tuple[str, str]]:
    lines = (
        json.loads(line)
        for path in sorted((folder / "rejected").glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    return [(line["unit"], line["reason"]) for line in lines]


def test_rows_become_blocks_with_the_passages_their_cells_link_to(given: Path) -> None:
    counts = run(given, "oracle")
    made = written(given / "out")
    assert [block.passage_id for block, _ in made] == ["Ports_0-0", "Ports_0-2", "Quays_0-0"]
    assert [content.links for _, content in made] == [
        ("/wiki/Lund_Harbour",),
        ("/wiki/Stone_Bridge_(Vik)", "/wiki/Lund_Harbour"),
        ("/wiki/Stone_Bridge_(Vik)",),
    ]
    assert counts["rows"] == 4
    assert counts["links"] == 5
    assert counts["dropped"] == {
        "row": {"row without text": 1},
        "link": {"linked passage not given": 1},
    }
    assert rejected(given / "out") == [
        ("row", "row without text"), ("link", "linked passage not given"),
    ]  # fmt: skip


def test_without_links_the_rows_stand_alone(given: Path) -> None:
    counts = run(given, "none")
    assert counts["blocks"] == counts["row_blocks"] == 3
    assert all(not content.links for _, content in written(given / "out"))


def test_passages_stand_by_themselves_each_once(
    given: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "TABLES_PER_PART", 1)
    counts = run(given, "none", tables=False, passages=True)
    assert counts["passages"] == 3
    assert counts["blocks"] == counts["passage_blocks"] == 2
    assert counts["dropped"] == {"passage": {"passage of an earlier table": 1}}
    ids = [block.passage_id for block, _ in written(given / "out")]
    assert ids == ["/wiki/Lund_Harbour", "/wiki/Stone_Bridge_(Vik)"]


def test_rows_and_passages_may_be_one_collection(given: Path) -> None:
    assert run(given, "none", passages=True)["blocks"] == 5


def test_links_are_predicted_by_titles_in_an_index(given: Path) -> None:
    run(given, "none", "alone", tables=False, passages=True)
    run_index(given / "alone", given / "index", config(), compute())
    counts = run(given, "predicted", index=given / "index", link_threshold=0.45)
    links = [content.links for _, content in written(given / "out")]
    assert links[0] == ("/wiki/Lund_Harbour",)
    assert counts["links_predicted"] == counts["links_fused"] > 0
    assert 0 < counts["link_precision"] <= 1
    assert 0 < counts["link_recall"] <= 1


def test_predicted_links_are_found_anew_with_other_parameters_of_bm25(given: Path) -> None:
    run(given, "none", "alone", tables=False, passages=True)
    run_index(given / "alone", given / "index", config(), compute())
    part = given / "out" / "part-00000.parquet"
    times = []
    for k1 in (0.9, 0.9, 1.2):
        run(given, "predicted", index=given / "index", overrides=[f"index.bm25.k1={k1}"])
        times.append(part.stat().st_mtime_ns)
    assert times[0] == times[1] != times[2]


def test_the_same_bytes_come_from_any_number_of_workers_and_parts_are_kept(
    given: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "TABLES_PER_PART", 1)
    run(given, "oracle", "one")
    run(given, "oracle", "two", workers=2)
    assert contents(given / "one") == contents(given / "two")
    before = (given / "one" / "part-00000.parquet").stat().st_mtime_ns
    run(given, "oracle", "one")
    assert (given / "one" / "part-00000.parquet").stat().st_mtime_ns == before
    run(given, "oracle", "one", passage_words=3)
    assert (given / "one" / "part-00000.parquet").stat().st_mtime_ns != before


def test_a_file_that_is_no_table_is_dropped_and_the_others_are_read(given: Path) -> None:
    (given / "tables" / "Broken_0.json").write_text("{", encoding="utf-8")
    write_tables(given / "tables", Strange_0={"rows": []})
    counts = run(given, "none")
    assert counts["tables"] == 2
    assert counts["blocks"] == 3
    assert sum(counts["dropped"]["table"].values()) == 2
    assert "no lists named 'header' and 'data'" in counts["dropped"]["table"]


@pytest.mark.parametrize(
    ("links", "more", "message"),
    [
        ("oracle", {"passages": False}, "--passages: missing"),
        ("oracle", {"tables": False}, "--tables: missing"),
        ("predicted", {}, "--index: missing"),
        ("none", {"tables": False}, "--tables: missing"),
        ("none", {"index": Path("index")}, "--index: only --links predicted"),
        ("all", {}, "--links: 'all'; expected one of oracle, predicted, none"),
    ],
)
def test_options_that_do_not_fit_are_told(
    given: Path, links: str, more: dict, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        run(given, links, **more)
    assert not (given / "out").exists()


def test_folders_without_tables_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        run(tmp_path, "none")
    write_tables(tmp_path / "tables")
    with pytest.raises(InputError, match=r"holds no \.json file"):
        run(tmp_path, "none")
    write_tables(tmp_path / "tables", Strange_0=[])
    with pytest.raises(InputError, match=r"no block; the first was dropped \(Strange_0\.json"):
        run(tmp_path, "none")
