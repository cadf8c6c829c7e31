"""The command line: quick to start, JSON at the end, one plain sentence for wrong input."""

import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from click.testing import CliRunner

from pipeline import cli, files
from pipeline.records import Candidate, Redirect, Silver
from tests.fakes import PARAMS, ROOT, contents, passage, question, write_passages, write_questions

COMMANDS = ("sample", "extract", "segment", "index", "questions", "candidates", "score", "match",
            "retrieve", "datasets", "report", "explain", "diff", "inspect", "doctor")  # fmt: skip


class Result:
    """What a run of the command line said, and with which code it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def silver(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Run the command line in this process, with the sample's profile and one worker."""

    def run(command: str, *arguments: object) -> Result:
        published = ("match.scorer=cosine", "match.threshold=0.4", "report.gold=null")
        overrides = [word for value in published for word in ("--set", value)]
        common = ["--config", PARAMS, *overrides, "--workers", 1]
        with pytest.raises(SystemExit) as left:
            cli.main([command, *map(str, common), *map(str, arguments)])
            sys.exit(0)
        shown = capsys.readouterr()
        return Result(int(left.value.code or 0), shown.out, shown.err)

    return run


@pytest.fixture
def data(tmp_path: Path, silver: Callable[..., Result]) -> Path:
    """Passages, their index and questions."""
    rows = [passage("1-0", "Salt was traded here."), passage("1-1", "Tin was not.")]
    write_passages(tmp_path / "passages", rows)
    write_questions(tmp_path / "q.parquet", question("own-1", "Salt was traded here."))
    made = silver("index", "--passages", tmp_path / "passages", "--out", tmp_path / "index")
    assert made.code == 0, made.err
    return tmp_path


def assert_refused(result: Result, *words: str) -> None:
    """Exit 2 and one line on standard error that holds these words."""
    assert result.code == 2, result.err
    assert result.out == ""
    assert result.err.count("\n") == 1, result.err
    assert result.err.startswith("silver: ")
    assert "Traceback" not in result.err
    for word in words:
        assert word in result.err


# ---------------------------------------------------------------- the commands


def test_help_lists_the_commands_in_the_order_of_the_pipeline() -> None:
    shown = CliRunner().invoke(cli.silver, ["--help"])
    listed = re.findall(r"^  ([a-z-]+)  ", shown.output, re.MULTILINE)
    assert [name for name in listed if name in COMMANDS] == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_its_options_and_all_but_doctor_take_the_common_ones(
    name: str,
) -> None:
    shown = CliRunner().invoke(cli.silver, [name, "--help"])
    assert shown.exit_code == 0
    common = ("--config", "--set", "--workers", "--scheduler", "--quiet")
    assert all((option in shown.output) == (name != "doctor") for option in common)
    assert all(option.help for option in cli.silver.commands[name].params
               if option.param_type_name == "option")  # fmt: skip


def test_help_is_quick_and_starts_no_java() -> None:
    import resource

    command = [sys.executable, "-c", "from pipeline.cli import main; main(['--help'])"]
    spent = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.stdout.startswith("Usage: ")
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) < 0.3


def test_the_installed_program_says_its_version() -> None:
    program = Path(sys.executable).with_name("silver")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert re.search(r"\d+\.\d+\.\d+", done.stdout)


def test_doctor_finds_what_the_pipeline_stands_on(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["doctor"])
        sys.exit(0)
    lines = capsys.readouterr().out.splitlines()
    found = {line[5:].split()[0]: line for line in lines}
    for name in ("Python", "Java", "Lucene", "pyserini", "dask", "dvc"):
        assert found[name].startswith("ok  "), found[name]
    assert "machine" in found


