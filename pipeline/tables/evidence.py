"""Measures of retrieved blocks: is an answer in them, how early, and within how many tokens?

- *AnswerRecall@k*: a block among the first ``k`` holds an answer string.
- *HITS@4K*: a block that holds one lies whole within the first 4,096 subword tokens of the blocks
  in their order (Chen, Chang, Schlinger, Wang and Cohen, ICLR 2021).
- *table recall*: a block among the first ``k`` is a row of the question's own table.
- *node recall*: a block among the first ``k`` holds a node to which the answer was traced: the row
  of a traced cell, or a traced passage, joined to whatever row; *node HITS* likewise.

The denominator is every question with short answers whose own table is among the blocks, for the
nodes those of them with a traced answer; a question that the run lacks is a miss.

An answer string may stand in a block that has nothing to do with the question: answer recall is an
upper bound, node recall is free of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pipeline.corpora.ottqa import ANSWER_IN, TABLE_ID, nodes_of
from pipeline.evaluation.answer_strings import answer_tokens, joined
from pipeline.evaluation.figures import Measure, Units, figures, group_numbers
from pipeline.evaluation.precision import Interval
from pipeline.matching.scoring import Floats, Ints
from pipeline.records import BlockContents, Passage, Question
from pipeline.tables.blocks import block_id, id_of

Seen = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for in the blocks of one question."""

    answers: tuple[str, ...]
    table_id: str
    rows: frozenset[str]
    links: frozenset[str]

    def in_contents(self, contents: BlockContents) -> bool:
        """Whether a block holds a node of the answer."""
        return contents.passage_id in self.rows or not self.links.isdisjoint(contents.links)


def wanted_of(question: Question) -> Wanted:
    """The answers of a question in the form that texts are searched in, and its traced nodes."""
    table = question.attributes.get(TABLE_ID, "")
    nodes = nodes_of(question)
    return Wanted(
        answers=tuple(joined(answer) for answer in question.answers if answer_tokens(answer)),
        table_id=table,
        rows=frozenset(block_id(table, node.row) for node in nodes if node.link is None),
        links=frozenset(id_of(node.link) for node in nodes if node.link is not None),
    )


@dataclass(slots=True)
class Evidence:
    """What was seen of the ranked blocks of some questions, filled block by block.

    The arrays have the shape (questions, depth): whether the block of that rank holds an answer, is
    of the question's table, holds a node, and how many tokens it has (-1: not in the collection).
    """

    wanted: Sequence[Wanted]
    rankings: Sequence[Sequence[str]]
    answer: Seen = field(init=False)
    table: Seen = field(init=False)
    node: Seen = field(init=False)
    tokens: Ints = field(init=False)
    _places: dict[str, list[tuple[int, int]]] = field(init=False)

    def __post_init__(self) -> None:
        depth = max(map(len, self.rankings), default=0)
        self.answer, self.table, self.node = (
            np.zeros((len(self.wanted), depth), dtype=bool) for _ in range(3)
        )
        self.tokens = np.full((len(self.wanted), depth), -1, dtype=np.int64)
        self._places = {}
        for row, ranking in enumerate(self.rankings):
            for column, name in enumerate(ranking):
                self._places.setdefault(name, []).append((row, column))

    def names(self) -> frozenset[str]:
        """The blocks that are wanted."""
        return frozenset(self._places)

    def see(self, block: Passage, contents: BlockContents, count: Callable[[str], int]) -> None:
        """Take notice of one block of the collection."""
        places = self._places.get(block.passage_id)
        if not places:
            return
        text, tokens = joined(block.text), count(block.text)
        for row, column in places:
            wanted = self.wanted[row]
            self.answer[row, column] = any(answer in text for answer in wanted.answers)
            self.table[row, column] = contents.table_id == wanted.table_id
            self.node[row, column] = wanted.in_contents(contents)
            self.tokens[row, column] = tokens

    def unknown(self) -> list[str]:
        """Ranked blocks that the collection does not have."""
        return [
            name
            for name, ((row, column), *_) in self._places.items()
            if self.tokens[row, column] < 0
        ]


def evidence_units(
    evidence: Evidence, questions: Sequence[Question], ks: Sequence[int], budget: int
) -> Units:
    """A unit a question, grouped by table, with its amounts for ``evidence_measures``."""
    hits = hits_name(budget)
    amounts: dict[str, Floats] = {"one": np.ones(len(questions))}
    amounts["traced"] = np.array([bool(w.rows or w.links) for w in evidence.wanted], dtype=float)
    for name, seen in (
        ("answer_recall", evidence.answer),
        ("table_recall", evidence.table),
        ("node_recall", evidence.node),
    ):
        for k in ks:
            amounts[f"{name}_{k}"] = seen[:, :k].any(axis=1).astype(np.float64)
    within = np.cumsum(np.maximum(evidence.tokens, 0), axis=1) <= budget
    for name, seen in ((hits, evidence.answer), (f"node_{hits}", evidence.node)):
        amounts[name] = (seen & within).any(axis=1).astype(np.float64)
    amounts["blocks_in_budget"] = within.sum(axis=1).astype(np.float64)
    # Short rankings have empty places at their end, which are no blocks.
    lengths = np.array([len(ranking) for ranking in evidence.rankings], dtype=np.float64)
    amounts["blocks_in_budget"] = np.minimum(amounts["blocks_in_budget"], lengths)
    return Units(
        ids=tuple(question.question_id for question in questions),
        amounts=amounts,
        groups=group_numbers([q.attributes.get(TABLE_ID) or q.question_id for q in questions]),
        slices={ANSWER_IN: [_known(q.attributes.get(ANSWER_IN)) for q in questions]},
    )


def evidence_measures(ks: Sequence[int], budget: int, *, traced: bool) -> list[Measure]:
    """The measures of this module; node recall only where answers were traced."""
    asked = "questions with short answers whose table is among the blocks"

    def share(name: str, whole: str = "one") -> Measure:
        counts = asked if whole == "one" else "those with a traced answer among the " + asked
        return Measure(name=name, part=name, whole=whole, denominator=counts,
                       binary=name != "blocks_in_budget")  # fmt: skip

    hits = hits_name(budget)
    nodes = [*(f"node_recall_{k}" for k in ks), f"node_{hits}"]
    return [
        *(share(f"answer_recall_{k}") for k in ks),
        share(hits),
        *(share(f"table_recall_{k}") for k in ks),
        *(share(name, "traced") for name in nodes if traced),
        share("blocks_in_budget"),
    ]


def hits_name(budget: int) -> str:
    """``hits_4k`` for a budget of 4,096 tokens, ``hits_1000`` for one of 1,000."""
    thousands, rest = divmod(budget, 1024)
    return f"hits_{budget}" if rest or not thousands else f"hits_{thousands}k"


def _known(value: str | None) -> tuple[str, ...]:
    return (value,) if value else ()


def chosen(questions: Iterable[Question], tables: frozenset[str]) -> list[Question]:
    """Questions with short answers whose own table is in the collection."""
    return [
        question
        for question in questions
        if question.answers and question.attributes.get(TABLE_ID) in tables
    ]


def share_in_groups(ids: Sequence[str], found: Sequence[bool], groups: Sequence[str]) -> Interval:
    """A share of questions with its interval over groups."""
    units = Units(
        ids=tuple(ids),
        amounts={"one": np.ones(len(ids)), "found": np.array(found, dtype=np.float64)},
        groups=group_numbers(groups),
    )
    share = Measure(name="share", part="found", whole="one", denominator="questions", binary=True)
    return figures(units, [share])["share"]
