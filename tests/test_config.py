"""The configuration: complete, strict, and every error names the key."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from pipeline.config import Compute, Config, corpus_inputs, load_compute, load_config, with_values
from pipeline.errors import ConfigError
from pipeline.lucene.manifest import check_boosts
from tests.fakes import PARAMS, ROOT

# Not whatever stands there: users keep profiles of their own beside these.
PROFILES = [
    ROOT / "configs" / "profiles" / f"{name}.yaml" for name in ("enwiki", "paper", "sample")
]


def leaves(tree: object, key: str = "") -> list[str]:
    """The dotted keys of a tree whose values are no mappings."""
    if not isinstance(tree, dict):
        return [key]
    return [
        leaf for name, value in tree.items() for leaf in leaves(value, f"{key}.{name}"[not key :])
    ]


def error_of(*overrides: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load_config(PARAMS, overrides)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("path", PROFILES, ids=lambda path: path.stem)
def test_every_profile_is_a_whole_configuration(path: Path) -> None:
    assert load_config(path).corpora.keys() == {"selqa", "wikiqa", "squad"}


def test_the_profiles_are_documented() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"| `{path.stem}` |" in readme for path in PROFILES)


def changed_since_the_last_commit(path: str) -> bool:
    command = ["git", "diff", "--quiet", "HEAD", "--", path]
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode == 1


@pytest.mark.skipif(
    changed_since_the_last_commit("configs/params.yaml"), reason="configs/params.yaml is changed"
)
def test_the_active_configuration_is_the_samples_profile() -> None:
    active = yaml.safe_load((ROOT / "configs" / "params.yaml").read_text(encoding="utf-8"))
    assert active == yaml.safe_load(PARAMS.read_text(encoding="utf-8"))


def test_the_papers_profile_holds_the_published_settings() -> None:
    paper = load_config(ROOT / "configs" / "profiles" / "paper.yaml")
    assert paper.match.weights == (0.25, 0.35, 0.40)
    assert (paper.match.depth, paper.match.short_sentences) == (5, "paper")
    assert paper.candidates.boosts == paper.retrieve.boosts
    assert paper.segment.kinds == ("paragraph",)


REQUIRED = [  # all but the names that the user gives, such as those of boosts
    key
    for key in leaves(yaml.safe_load(PARAMS.read_text(encoding="utf-8")))
    if ".boosts." not in key
]


@pytest.mark.parametrize("key", REQUIRED)
def test_no_key_may_be_missing_since_no_default_hides_in_code(key: str, tmp_path: Path) -> None:
    tree = yaml.safe_load(PARAMS.read_text(encoding="utf-8"))
    *parents, last = key.split(".")
    node = tree
    for part in parents:
        node = node[part]
    del node[last]
    path = tmp_path / "params.yaml"
    path.write_text(yaml.safe_dump(tree), encoding="utf-8")
    with pytest.raises(ConfigError, match=rf"{key}: missing"):
        load_config(path)


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("match.threshold=1.5", ["match.threshold", "1.5", "1"]),
        ("match.threshold=-0.1", ["match.threshold", "-0.1"]),
        ("match.threshold=.nan", ["match.threshold", "nan"]),
        ("match.threshold=true", ["match.threshold", "True", "number"]),
        ("match.threshold=high", ["match.threshold", "high"]),
        ("match.threshold=null", ["match.threshold"]),
        ("match.weights=[0.5, 0.5, 0.5]", ["match.weights", "sum to 1.5", "1"]),
        ("match.weights=[1, 0]", ["match.weights", "missing"]),
        ("match.weights=[1.5, -0.5, 0]", ["match.weights", "-0.5"]),
        ("match.weights=[.nan, 0, 1]", ["match.weights", "nan"]),
        ("match.weights=0.5", ["match.weights", "list"]),
        ("match.scorer=cosin", ["match.scorer", "cosin", "cosine"]),
        ("match.short_sentences=drop", ["match.short_sentences", "paper", "renormalize"]),
        ("match.depth=0", ["match.depth"]),
        ("match.depth=5.5", ["match.depth"]),
        ("match=5", ["match", "mapping"]),
        ("candidates.depth=0", ["candidates.depth"]),
        ("candidates.depth=4", ["candidates.depth", "5"]),
        ("match.depth=21", ["match.depth asks for 21", "candidates.depth is 20"]),
        ("retrieve.depth=99", ["retrieve.depth is 99", "report.ks asks for 100"]),
        ("candidates.boosts={}", ["candidates.boosts"]),
        ("candidates.boosts={contents: 0}", ["candidates.boosts", "above 0"]),
        ("retrieve.boosts={contents: 1, title: -1}", ["retrieve.boosts", "title"]),
        ("retrieve.boosts={contents: .inf}", ["retrieve.boosts", "inf"]),
        ("retrieve.boosts={contents: 1.0e-300}", ["retrieve.boosts", "contents", "1e-06"]),
        ("retrieve.ranker=bm52", ["retrieve.ranker", "bm25"]),
        ("index.bm25.b=2", ["index.bm25.b"]),
        ("index.fields={}", ["index.fields", "contents"]),
        ("index.fields.bigrams.shingle=5", ["index.fields.bigrams.shingle", "found 5", "4"]),
        ("index.fields.id={source: title, shingle: 1, stemmer: none, stop_words: false}",
         ["index.fields", "'id'"]),
        ("index.fields.title.source=name", ["index.fields.title.source", "section"]),
        ("segment.kinds=[]", ["segment.kinds"]),
        ("segment.kinds=paragraph", ["segment.kinds", "list"]),
        ("segment.unit=words:0", ["segment.unit", "words:0"]),
        ("segment.language=English", ["segment.language"]),
        ("extract.dump=[]", ["extract.dump"]),
        ("extract.partition_megabytes=1.0e+308", ["extract.partition_megabytes", "1000000000"]),
        ("extract.page_template_megabytes=1e308", ["extract.page_template_megabytes"]),
        ("extract.partition_megabytes=.inf", ["extract.partition_megabytes", "inf"]),
        ("sample.articles=3", ["sample.articles", "20"]),
        ("corpora={a.b: {format: jsonl, input: x}}", ["corpora", "a.b"]),
        ("corpora.selqa.format=selqa", ["corpora.selqa.format", "selqa-ass-json"]),
        ("corpora.selqa.input=5", ["corpora.selqa.input", "5"]),
        ("datasets.collection=half", ["datasets.collection", "pooled"]),
        ("report.thresholds=[1.4]", ["report.thresholds", "1.4"]),
        ("report.thresholds=[0.4, 0.401]", ["report.thresholds", "two decimals"]),
        ("report.ks=[0]", ["report.ks"]),
        ("report.ks=[1, true]", ["report.ks.1"]),
        ("robustness.sample_size=0", ["robustness.sample_size"]),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_with_its_key(override: str, words: list[str]) -> None:
    message = error_of(override)
    assert message.startswith(("--set ", f"{PARAMS}: ", f"{PARAMS} with --set "))
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("override", "key", "suggestion"),
    [
        ("match.treshold=0.4", "treshold", "threshold"),
        ("matc.threshold=0.4", "matc", "match"),
        ("index.bm25.k=0.9", "k", "k1"),
        ("retrieve.boots={contents: 1}", "boots", "boosts"),
    ],
)
def test_a_misspelt_key_is_refused_with_a_suggestion(
    override: str, key: str, suggestion: str
) -> None:
    message = error_of(override)
    assert f"unknown key '{key}'" in message
    assert f"did you mean '{suggestion}'?" in message
    assert message.startswith("--set ")


def test_what_was_set_wrongly_is_blamed_on_set_and_the_rest_on_the_file(tmp_path: Path) -> None:
    assert error_of("match.threshold=2").startswith("--set match.threshold: found 2")
    assert error_of("retrieve={}").startswith("--set retrieve.")
    assert error_of("matching={}").startswith("--set matching: unknown key 'matching'")
    path = tmp_path / "params.yaml"
    text = PARAMS.read_text(encoding="utf-8").replace("  depth: 5\n", "  depth: -5\n")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=f"^{path}: match.depth: found -5"):
        load_config(path, ["match.threshold=0.5"])


def test_an_unknown_section_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "params.yaml"
    path.write_text(PARAMS.read_text(encoding="utf-8") + "\nmatching: {}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"unknown key 'matching'; did you mean 'match'\?"):
        load_config(path)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("match", "--set match: expected KEY=VALUE"),
        ("=5", "--set =5: expected KEY=VALUE"),
        ("match.threshold=[", "--set match.threshold, line 1: not valid YAML"),
        (".=1", "unknown key ''"),
        ("match.=1", "match: unknown key ''"),
    ],
)
def test_what_is_no_key_and_value_is_refused(override: str, message: str) -> None:
    assert message in error_of(override)


def test_a_key_below_a_value_is_refused() -> None:
    assert "'threshold' is a value" in error_of("match.threshold.low=0.1")


def test_set_reads_yaml_replaces_mappings_whole_and_the_last_one_wins() -> None:
    config = load_config(
        PARAMS,
        [
            "match.threshold=0.5",
            "match.threshold=1",
            "match.weights=[1, 0, 0]",
            "retrieve.boosts={title: 2}",
            "report.gold=null",
            "corpora.mine={format: jsonl, input: a=b.jsonl}",
            "index.bm25.k1=1e-1",
        ],
    )
    assert config.match.threshold == 1.0
    assert config.match.weights == (1.0, 0.0, 0.0)
    assert config.retrieve.boosts == {"title": 2.0}
    assert config.report.gold is None
    assert config.corpora["mine"].input == "a=b.jsonl"
    assert config.index.bm25.k1 == 0.1


def test_the_configuration_cannot_be_changed_after_it_was_checked() -> None:
    config = load_config(PARAMS)
    with pytest.raises(ValueError, match="frozen"):
        config.match.threshold = 0.5  # type: ignore[misc]


def test_options_replace_values_and_are_checked_as_those_are() -> None:
    config = load_config(PARAMS)
    assert with_values(config, "sample", articles=25, seed=None).sample.articles == 25
    with pytest.raises(ConfigError, match=r"sample\.articles"):
        with_values(config, "sample", articles=1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "line 1: not valid YAML"),
        ("a: 1\nb: 'x\n", "not valid YAML"),
        ("- a", "expected a mapping"),
        ("", "expected a mapping"),
        ("a: !!python/object/apply:os.getcwd []", "not valid YAML"),
    ],
)
def test_a_file_that_is_no_configuration_is_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "params.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        load_config(path)


def test_a_missing_or_unreadable_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such configuration file"):
        load_config(tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"a: caf\xe9\n")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "latin.yaml")


@pytest.mark.parametrize("field", ["candidates", "retrieve"])
def test_boosts_that_name_no_field_of_the_index_are_refused(field: str) -> None:
    config: Config = load_config(PARAMS, [f"{field}.boosts={{content: 1.0}}"])
    with pytest.raises(ConfigError, match=rf"{field}\.boosts: no field 'content'.*contents"):
        check_boosts(getattr(config, field).boosts, config.index, f"{field}.boosts")


# ---------------------------------------------------------------- compute


def test_compute_is_read_beside_the_configuration_and_options_win() -> None:
    path = ROOT / "configs" / "compute.yaml"
    assert load_compute(path).workers is None
    assert load_compute(path, workers=3, quiet=None).processes() == 3
    assert load_compute(path).processes() >= 1


def test_where_the_system_tells_no_affinity_every_core_of_the_machine_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert Compute().processes() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert Compute().processes() == 1


def test_without_a_file_compute_has_defaults_since_it_changes_no_result(tmp_path: Path) -> None:
    assert load_compute(tmp_path / "compute.yaml") == Compute()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("workers: 0", "workers"),
        ("workers: two", "workers"),
        ("workers: 1.5", "workers"),
        ("memory: lots", "memory"),
        ("memory: -1GB", "memory"),
        ("java_heap: 2", "java_heap"),
        ("java_heap: 0g", "java_heap"),
        ("java_heap: -Xmx2g", "java_heap"),
        ("worker: 2", "unknown key 'worker'; did you mean 'workers'?"),
    ],
)
def test_a_wrong_compute_option_is_refused_with_its_key(
    tmp_path: Path, text: str, key: str
) -> None:
    path = tmp_path / "compute.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_compute(path)
    assert key in str(caught.value)


@pytest.mark.parametrize("memory", ["4GiB", "4 GiB", "512MB", "1.5G", "4000000000", "100 kB"])
def test_memory_is_written_as_dask_reads_it(tmp_path: Path, memory: str) -> None:
    from dask.utils import parse_bytes

    path = tmp_path / "compute.yaml"
    path.write_text(f"memory: '{memory}'", encoding="utf-8")
    assert parse_bytes(load_compute(path).memory) > 0


# ---------------------------------------------------------------- corpora


def test_a_corpus_takes_format_and_input_from_its_entry_unless_they_are_given() -> None:
    config = load_config(PARAMS, ["corpora.own={format: jsonl, input: {dev: a, test: b}}"])
    assert corpus_inputs(config, "own", None, []) == (
        "jsonl", [("dev", Path("a")), ("test", Path("b"))]
    )  # fmt: skip
    assert corpus_inputs(config, "own", "wikiqa-tsv", ["dev=x", "y=z/w=v", "./a=b"]) == (
        "wikiqa-tsv", [("dev", Path("x")), ("y", Path("z/w=v")), (None, Path("./a=b"))]
    )  # fmt: skip


def test_a_path_that_is_there_is_no_split_and_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = load_config(PARAMS)
    monkeypatch.chdir(tmp_path)
    for text in ("dev-2_x=y", "dev=z"):
        split, _, path = text.partition("=")
        assert corpus_inputs(config, "own", "jsonl", [text])[1] == [(split, Path(path))]
        (tmp_path / text).touch()
        assert corpus_inputs(config, "own", "jsonl", [text])[1] == [(None, Path(text))]


def test_a_corpus_without_entry_needs_format_and_input() -> None:
    config = load_config(PARAMS)
    assert corpus_inputs(config, "mine", "jsonl", ["x"]) == ("jsonl", [(None, Path("x"))])
    for name, format_name, inputs, words in (
        ("selqas", None, ["x"], "did you mean 'selqa'"),
        ("mine", "jsonl", [], "give --input"),
        ("mine", "json", ["x"], "unknown format 'json'"),
        ("my.own", "jsonl", ["x"], "my.own"),
        ("../own", "jsonl", ["x"], "../own"),
        ("_own", "jsonl", ["x"], "a letter or digit first"),
        ("", "jsonl", ["x"], "''"),
    ):
        with pytest.raises(ConfigError) as caught:
            corpus_inputs(config, name, format_name, inputs)
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &a [x]\nb: [*a, *a]\n", "line 2: not valid YAML (aliases are not read)"),
        (
            "match:\n  depth: 5\n  depth: 6\n",
            "line 3: not valid YAML (the key 'depth' stands twice)",
        ),
        ("match: " + "[" * 5000, "not valid YAML"),
        ("match: 2016-99-99", "not valid YAML"),
    ],
)
def test_yaml_that_could_mislead_or_hang_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "params.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=re.escape(said)):
        load_config(path)


def test_a_kind_of_block_that_there_is_not_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"segment\.kinds"):
        load_config(PARAMS, ["segment.kinds=[paragraph, nonsense]"])