def test_doctor_names_the_key_of_an_input_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PARAMS.read_text(encoding="utf-8")
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "params.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:  # the sample makes them all
        cli.main(["doctor", "--inputs"])
    assert (left.value.code, capsys.readouterr().out) == (0, "all inputs are there\n")
    without = text.replace("into: [sample]", "into: []")
    (tmp_path / "configs" / "params.yaml").write_text(without, encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        cli.main(["doctor", "--inputs"])
    lines = capsys.readouterr().out.splitlines()
    assert left.value.code == 2
    assert lines[0].startswith("extract.dump: data/raw/sample/") and "is not there" in lines[0]
    assert any(line.startswith("corpora.squad.input: ") for line in lines)


def test_a_java_that_is_too_old_is_named_by_doctor_and_not_used(tmp_path: Path) -> None:
    (tmp_path / "lib" / "server").mkdir(parents=True)
    (tmp_path / "lib" / "server" / "libjvm.so").touch()
    (tmp_path / "release").write_text('JAVA_VERSION="17.0.2"\n')
    code = "from pipeline.doctor import _java; print(_java().line())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env=os.environ | {"JAVA_HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout.startswith("ok")
    assert f"JAVA_HOME={tmp_path}" in done.stdout
    assert "not used" in done.stdout


def test_the_last_line_on_standard_output_is_the_counts_as_json(
    data: Path, silver: Callable[..., Result]
) -> None:
    done = silver("candidates", "--questions", data / "q.parquet", "--index", data / "index",
                  "--out", data / "c.parquet")  # fmt: skip
    assert done.code == 0
    assert json.loads(done.out.splitlines()[-1])["candidates"] == 1
    assert done.err == ""


def test_set_reaches_the_stage(data: Path, silver: Callable[..., Result]) -> None:
    arguments = ("--questions", data / "q.parquet", "--index", data / "index",
                 "--out", data / "r.trec", "--field", "answer_sentences")  # fmt: skip
    for boosts, lines in (("{contents: 1}", 1), ("{title: 1}", 0)):
        done = silver("retrieve", *arguments, "--set", f"retrieve.boosts={boosts}",
                      "--set", "index.bm25={k1: 1.2, b: 0.75}")  # fmt: skip
        assert done.code == 0, done.err
        assert json.loads(done.out)["lines"] == lines


def test_a_profile_without_compute_beside_it_is_used_as_it_is(
    data: Path, silver: Callable[..., Result], tmp_path: Path
) -> None:
    own = tmp_path / "elsewhere" / "own.yaml"
    own.parent.mkdir()
    own.write_text(PARAMS.read_text(encoding="utf-8"), encoding="utf-8")
    done = silver("index", "--config", own, "--passages", data / "passages",
                  "--out", data / "index")  # fmt: skip
    assert done.code == 0, done.err


# ---------------------------------------------------------------- wrong options


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--set", "match.treshold=0.5"], ["match", "did you mean 'threshold'?"]),
        (["--set", "match.threshold=1.5"], ["match.threshold", "1.5"]),
        (["--set", "match.weights=[0.5, 0.5, 0.5]"], ["match.weights", "sum to 1.5"]),
        (["--set", "threshold"], ["--set threshold", "KEY=VALUE"]),
        (["--workers", "0"], ["workers", "0"]),
        (["--config", "none.yaml"], ["none.yaml", "no such configuration file"]),
    ],
)
def test_a_wrong_configuration_is_one_line_with_its_key(
    tmp_path: Path, silver: Callable[..., Result], arguments: list[str], words: list[str]
) -> None:
    out = tmp_path / "out.parquet"
    result = silver("match", "--questions", "q", "--scores", "s", "--out", out, *arguments)
    assert_refused(result, *words)
    assert not out.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--out", "x"],
        ["--passages", "x", "--out", "y", "--worker", "2"],
        ["--passages", "x", "--out", "y", "--workers", "two"],
        ["--passages", "x", "--out", "y", "more"],
    ],
)
def test_a_wrong_option_ends_in_exit_2_and_says_which(
    silver: Callable[..., Result], arguments: list[str]
) -> None:
    result = silver("index", *arguments)
    assert result.code == 2
    assert "Traceback" not in result.err
    assert result.err.startswith("silver index: ")
    assert result.err.count("\n") == 1


def test_an_unknown_command_ends_in_exit_2(silver: Callable[..., Result]) -> None:
    result = silver("retreive")
    assert result.code == 2
    assert "retreive" in result.err


# ---------------------------------------------------------------- wrong files


def stage_arguments(data: Path, **changed: Path) -> dict[str, list[object]]:
    """The arguments of each stage after the index; ``changed`` replaces paths by their name."""
    paths = {
        "questions": data / "q.parquet", "index": data / "index", "candidates": data / "c.parquet",
        "scores": data / "s.parquet", "silver": data / "silver.parquet", "run": data / "r.trec",
    }  # fmt: skip
    paths |= changed
    inputs = {
        "candidates": ("questions", "index"),
        "score": ("questions", "candidates", "index"),
        "match": ("questions", "scores"),
        "retrieve": ("questions", "index"),
        "datasets": ("questions", "silver", "run", "index"),
    }
    out = data / "out"
    return {
        stage: [part for name in names for part in (f"--{name}", paths[name])] + ["--out", out]
        for stage, names in inputs.items()
    }


@pytest.fixture
def whole(data: Path, silver: Callable[..., Result]) -> Path:
    """All inputs of all stages, in one folder."""
    for stage, out in (("candidates", "c.parquet"), ("score", "s.parquet"),
                       ("match", "silver.parquet"), ("retrieve", "r.trec")):  # fmt: skip
        done = silver(stage, *stage_arguments(data)[stage][:-1], data / out)
        assert done.code == 0, done.err
    return data


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def add_column(path: Path) -> None:
    table = pq.read_table(path)
    pq.write_table(table.drop_columns([table.column_names[-1]]), path)


