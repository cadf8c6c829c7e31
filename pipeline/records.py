"""The records that pass between the stages, and the Arrow schema of each.

Every Parquet file of the project holds rows of exactly one of these records. A change here is
a change of the contract between stages: it bumps ``SCHEMA_VERSION``.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION = 4

Int8 = Annotated[int, "int8"]
Int32 = Annotated[int, "int32"]
Int64 = Annotated[int, "int64"]
Float32 = Annotated[float, "float32"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block of a page in reading order; ``section`` is its heading path, "" for the lead."""

    kind: str
    section: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One page of the main namespace that is no redirect, with everything a reader sees."""

    page_id: Int64
    revision_id: Int64
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """A title that stands for another: ``page_id`` is the redirect page's own."""

    title: str
    target: str
    page_id: Int64


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One paragraph of one article: the unit that is indexed, matched and judged.

    ``passage_id`` is ``"<page_id>-<n>"``, n the position among the page's blocks before any
    filter. Sentence spans are character offsets into ``text``, ends exclusive, ordered, disjoint.
    """

    passage_id: str
    page_id: Int64
    revision_id: Int64
    title: str
    section: str
    text: str
    text_sha1: str
    sentence_starts: tuple[Int32, ...]
    sentence_ends: tuple[Int32, ...]

    def sentences(self) -> list[str]:
        """The passage's sentences, in order, as they stand in ``text``."""
        spans = zip(self.sentence_starts, self.sentence_ends, strict=True)
        return [self.text[start:end] for start, end in spans]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question of a corpus with its answer sentences as the corpus quotes them.

    ``title`` is the article that the corpus names, if any; ``answers`` are short answer strings;
    ``candidates`` and ``labels`` are the corpus's own sentence selection task, of equal length.
    """

    question_id: str
    corpus: str
    split: str
    question: str
    title: str | None = None
    answer_sentences: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    labels: tuple[Int8, ...] = ()
    attributes: dict[str, str] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One passage that the index returned for one answer sentence; rank 1 is the best."""

    question_id: str
    answer_index: Int32
    rank: Int32
    passage_id: str
    retrieval_score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One answer sentence against one window of adjacent sentences of one candidate.

    An answer sentence without candidates has one row whose passage columns are null.
    ``title_match``: the candidate's article is the one the corpus names, through redirects.
    ``article_present``: that article is in the collection. Both null where none is named. The
    columns after it are the features of the scorers (``pipeline/matching/features.py``).
    """

    question_id: str
    answer_index: Int32
    passage_id: str | None
    rank: Int32 | None
    retrieval_score: float | None
    sentence_index: Int32 | None
    sentence_count: Int32 | None
    cosine_1: float | None
    cosine_2: float | None
    cosine_3: float | None
    answer_tokens: Int32
    sentence_tokens: Int32 | None
    title_match: bool | None
    article_present: bool | None
    idf_cosine_1: Float32 | None
    idf_cosine_2: Float32 | None
    idf_cosine_3: Float32 | None
    answer_in_passage: Float32 | None
    stems_in_passage: Float32 | None
    stems_in_context: Float32 | None
    least_share: Float32 | None
    shared_mass: Float32 | None
    answer_mass: Float32 | None
    extra_mass: Float32 | None
    numbers_missing: Float32 | None
    numbers_extra: Float32 | None
    length_ratio: Float32 | None
    topic_in_passage: Float32 | None
    title_in_opening: Float32 | None
    opens_with_pronoun: Float32 | None
    short_answer: Float32 | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Silver:
    """One answer sentence and one candidate passage within depth, with the passage's best window.

    ``similarity`` is the active scorer's; ``cosine_similarity`` is the reference's t whatever the
    scorer. ``loss`` says why the question is not mapped, and is null where it is.
    """

    question_id: str
    answer_index: Int32
    passage_id: str | None
    sentence_index: Int32 | None
    sentence_count: Int32 | None
    similarity: float | None
    cosine_similarity: float | None
    rank: Int32 | None
    matched: bool
    loss: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFrequency:
    """In how many passages of the collection an n-gram of our tokens occurs."""

    ngram: str
    order: Int8
    passages: Int64


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockContents:
    """What an evidence block is made of: a row of a table, and passages by their ids.

    Stands beside the block, which is a passage of the same id. A block that is a linked passage
    alone has neither table nor row.
    """

    passage_id: str
    table_id: str | None
    row: Int32 | None
    links: tuple[str, ...]


def is_passage_id(name: str) -> bool:
    """Whether a name may stand in TREC files, whose columns white space parts."""
    return name.split() == [name]


_SPLIT_NAME = re.compile(r"[\w-]+")


def is_split_name(name: str) -> bool:
    """Whether a split may be part of ids, file names and metric keys: letters, digits, - and _."""
    return _SPLIT_NAME.fullmatch(name) is not None


def arrow_schema(record: type) -> pa.Schema:
    """The Arrow schema of a record, field by field in the order of its declaration."""
    import pyarrow as pa

    hints = typing.get_type_hints(record, include_extras=True)
    return pa.schema(
        [_arrow_field(field.name, hints[field.name]) for field in dataclasses.fields(record)]
    )


def _arrow_field(name: str, hint: Any) -> pa.Field:
    import pyarrow as pa

    nullable = False
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        nullable = True
        (hint,) = (option for option in typing.get_args(hint) if option is not type(None))
    return pa.field(name, _arrow_type(hint), nullable=nullable)


def _arrow_type(hint: Any) -> pa.DataType:
    import pyarrow as pa

    origin = typing.get_origin(hint)
    if origin is Annotated:
        return pa.type_for_alias(typing.get_args(hint)[1])
    if origin is tuple:
        return pa.list_(_arrow_field("element", typing.get_args(hint)[0]))
    if origin is dict:
        key, value = typing.get_args(hint)
        return pa.map_(_arrow_type(key), _arrow_type(value))
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return pa.struct(list(arrow_schema(hint)))
    simple = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    return simple[hint]
