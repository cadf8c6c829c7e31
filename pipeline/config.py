"""The configuration, checked once into frozen objects: every result-changing value, no defaults.

``configs/params.yaml`` is complete, so that nothing that changes a result hides in code. Each
error names the key, what was found and what was expected.
"""

from __future__ import annotations

import difflib
import math
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
)

from pipeline.errors import ConfigError

Format = Literal[
    "selqa-ass-json",
    "selqa-ass-tsv",
    "selqa-at-json",
    "selqa-at-tsv",
    "wikiqa-tsv",
    "squad-json",
    "jsonl",
]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _no_boolean(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError(f"found {value}; expected a number")
    return value


# YAML has lists and whole numbers where the records have tuples and floats, and reads 1e-1 as text.
Strings = Annotated[tuple[str, ...], Field(strict=False)]
Number = Annotated[float, Field(strict=False, allow_inf_nan=False), BeforeValidator(_no_boolean)]


class Paths(_Section):
    """Where outputs go."""

    root: str
    reports: str


class Sample(_Section):
    """The embedded default."""

    into: Strings
    articles: int = Field(ge=20)
    seed: int = Field(ge=0)


class Extract(_Section):
    """How a dump is read."""

    dump: Strings = Field(min_length=1)
    partition_megabytes: Number = Field(gt=0)
    page_megabytes: Number = Field(gt=0)
    page_seconds: Number = Field(gt=0)


class Segment(_Section):
    """Which blocks become passages, and how sentences are found."""

    kinds: Strings = Field(min_length=1)
    min_characters: int = Field(ge=1)
    unit: str = Field(pattern=r"^(paragraph|words:[1-9][0-9]*)$")
    splitter: Literal["rules", "sentencex", "punkt"]
    language: str = Field(pattern=r"^[a-z]{2,3}$")


# Fields that every index has besides those of index.fields.
_FIXED_FIELDS = ("id", "title_key", "raw")


class IndexField(_Section):
    """What a Lucene field holds and how it is analysed."""

    source: Literal["text", "title", "section"]
    shingle: int = Field(ge=1, le=5)
    stemmer: Literal["porter", "none"]
    stop_words: bool


class BM25(_Section):
    """BM25's parameters, which act when the index is searched."""

    k1: Number = Field(ge=0)
    b: Number = Field(ge=0, le=1)


class Index(_Section):
    """What is built into the index."""

    fields: dict[str, IndexField]
    bm25: BM25
    frequency_orders: int = Field(ge=1, le=3)

    @field_validator("fields")
    @classmethod
    def _contents_is_there(cls, fields: dict[str, IndexField]) -> dict[str, IndexField]:
        if "contents" not in fields:
            raise ValueError("needs a field named 'contents'")
        for name in _FIXED_FIELDS:
            if name in fields:
                raise ValueError(f"'{name}' is a field of every index; expected another name")
        return fields


class Corpus(_Section):
    """A corpus's format, and the file or folder that holds it."""

    format: Format
    input: str | Strings | dict[str, str]


Boosts = dict[str, Number]


def _checked_boosts(boosts: Boosts) -> Boosts:
    if not boosts or not any(weight > 0 for weight in boosts.values()):
        raise ValueError("needs at least one field with a weight above 0")
    for name, weight in boosts.items():
        if weight < 0:
            raise ValueError(f"weight of '{name}' is {weight}; expected a number of 0 or more")
    return boosts


class Candidates(_Section):
    """How answer sentences are searched."""

    depth: int = Field(ge=1, le=1000)
    boosts: Boosts

    _boosts = field_validator("boosts")(_checked_boosts)


class ScoreSection(_Section):
    """What is compared with an answer sentence."""

    max_sentences: int = Field(ge=1, le=5)


class Match(_Section):
    """Scorer, weights and threshold of the silver standard."""

    scorer: Literal["cosine"]
    depth: int = Field(ge=1)
    weights: Annotated[tuple[Number, Number, Number], Field(strict=False)]
    threshold: Number = Field(ge=0, le=1)
    short_sentences: Literal["paper", "renormalize"]

    @field_validator("weights")
    @classmethod
    def _weights_sum_to_one(cls, weights: tuple[float, ...]) -> tuple[float, ...]:
        if any(weight < 0 for weight in weights):
            raise ValueError(f"found {list(weights)}; expected three numbers of 0 or more")
        if not math.isclose(sum(weights), 1.0, abs_tol=1e-9):
            raise ValueError(f"{list(weights)} sum to {sum(weights):g}; expected a sum of 1")
        return weights


class Retrieve(_Section):
    """How questions are searched."""

    ranker: Literal["fielded", "bm25"]
    depth: int = Field(ge=1, le=10000)
    boosts: Boosts

    _boosts = field_validator("boosts")(_checked_boosts)


class Datasets(_Section):
    """What a dataset holds."""

    collection: Literal["full", "pooled"]


class Report(_Section):
    """What the report shows."""

    thresholds: Annotated[tuple[Number, ...], Field(strict=False, min_length=1)]
    ks: Annotated[tuple[int, ...], Field(strict=False, min_length=1)]
    gold: str | None
    reference: bool

    @field_validator("thresholds")
    @classmethod
    def _thresholds_in_range(cls, thresholds: tuple[float, ...]) -> tuple[float, ...]:
        for threshold in thresholds:
            if not 0 <= threshold <= 1:
                raise ValueError(f"{threshold} is no threshold; expected numbers from 0 to 1")
        if len({round(threshold * 100) for threshold in thresholds}) < len(thresholds):
            raise ValueError(f"{list(thresholds)} are not all different when cut to two decimals")
        return thresholds

    @field_validator("ks")
    @classmethod
    def _ks_positive(cls, ks: tuple[int, ...]) -> tuple[int, ...]:
        if any(k < 1 for k in ks):
            raise ValueError(f"found {list(ks)}; expected whole numbers of 1 or more")
        return ks


class Robustness(_Section):
    """The sample that is judged."""

    sample_size: int = Field(ge=1)
    seed: int


class Config(_Section):
    """Everything that decides the result of a run, one section a stage."""

    paths: Paths
    sample: Sample
    extract: Extract
    segment: Segment
    index: Index
    corpora: dict[str, Corpus]
    candidates: Candidates
    score: ScoreSection
    match: Match
    retrieve: Retrieve
    datasets: Datasets
    report: Report
    robustness: Robustness

    @field_validator("corpora")
    @classmethod
    def _names_are_plain(cls, corpora: dict[str, Corpus]) -> dict[str, Corpus]:
        for name in corpora:
            check_corpus_name(name)
        return corpora

    def corpus(self, name: str) -> Corpus | None:
        """The corpus of that name, or None when the configuration has no such entry."""
        return self.corpora.get(name)


class Compute(_Section):
    """How the work is done: it changes no result."""

    workers: int | None = Field(default=None, ge=1)
    memory: str | None = Field(default=None, pattern=r"^[0-9]+(\.[0-9]+)? ?([kKMGT]i?)?B?$")
    scheduler: str | None = None
    java_heap: str = Field(default="2g", pattern=r"^[1-9][0-9]*[kmgKMG]$")
    quiet: bool = False

    def processes(self) -> int:
        """Worker processes to use: the configured number, or one a core of this process."""
        return self.workers or len(os.sched_getaffinity(0))


def check_corpus_name(name: str) -> str:
    """A corpus name becomes part of ids, file names and metric keys: no dots, no white space."""
    plain = all(letter.isalnum() or letter in "-_" for letter in name)
    if not plain or not name[:1].isalnum():
        raise ValueError(
            f"'{name}' is no corpus name; expected letters, digits, '-' and '_', "
            "a letter or digit first"
        )
    return name


def load_config(path: Path, overrides: Iterable[str] = ()) -> Config:
    """Read and check a configuration file, with ``KEY=VALUE`` overrides applied in order."""
    tree = _read_mapping(path)
    for override in overrides:
        _apply_override(tree, override)
    try:
        return Config.model_validate(tree)
    except ValidationError as error:
        raise ConfigError(f"{path}: {_first_problem(error, Config)}") from None


def load_compute(path: Path, **options: Any) -> Compute:
    """Read ``compute.yaml``; options of the command line that are not None win.

    The file may be missing: what it says changes no result.
    """
    tree = _read_mapping(path) if path.exists() else {}
    tree |= {key: value for key, value in options.items() if value is not None}
    try:
        return Compute.model_validate(tree)
    except ValidationError as error:
        raise ConfigError(f"{path}: {_first_problem(error, Compute)}") from None


def with_values(config: Config, section: str, **values: Any) -> Config:
    """The configuration with some values of one section replaced; None leaves a value as it is."""
    given = {key: value for key, value in values.items() if value is not None}
    tree = config.model_dump()
    tree[section] |= given
    try:
        return Config.model_validate(tree)
    except ValidationError as error:
        raise ConfigError(_first_problem(error, Config)) from None


def corpus_inputs(
    config: Config, name: str, format_name: str | None, inputs: list[str]
) -> tuple[str, list[tuple[str | None, Path]]]:
    """Format and (split, path) inputs of a corpus: what is given wins over its entry."""
    try:
        check_corpus_name(name)
    except ValueError as error:
        raise ConfigError(f"--corpus: {error}") from None
    entry = config.corpora.get(name)
    if format_name is None:
        if entry is None:
            close = difflib.get_close_matches(name, config.corpora, n=1)
            hint = f"did you mean '{close[0]}'? Otherwise give" if close else "give"
            raise ConfigError(f"corpora: no corpus '{name}'; {hint} --format and --input")
        format_name = entry.format
    elif format_name not in get_args(Format):
        known = ", ".join(get_args(Format))
        raise ConfigError(f"--format: unknown format '{format_name}'; expected one of {known}")
    if inputs:
        return format_name, [_split_of_input(text) for text in inputs]
    if entry is None:
        raise ConfigError(f"corpora: no corpus '{name}'; give --input")
    if isinstance(entry.input, str):
        return format_name, [(None, Path(entry.input))]
    if isinstance(entry.input, dict):
        return format_name, [(split, Path(path)) for split, path in entry.input.items()]
    return format_name, [(None, Path(path)) for path in entry.input]


def _split_of_input(text: str) -> tuple[str | None, Path]:
    split, separator, path = text.partition("=")
    if separator and split.isalnum():
        return split, Path(path)
    return None, Path(text)


def _read_mapping(path: Path) -> dict[str, Any]:
    try:
        tree = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such configuration file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise ConfigError(f"{path}{line}: not valid YAML") from None
    if not isinstance(tree, dict):
        raise ConfigError(f"{path}: expected a mapping of sections")
    return tree


def _apply_override(tree: dict[str, Any], override: str) -> None:
    key, separator, text = override.partition("=")
    if not separator or not key:
        raise ConfigError(f"--set {override}: expected KEY=VALUE")
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        raise ConfigError(f"--set {override}: the value is not valid YAML") from None
    *parents, last = key.split(".")
    node: Any = tree
    for part in parents:
        if part not in node:
            raise ConfigError(f"--set {key}: {_unknown_key(part, node)}")
        if not isinstance(node[part], dict):
            raise ConfigError(f"--set {key}: '{part}' is a value and holds no keys")
        node = node[part]
    node[last] = value


def _unknown_key(key: str, siblings: object) -> str:
    known = [str(name) for name in siblings] if isinstance(siblings, Mapping) else []
    close = difflib.get_close_matches(key, known, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return f"unknown key '{key}'{hint}"


# How pydantic names what YAML and our users call otherwise.
_YAML_WORDS = {r"dictionary( or instance of \w+)?": "mapping", "tuple": "list"}
_UNION_MEMBERS = ("str", "tuple[str, ...]", "dict[str,str]")


def _first_problem(error: ValidationError, model: type[BaseModel]) -> str:
    """One sentence for the first problem; a misspelt key before the key that it leaves missing."""
    problems = sorted(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
    problem = problems[0]
    location = [str(part) for part in problem["loc"] if part not in _UNION_MEMBERS]
    key = ".".join(location)
    match problem["type"]:
        case "extra_forbidden":
            parent = ".".join(location[:-1])
            where = f"{parent}: " if parent else ""
            return where + _unknown_key(location[-1], _fields_at(model, location[:-1]))
        case "missing":
            return f"{key}: missing"
        case "value_error":
            return f"{key}: {problem['ctx']['error']}"
        case _:
            message = problem["msg"][0].lower() + problem["msg"][1:]
            for theirs, ours in _YAML_WORDS.items():
                message = re.sub(theirs, ours, message)
            return f"{key}: found {problem['input']!r}; {message}"


def _fields_at(model: type[BaseModel], location: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = dict(model.model_fields)
    for part in location:
        annotation = getattr(fields.get(part), "annotation", None)
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            return {}
        fields = dict(annotation.model_fields)
    return fields