DAMAGES: list[tuple[str, Callable[[Path], object], str]] = [
    ("missing", lambda path: path.unlink(), "no such file"),
    ("of another record",
     lambda path: files.write_records(path, Redirect, []), "no column"),
    ("truncated", truncate, "not a whole Parquet file"),
    ("lacking a column", add_column, "no column"),
    ("no Parquet at all", lambda path: path.write_text("<html>404</html>"), "not a whole Parquet"),
]  # fmt: skip


@pytest.mark.parametrize(("damage", "message"), [entry[1:] for entry in DAMAGES],
                         ids=[entry[0] for entry in DAMAGES])  # fmt: skip
def test_a_file_that_is_wrong_is_one_line_and_nothing_is_written(
    whole: Path, silver: Callable[..., Result], damage: Callable[[Path], object], message: str
) -> None:
    cases = [("q.parquet", "candidates"), ("q.parquet", "retrieve"), ("c.parquet", "score"),
             ("s.parquet", "match"), ("silver.parquet", "datasets")]  # fmt: skip
    for name, stage in cases:
        kept = (whole / name).read_bytes()
        damage(whole / name)
        before = contents(whole)
        assert_refused(silver(stage, *stage_arguments(whole)[stage]), name, message)
        assert contents(whole) == before, stage
        (whole / name).write_bytes(kept)


@pytest.mark.parametrize("stage", ["candidates", "score", "retrieve", "datasets"])
def test_an_index_that_is_missing_unfinished_or_of_other_settings_is_one_line(
    whole: Path, silver: Callable[..., Result], stage: str
) -> None:
    arguments = stage_arguments(whole)[stage]
    assert_refused(silver(stage, *arguments, "--set", "index.fields.title.stemmer=none"),
                   "index.fields.title.stemmer was porter, now none")  # fmt: skip
    (whole / "index" / files.STATS).rename(whole / "kept")
    assert_refused(silver(stage, *arguments), "no whole index")
    missing = stage_arguments(whole, index=whole / "none")[stage]
    assert_refused(silver(stage, *missing), "no such folder")


@pytest.mark.parametrize("stage", ["candidates", "retrieve"])
def test_boosts_that_name_no_field_are_one_line(
    whole: Path, silver: Callable[..., Result], stage: str
) -> None:
    boosts = f"{stage}.boosts={{content: 1}}"
    assert_refused(silver(stage, *stage_arguments(whole)[stage], "--set", boosts),
                   f"{stage}.boosts", "no field 'content'")  # fmt: skip


@pytest.mark.parametrize("stage", ["candidates", "match", "retrieve", "datasets"])
def test_an_empty_corpus_is_one_line(
    whole: Path, silver: Callable[..., Result], stage: str
) -> None:
    write_questions(whole / "q.parquet")
    assert_refused(silver(stage, *stage_arguments(whole)[stage]), "holds no question")


@pytest.mark.parametrize(
    ("line", "message"),
    [("own-1 Q0 1-0 1 0.5", "line 1: 5 fields"), ("own-1 Q0 1-0 1 nan x", "score 'nan'"),
     ("own-2 Q0 1-0 1 0.5 x", "no question 'own-2'")],
)  # fmt: skip
def test_a_wrong_run_is_one_line(
    whole: Path, silver: Callable[..., Result], line: str, message: str
) -> None:
    (whole / "r.trec").write_text(f"{line}\n")
    result = silver("datasets", *stage_arguments(whole)["datasets"])
    assert_refused(result, message)
    assert not (whole / "out").exists()


def test_a_run_that_is_no_text_or_a_folder_is_one_line(
    whole: Path, silver: Callable[..., Result]
) -> None:
    (whole / "r.trec").write_bytes(b"\xff\xfe")
    assert_refused(silver("datasets", *stage_arguments(whole)["datasets"]), "not a UTF-8 text")
    (whole / "folder").mkdir()
    folder = stage_arguments(whole, run=whole / "folder")["datasets"]
    assert_refused(silver("datasets", *folder), "cannot be read")


@pytest.mark.parametrize("stage", ["candidates", "score", "match", "retrieve"])
def test_a_folder_where_a_file_should_go_is_one_line(
    whole: Path, silver: Callable[..., Result], stage: str
) -> None:
    (whole / "out").mkdir()
    (whole / "out" / "mine.txt").write_text("mine")
    before = contents(whole)
    assert_refused(silver(stage, *stage_arguments(whole)[stage]), "is a folder; expected a file")
    assert contents(whole) == before


