"""What a configuration holds: one frozen section a stage, each value checked; no defaults."""

from __future__ import annotations

import math
from typing import Annotated, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

BlockKind = Literal["paragraph", "list", "quote", "caption", "table"]
Format = Literal[
    "selqa-ass-json",
    "selqa-ass-tsv",
    "selqa-at-json",
    "selqa-at-tsv",
    "wikiqa-tsv",
    "squad-json",
    "ottqa-json",
    "jsonl",
]


class Section(BaseModel):
    """Values that cannot be changed, and no key that is not declared."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _no_boolean(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError(f"found {value}; expected a number")
    return value


# YAML has lists and whole numbers where the records have tuples and floats, and reads 1e-1 as text.
Strings = Annotated[tuple[str, ...], Field(strict=False)]
Number = Annotated[float, Field(strict=False, allow_inf_nan=False), BeforeValidator(_no_boolean)]


_MOST_MEGABYTES = 1e9


class Paths(Section):
    """Where outputs go."""

    root: str
    reports: str


class Sample(Section):
    """The embedded default."""

    into: Strings
    articles: int = Field(ge=20)
    seed: int = Field(ge=0)


class Extract(Section):
    """How a dump is read."""

    dump: Strings = Field(min_length=1)
    partition_megabytes: Number = Field(gt=0, le=_MOST_MEGABYTES)
    page_megabytes: Number = Field(gt=0, le=_MOST_MEGABYTES)
    page_template_megabytes: Number = Field(gt=0, le=_MOST_MEGABYTES)

    @property
    def max_characters(self) -> int:
        """How many characters a page may have: a megabyte is a million of them."""
        return int(self.page_megabytes * 1_000_000)

    @property
    def max_template_characters(self) -> int:
        """How many characters the templates of a page may have: a megabyte is a million of them."""
        return int(self.page_template_megabytes * 1_000_000)


class Segment(Section):
    """Which blocks become passages, and how sentences are found."""

    kinds: Annotated[tuple[BlockKind, ...], Field(strict=False, min_length=1)]
    min_characters: int = Field(ge=1)
    unit: str = Field(pattern=r"^(paragraph|words:[1-9][0-9]*)$")
    splitter: Literal["rules", "sentencex", "punkt"]
    language: str = Field(pattern=r"^[a-z]{2,3}$")


# Fields that every index has besides those of index.fields.
_FIXED_FIELDS = ("id", "title_key", "raw")


class IndexField(Section):
    """What a Lucene field holds and how it is analysed."""

    source: Literal["text", "title", "section"]
    shingle: int = Field(ge=1, le=4)  # Lucene's fixedShingle takes no more
    stemmer: Literal["porter", "none"]
    stop_words: bool


class BM25(Section):
    """BM25's parameters, which act when the index is searched."""

    k1: Number = Field(ge=0, le=1000)
    b: Number = Field(ge=0, le=1)


class Index(Section):
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


class Corpus(Section):
    """A corpus's format, and the file or folder that holds it."""

    format: Format
    input: str | Strings | dict[str, str]


Boosts = dict[str, Number]


_LEAST_BOOST = 1e-6  # Lucene adds in 32 bits, in which less is lost


def _checked_boosts(boosts: Boosts) -> Boosts:
    if not boosts or not any(weight > 0 for weight in boosts.values()):
        raise ValueError("needs at least one field with a weight above 0")
    for name, weight in boosts.items():
        if weight != 0 and not _LEAST_BOOST <= weight <= 1000:
            raise ValueError(
                f"weight of '{name}' is {weight}; expected 0 or a number from {_LEAST_BOOST:g} "
                "to 1000"
            )
    return boosts


class Candidates(Section):
    """How answer sentences are searched."""

    depth: int = Field(ge=5, le=1000)  # the reference's rows need the first 5
    boosts: Boosts

    _boosts = field_validator("boosts")(_checked_boosts)


class ScoreSection(Section):
    """What is compared with an answer sentence."""

    max_sentences: int = Field(ge=1, le=5)


class Match(Section):
    """Scorer, weights and threshold of the silver standard."""

    scorer: Literal["cosine", "idf", "learned"]
    model: str = Field(min_length=1)
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


class Retrieve(Section):
    """How questions are searched."""

    ranker: Literal["fielded", "bm25"]
    depth: int = Field(ge=1, le=10000)
    boosts: Boosts
    stop_words: Strings

    _boosts = field_validator("boosts")(_checked_boosts)

    @field_validator("stop_words")
    @classmethod
    def _lower_case_words(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        for word in words:
            if word != word.lower() or word.split() != [word]:
                raise ValueError(f"'{word}' is not one word in lower case")
        return words


class Datasets(Section):
    """What a dataset holds."""

    collection: Literal["full", "pooled"]


class Report(Section):
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


class Robustness(Section):
    """The sample that is judged."""

    sample_size: int = Field(ge=1)
    seed: int


class Config(Section):
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

    @model_validator(mode="after")
    def _no_depth_ends_before_another_needs_it(self) -> Self:
        """A depth that is too small would not fail but quietly give lower figures."""
        for wider, narrower in (
            (("candidates.depth", self.candidates.depth), ("match.depth", self.match.depth)),
            (("retrieve.depth", self.retrieve.depth), ("report.ks", max(self.report.ks))),
        ):
            if wider[1] < narrower[1]:
                raise ValueError(
                    f"{wider[0]} is {wider[1]}, but {narrower[0]} asks for {narrower[1]}; "
                    f"expected {wider[0]} to be {narrower[1]} or more"
                )
        return self


def check_corpus_name(name: str) -> str:
    """A corpus name becomes part of ids, file names and metric keys: no dots, no white space."""
    plain = all(letter.isalnum() or letter in "-_" for letter in name)
    if not plain or not name[:1].isalnum():
        raise ValueError(
            f"'{name}' is no corpus name; expected letters, digits, '-' and '_', "
            "a letter or digit first"
        )
    return name
