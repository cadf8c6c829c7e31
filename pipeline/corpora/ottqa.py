"""OTT-QA: questions over tables and the passages that their cells link to.

The traced files say in which nodes the answer was found: cells, and passages that cells link to.
The answer sentence of a question is the sentence of the first traced passage that holds its answer;
one whose answer was found in cells alone, or was not traced, has none. The passages are not in the
questions' file: they are looked for beside it, in a folder ``request_tok`` or
``traindev_request_tok`` with one JSON file a table, as OTT-QA publishes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.corpora.characters import repair_text
from pipeline.corpora.links import title_of_link
from pipeline.corpora.reading import read_json
from pipeline.corpora.rows import (
    BadRowError,
    Rejected,
    excerpt,
    make_id,
    make_question,
    text_of,
)
from pipeline.errors import InputError
from pipeline.records import Question

TABLE_ID = "table_id"
ANSWER_IN = "answer_in"
NODES = "answer_nodes"

_FOLDERS = ("request_tok", "traindev_request_tok")
_NUMBER = re.compile(r"_\d+$")

Span = tuple[int, int]
Splitter = Callable[[str], list[Span]]


@dataclass(frozen=True, slots=True)
class Node:
    """A place where an answer was found: a cell, or with a link the passage that it leads to."""

    row: int
    column: int
    link: str | None


def read(path: Path, corpus: str, split: str, splitter: Splitter) -> Iterator[Question | Rejected]:
    """Every question of an OTT-QA file in its order.

    A question whose traced passage is not beside the file, or does not hold the answer, is kept
    without an answer sentence, and what it lacks is told as a rejected part.
    """
    folder = _passages_folder(path)
    for number, row in enumerate(_rows(path), start=1):
        where = f"{path.name}, question {number}"
        try:
            question, lacking = _question_of(row, folder, corpus, split, splitter)
        except BadRowError as problem:
            yield Rejected(reason=str(problem), where=where, what=excerpt(row))
            continue
        if lacking:
            what = excerpt(question.attributes[TABLE_ID])
            yield Rejected(reason=lacking, where=where, what=what, unit="part")
        yield question


def read_contexts(path: Path) -> Iterator[str]:
    """The passages beside the file: what a sentence splitter may be trained on."""
    for passages in passage_files(path):
        yield from _passages_of(passages).values()


def passage_files(path: Path) -> list[Path]:
    """The files beside the questions that hold the passages of their tables."""
    folder = _passages_folder(path)
    if folder is None:
        return []
    tables = {str(row.get(TABLE_ID)) for row in _rows(path) if isinstance(row, Mapping)}
    named = (folder / f"{table}.json" for table in sorted(tables) if _is_plain(table))
    return [file for file in named if file.exists()]


def nodes_of(question: Question) -> list[Node]:
    """The traced nodes of a question that was read from OTT-QA; none where it was not traced."""
    return [Node(*node) for node in json.loads(question.attributes.get(NODES, "[]"))]


def _rows(path: Path) -> list[Any]:
    rows = read_json(path)
    if not isinstance(rows, list):
        raise InputError(f"{path}: no JSON list of questions; expected OTT-QA's JSON")
    return rows


def _passages_folder(path: Path) -> Path | None:
    return next((path.parent / name for name in _FOLDERS if (path.parent / name).is_dir()), None)


def _is_plain(table: object) -> bool:
    return isinstance(table, str) and table != "" and "/" not in table and "\0" not in table


def _question_of(
    row: Any, folder: Path | None, corpus: str, split: str, splitter: Splitter
) -> tuple[Question, str | None]:
    """The question, and why it has no answer sentence although a passage was traced."""
    if not isinstance(row, Mapping):
        raise BadRowError("not an object")
    if "pred" in row:
        raise BadRowError("a prediction and no question")
    table = text_of(row, TABLE_ID)
    if not _is_plain(table):
        raise BadRowError("'table_id' is no name of a file")
    answer = text_of(row, "answer-text") if "answer-text" in row else ""
    nodes = _nodes(row)
    links = list(dict.fromkeys(node.link for node in nodes if node.link is not None))
    sentence, link, lacking = None, None, None
    if links and answer.strip():
        found = _first_sentence(answer, links, folder, table, splitter)
        lacking = found if isinstance(found, str) else None
        if not isinstance(found, str):
            link, sentence = found
    title = title_of_link(link or links[0]) if links else _NUMBER.sub("", table).replace("_", " ")
    question = make_question(
        question_id=make_id(corpus, row.get("question_id")),
        corpus=corpus,
        split=split,
        question=text_of(row, "question"),
        title=title,
        answer_sentences=[sentence] if sentence else [],
        answers=[answer],
        attributes={
            TABLE_ID: table,
            ANSWER_IN: _answer_in(nodes),
            NODES: json.dumps([[node.row, node.column, node.link] for node in nodes])
            if nodes
            else "",
        },
    )
    return question, lacking


def _nodes(row: Mapping[str, Any]) -> list[Node]:
    given = row.get("answer-node")
    if given is None:
        return []
    if not isinstance(given, list):
        raise BadRowError("'answer-node' is no list of nodes")
    return [_node(item) for item in given]


def _node(item: Any) -> Node:
    """``[cell text, [row, column], link or null, "passage" or "table"]``."""
    match item:
        case [str(), [int(row), int(column)], str(link), "passage", *_]:
            return Node(row, column, link)
        case [str(), [int(row), int(column)], None | str(), "table", *_]:
            return Node(row, column, None)
    raise BadRowError("'answer-node' holds what is no node")


def _answer_in(nodes: Sequence[Node]) -> str:
    kinds = sorted({"table" if node.link is None else "passage" for node in nodes})
    return "both" if len(kinds) > 1 else "".join(kinds)


def _first_sentence(
    answer: str, links: Sequence[str], folder: Path | None, table: str, splitter: Splitter
) -> tuple[str, str] | str:
    """Link and sentence of the first traced passage that holds the answer, or the reason."""
    if folder is None or not (folder / f"{table}.json").exists():
        return "passages of the table are not beside the questions"
    passages = _passages_of(folder / f"{table}.json")
    given = [link for link in links if link in passages]
    answer = repair_text(answer)[0].strip()
    for link in given:
        text, _ = repair_text(passages[link])
        for start, end in _places(answer, text):
            touched = [span for span in splitter(text) if span[0] < end and span[1] > start]
            if touched:
                return link, text[touched[0][0] : touched[-1][1]]
    return "answer is in no traced passage" if given else "traced passage is not given"


def _places(answer: str, text: str) -> Iterator[Span]:
    """The first place of an answer: as whole words, then of any case, then within words."""
    within = re.escape(answer)
    whole = rf"(?<!\w){within}(?!\w)"
    for pattern, flags in ((whole, 0), (whole, re.IGNORECASE), (within, re.IGNORECASE)):
        found = re.search(pattern, text, flags)
        if found:
            yield found.span()


def _passages_of(path: Path) -> dict[str, str]:
    value = read_json(path, "passages by link")
    if not isinstance(value, dict):
        raise InputError(f"{path}: no JSON object; expected passages by link")
    return {link: text for link, text in value.items() if isinstance(text, str)}