@pytest.mark.parametrize("stage", ["index", "datasets"])
def test_a_folder_of_foreign_files_is_not_touched(
    whole: Path, silver: Callable[..., Result], stage: str
) -> None:
    (whole / "out").mkdir()
    (whole / "out" / "thesis.tex").write_text("years of work")
    before = contents(whole)
    arguments = {"index": ["--passages", whole / "passages", "--out", whole / "out"]}
    arguments["datasets"] = stage_arguments(whole)["datasets"]
    assert_refused(silver(stage, *arguments[stage]), "thesis.tex", "not touched")
    assert contents(whole) == before


def test_passages_that_are_wrong_leave_no_index(
    tmp_path: Path, silver: Callable[..., Result]
) -> None:
    out = tmp_path / "index"
    given = ("index", "--passages", tmp_path / "passages", "--out", out)
    assert_refused(silver(*given), "no such folder")
    (tmp_path / "passages").mkdir()
    assert_refused(silver(*given), "holds no part")
    write_passages(tmp_path / "passages", [])
    assert_refused(silver(*given), "holds no passage")
    rows = [passage("1-0", "Salt."), passage("1-0", "Tin.")]
    write_passages(tmp_path / "passages", rows)
    assert_refused(silver(*given), "passage_id '1-0' stands for two passages")
    files.write_records(tmp_path / "passages" / "part-00000.parquet", Candidate, [])
    assert_refused(silver(*given), "no column")
    (tmp_path / "passages" / "_unfinished").touch()
    assert_refused(silver(*given), "unfinished")
    assert [path.name for path in tmp_path.iterdir()] == ["passages"]


def test_silver_of_another_corpus_is_one_line(whole: Path, silver: Callable[..., Result]) -> None:
    rows = files.read_records(whole / "silver.parquet", Silver)
    kept = list(rows)
    write_questions(whole / "q.parquet", question("other-1", "Salt."))
    assert kept
    assert_refused(silver("datasets", *stage_arguments(whole)["datasets"]), "no question 'own-1'")
    assert_refused(silver("score", *stage_arguments(whole)["score"]), "own-1")
    assert_refused(silver("match", *stage_arguments(whole)["match"]), "is in only one")


def test_the_program_itself_ends_in_exit_2_without_a_traceback(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", "index", "--passages", "none", "--out", tmp_path / "x"]
        if (ROOT / "pipeline" / "__main__.py").exists()
        else [Path(sys.executable).with_name("silver"), "index", "--passages", "none", "--out",
              tmp_path / "x"],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "silver: none: no such folder\n"
    assert done.stdout == ""


def test_every_profile_can_be_given(tmp_path: Path, silver: Callable[..., Result]) -> None:
    for path in sorted((ROOT / "configs" / "profiles").glob("*.yaml")):
        assert yaml.safe_load(path.read_text(encoding="utf-8"))
        result = silver("index", "--config", path, "--passages", "none", "--out", tmp_path / "x")
        assert_refused(result, "none: no such folder")


def test_a_fault_of_the_tool_is_one_sentence_with_exit_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("pipeline.doctor.examine", broken)
    with pytest.raises(SystemExit) as stopped:
        cli.main(["doctor"])
    assert stopped.value.code == 1
    said = capsys.readouterr().err
    assert said.startswith("silver: RuntimeError: two lines; ")
    assert said.count("\n") == 1
    monkeypatch.setenv("SILVER_TRACEBACK", "1")
    with pytest.raises(RuntimeError):
        cli.main(["doctor"])


def test_a_full_disk_ends_in_exit_1_and_a_wrong_path_in_exit_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, code in ((errno.ENOSPC, 1), (errno.ENAMETOOLONG, 2)):

        def broken(number: int = number) -> None:
            raise OSError(number, os.strerror(number), "some/file")

        monkeypatch.setattr("pipeline.doctor.examine", broken)
        with pytest.raises(SystemExit) as stopped:
            cli.main(["doctor"])
        assert stopped.value.code == code
        assert capsys.readouterr().err == f"silver: some/file: {os.strerror(number)}\n"


@pytest.mark.parametrize("where", ["passages", "passages/deeper", "."])
def test_an_output_that_overlaps_an_input_is_refused(
    silver: Callable[..., Result], tmp_path: Path, where: str
) -> None:
    write_passages(tmp_path / "passages", [passage("1-0", "One.")])
    before = contents(tmp_path)
    result = silver("index", "--passages", tmp_path / "passages", "--out", tmp_path / where)
    assert result.code == 2
    assert "overlaps the input" in result.err
    assert contents(tmp_path) == before
