"""Short answers of the corpora: which of them tell something, and which passages hold one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from pipeline.matching.pair_texts import Pairs, Rows
from pipeline.matching.scoring import Floats
from pipeline.matching.tokens import tokenize

_JUDGEMENTS = (["yes"], ["no"])
_END = "\0"


def telling_answers(answers: Iterable[str], answer_sentence: Sequence[str]) -> list[list[str]]:
    """The tokens of the short answers that can be looked for in a passage.

    Left out: yes and no, answers of a single character, and those that the answer sentence itself
    does not hold, since a passage that says the same need not hold them either.
    """
    sentence = _joined(answer_sentence)
    found = []
    for tokens in map(tokenize, answers):
        telling = tokens not in _JUDGEMENTS and len("".join(tokens)) > 1
        if telling and _joined(tokens) in sentence and tokens not in found:
            found.append(tokens)
    return found


def agreement(pairs: Pairs, rows: Rows) -> Floats:
    """1 where passage or bare title hold one of the short answers, -1 where none, 0 if none known.

    An answer is held where its tokens stand in a row. Shape (pairs of answer sentence and passage,)
    as ``rows.passage``.
    """
    found = np.zeros(len(rows.passage))
    known = [[_joined(answer) for answer in answers] for answers in pairs.short_answers]
    if not any(known):
        return found
    sentences: dict[int, list[int]] = {}
    for window in np.flatnonzero(pairs.single).tolist():
        sentences.setdefault(int(pairs.passage[window]), []).append(window)
    texts: dict[int, str] = {}
    meetings = zip(rows.passage_answer.tolist(), rows.passage.tolist(), strict=True)
    for row, (answer, passage) in enumerate(meetings):
        if not known[answer]:
            continue
        if passage not in texts:
            held = [token for n in sentences.get(passage, ()) for token in pairs.windows[n]]
            texts[passage] = _joined(held) + _joined(pairs.titles[passage])
        found[row] = 1.0 if any(one in texts[passage] for one in known[answer]) else -1.0
    return found


def _joined(tokens: Sequence[str]) -> str:
    """Tokens in a form in which a run of them is a part of the text."""
    return _END + _END.join(tokens) + _END
