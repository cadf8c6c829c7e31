"""The page on which a sample is judged in a browser: one file, nothing loaded from elsewhere.

The pairs are data in a JSON element and reach the page as text nodes only. The policy in the page's
head names the hashes of its one script and one style sheet: nothing else runs, loads or is sent.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.resources
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.evaluation.judgments import COLUMNS, JUDGE_KINDS
from pipeline.matching.ngrams import ngrams
from pipeline.matching.tokens import tokenize

GUIDELINE = (
    "1, right: the passage tells the same fact that answers the question, so that somebody who "
    "was given this passage alone would answer as the answer sentence does.",
    "0, wrong: it does not. It is about somebody or something else, tells another fact, or only "
    "touches the topic. Alike wording alone does not make it right.",
    "?, undecided: you cannot tell from what is shown.",
    "A few pairs that are known to be wrong are mixed in, to see whether the judge reads; they are "
    "counted when the judgments are imported, and left out of every figure.",
)
_WORD = re.compile(r"\S+")
# What could end the element, or a line of it, early.
_ESCAPED = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeItem:
    """One pair to judge. ``span``: where in the passage the matching sentence is, in characters.

    The other fields are columns of the judgments; similarity and rank are not here on purpose.
    """

    pair_id: str
    question_id: str
    question: str
    title: str
    answer_sentence: str
    passage_title: str
    passage: str
    weight: float
    threshold: float
    role: str
    span: tuple[int, int]

    def row(self) -> dict[str, object]:
        """The row of the judgments that is still to be filled in."""
        return {name: getattr(self, name, "") for name in COLUMNS}


def render_judging_page(corpus: str, items: Sequence[JudgeItem]) -> str:
    """The whole page; the same items give the same bytes."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("pipeline.reporting", "html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    folder = importlib.resources.files("pipeline.reporting") / "html"
    style = (folder / "judge.css").read_text(encoding="utf-8")
    script = (folder / "judge.js").read_text(encoding="utf-8")
    return environment.get_template("judge.html.j2").render(
        corpus=corpus,
        count=len(items),
        guideline=GUIDELINE,
        kinds=JUDGE_KINDS,
        policy=(
            f"default-src 'none'; script-src '{_source_hash(script)}'; "
            f"style-src '{_source_hash(style)}'; base-uri 'none'; form-action 'none'"
        ),
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        data=Markup(json_element(_page_data(corpus, items))),  # noqa: S704
    )


def json_element(value: object) -> str:
    """JSON that can stand in a script element whatever its texts hold."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True).translate(_ESCAPED)


def common_marks(one: str, other: str) -> tuple[list[list[int]], list[list[int]]]:
    """The words of two texts that lie in n-grams of both.

    For each text [start, end, n]: character offsets of a run of words, and the longest n up to 3 of
    a common n-gram that they lie in.
    """
    ours, theirs = list(_words(one)), list(_words(other))
    return _marks(ours, theirs), _marks(theirs, ours)


def _page_data(corpus: str, items: Sequence[JudgeItem]) -> dict[str, object]:
    """What the script needs; ``key`` names the browser's store of this very content."""
    pairs = []
    for item in items:
        start, end = item.span
        answer_marks, window_marks = common_marks(item.answer_sentence, item.passage[start:end])
        pairs.append(
            {
                "row": item.row(),
                "answer": _pieces(item.answer_sentence, answer_marks),
                "before": item.passage[:start],
                "window": _pieces(item.passage[start:end], window_marks),
                "after": item.passage[end:],
            }
        )
    identity = json_element([item.row() for item in items]).encode("utf-8", "surrogatepass")
    return {
        "columns": COLUMNS,
        "corpus": corpus,
        "key": f"silver-judge-{hashlib.sha256(identity).hexdigest()[:16]}",
        "pairs": pairs,
    }


def _pieces(text: str, marks: Sequence[Sequence[int]]) -> list[list[object]]:
    """The text cut at its marks: [piece, n], n 0 where nothing is in common.

    Cut here and not in the script, whose offsets count otherwise beyond the basic plane.
    """
    pieces: list[list[object]] = []
    at = 0
    for start, end, order in marks:
        if at < start:
            pieces.append([text[at:start], 0])
        pieces.append([text[start:end], order])
        at = end
    if at < len(text):
        pieces.append([text[at:], 0])
    return pieces


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    """Each token with the offsets of the word that it is in."""
    for word in _WORD.finditer(text):
        for token in tokenize(word.group()):
            yield word.start(), word.end(), token


def _marks(
    words: Sequence[tuple[int, int, str]], others: Sequence[tuple[int, int, str]]
) -> list[list[int]]:
    tokens = [token for _, _, token in words]
    orders = [0] * len(tokens)
    for order in (1, 2, 3):
        there = set(ngrams([token for _, _, token in others], order))
        for first, ngram in enumerate(ngrams(tokens, order)):
            if ngram in there:
                orders[first : first + order] = [order] * order
    by_word: dict[tuple[int, int], int] = {}  # a word may hold several tokens: "src=x"
    for (start, end, _), order in zip(words, orders, strict=True):
        by_word[start, end] = max(order, by_word.get((start, end), 0))
    marks: list[list[int]] = []
    for (start, end), order in by_word.items():
        if marks and marks[-1][2] == order > 1 and start == marks[-1][1] + 1:
            marks[-1][1] = end
        elif order:
            marks.append([start, end, order])
    return marks


def _source_hash(source: str) -> str:
    """How a content security policy names an inline source."""
    return f"sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}"
