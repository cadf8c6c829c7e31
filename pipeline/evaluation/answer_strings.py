"""Does a passage hold an answer string? As DPR decides it, token by token.

Karpukhin et al., Dense Passage Retrieval for Open-Domain Question Answering, EMNLP 2020. Against
its script one fault is mended: an answer without tokens matches nothing instead of everything.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence

from pipeline.evaluation.retrieval import Ranking, first_relevant_rank

_END = "\0"


def answer_tokens(text: str) -> list[str]:
    """The tokens of a text, lower-cased: runs of letters, digits and marks, or one other character.

    The text is decomposed (NFD) first, so that ``é`` is the same however it was composed, and is
    another token than ``e``. White space and control characters are no tokens.
    """
    return [token.lower() for token in _pattern().findall(unicodedata.normalize("NFD", text))]


def has_answer(answers: Collection[str], text: str) -> bool:
    """Whether the tokens of one of the answers are a contiguous run of the text's."""
    return holds_run(answers, _joined(answer_tokens(text)))


def holds_run(answers: Collection[str], joined_tokens: str) -> bool:
    """The same for a text whose tokens were joined by ``joined``: once for many answers."""
    for answer in answers:
        tokens = answer_tokens(answer)
        if tokens and _joined(tokens) in joined_tokens:
            return True
    return False


def joined(text: str) -> str:
    """The tokens of a text in a form that ``holds_run`` searches."""
    return _joined(answer_tokens(text))


def answer_ranks(
    answers: Mapping[str, Sequence[str]], run: Mapping[str, Ranking], texts: Mapping[str, str]
) -> dict[str, float]:
    """By question the rank of the first passage that holds an answer; infinity where none does.

    A passage whose text is not given holds no answer.
    """
    forms: dict[str, str] = {}
    ranks = {}
    for question_id, mine in answers.items():
        ranking = run.get(question_id, ())
        wanted = [_joined(tokens) for tokens in map(answer_tokens, mine) if tokens]
        found = set()
        for passage_id in ranking:
            if passage_id not in forms:
                forms[passage_id] = joined(texts.get(passage_id, ""))
            if any(form in forms[passage_id] for form in wanted):
                found.add(passage_id)
                break
        ranks[question_id] = first_relevant_rank(ranking, found)
    return ranks


def _joined(tokens: Sequence[str]) -> str:
    return _END + _END.join(tokens) + _END


@functools.cache
def _pattern() -> re.Pattern[str]:
    words, blanks = "".join(_ranges("LNM")), "".join(_ranges("ZC"))
    return re.compile(f"[{words}]+|[^{words}{blanks}]")


def _ranges(classes: str) -> Iterator[str]:
    """The characters whose general category begins with one of these letters, as ranges."""
    first = None
    for code in range(sys.maxunicode + 2):
        inside = code <= sys.maxunicode and unicodedata.category(chr(code))[0] in classes
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            yield f"{re.escape(chr(first))}-{re.escape(chr(code - 1))}"
            first = None
