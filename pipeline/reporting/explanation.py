"""What became of one question, as lines of plain text for a person to read."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipeline.config import Match
from pipeline.matching.model import LinearModel
from pipeline.matching.scoring import SHORT_TOKENS
from pipeline.matching.thresholds import (
    ARTICLE_ABSENT,
    BELOW_THRESHOLD,
    NO_CANDIDATE,
    NOT_A_CANDIDATE,
    TOO_SHORT,
    best_passages,
    question_loss,
)
from pipeline.records import Passage, Question, Score, Silver
from pipeline.reporting.contributions import contribution_lines

_WIDTH = 100

_LEGEND = (
    "similarity: by the scorer in use, against match.threshold; t: the plain cosine with the "
    "reference's weights; cosines: of 1-, 2- and 3-grams."
)
_MASS = "mass: the sum of the tokens' idf weights, as log(1 + sum) where it is no share."

_REASONS = {
    ARTICLE_ABSENT: "the article that the corpus names is not in the collection",
    NOT_A_CANDIDATE: "no passage of the named article is among the candidates that count",
    NO_CANDIDATE: "the search found nothing for the answer sentence",
    TOO_SHORT: "the answer sentence has too few words to reach the threshold at all",
    BELOW_THRESHOLD: "no sentence of a candidate is similar enough",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """All that the stages left about one question.

    ``target`` is the article that the named title leads to, where it is a redirect. ``scores`` and
    ``silver`` are None where the stage has not run. ``model`` is that of the learned scorer, if it
    is the one in use.
    """

    question: Question
    target: str | None
    scores: tuple[Score, ...] | None
    silver: tuple[Silver, ...] | None
    passages: Mapping[str, Passage]
    match: Match
    model: LinearModel | None = None

    def loss(self) -> str | None:
        """Why the question is not mapped, or None."""
        losses = [row.loss for row in self.silver or () if row.loss is not None]
        return question_loss(losses) if losses else None

    def counts(self) -> dict[str, object]:
        """The figures that end the command's output."""
        silver = self.silver or ()
        return {
            "answer_sentences": len(self.question.answer_sentences),
            "candidates": sum(row.passage_id is not None for row in silver),
            "loss": self.loss(),
            "mapped": any(row.matched for row in silver),
            "matched": len({row.passage_id for row in silver if row.matched}),
        }


def explanation_lines(found: Explanation) -> list[str]:
    """The whole account: outcome, question, named article, then each answer sentence."""
    question = found.question
    lines = [
        f"{question.question_id} ({question.corpus}, {question.split}): {_outcome(found)}",
        "",
        *_wrapped("question: ", question.question or "(none)"),
        *_wrapped("article:  ", _article(found)),
    ]
    if question.answers:
        lines += _wrapped("answers:  ", "; ".join(question.answers))
    for number, text in enumerate(question.answer_sentences):
        lines += ["", *_wrapped(f"answer sentence {number}: ", text)]
        lines += _candidates(found, number)
    if found.silver:
        lines += ["", *_wrapped("", _LEGEND), *(_wrapped("", _MASS) if found.model else ())]
    return lines


def _outcome(found: Explanation) -> str:
    if not found.question.answer_sentences:
        return "not answerable, since the corpus gives no answer sentence"
    if found.scores is None:
        return "not decided yet, since the corpus is not scored"
    if found.silver is None:
        return "not decided yet, since the corpus is not matched"
    best = best_passages(found.silver).get(found.question.question_id)
    if best is not None and best.passage_id is not None:
        title = found.passages[best.passage_id].title
        count = len({row.passage_id for row in found.silver if row.matched})
        more = f"; {count} passages match" if count > 1 else ""
        return f"mapped to {best.passage_id} of '{title}', similarity {best.similarity:.4f}{more}"
    loss = found.loss()
    return f"lost, {loss}: {_REASONS[loss]}" if loss else "in no row of the silver standard"


def _article(found: Explanation) -> str:
    title = found.question.title
    if title is None:
        return "the corpus names none"
    name = f"'{title}'" + (f", a redirect to '{found.target}'" if found.target else "")
    present = next((row.article_present for row in found.scores or ()), None)
    if present is None:
        return name
    return f"{name}, {'in the collection' if present else 'not in the collection'}"


def _candidates(found: Explanation, answer: int) -> Iterator[str]:
    silver = [row for row in found.silver or () if row.answer_index == answer]
    scores = [row for row in found.scores or () if row.answer_index == answer]
    shown = sorted(
        (row for row in silver if row.passage_id is not None), key=lambda row: row.rank or 0
    )
    tokens = next((row.answer_tokens for row in scores), None)
    if tokens is not None and tokens <= SHORT_TOKENS:
        yield f"  a short answer sentence: {tokens} tokens"
    if found.silver is not None and not shown:
        yield "  no candidate"
    highest = max((row.similarity or 0.0 for row in shown), default=0.0)
    best = next((row for row in shown if row.similarity == highest), None)
    for row in shown:
        yield from _candidate(found, row, scores)
        window = next((score for score in scores if _same_window(score, row)), None)
        if row is best and found.model is not None and window is not None:
            for line in contribution_lines(found.model, window):
                yield f"    {line}"
    yield from _deeper(found, {row.rank for row in shown}, scores)
    loss = next((row.loss for row in silver if row.loss is not None), None)
    if loss is not None:
        yield f"  loss: {loss}"


def _candidate(found: Explanation, row: Silver, scores: list[Score]) -> Iterator[str]:
    passage = found.passages[row.passage_id or ""]
    best = next((score for score in scores if _same_window(score, row)), None)
    named = ", the named article" if best is not None and best.title_match else ""
    verdict = "matched" if row.matched else "not matched"
    where = f" > {passage.section}" if passage.section else ""
    yield f"  rank {row.rank}: {passage.passage_id} '{passage.title}'{where}{named}"
    cosines = ""
    if best is not None:
        values = (best.cosine_1, best.cosine_2, best.cosine_3)
        cosines = f"; cosines {', '.join(f'{value or 0.0:.3f}' for value in values)}"
    yield (
        f"    similarity {row.similarity or 0.0:.4f} (t {row.cosine_similarity or 0.0:.4f})"
        f"{cosines}; {verdict}"
    )
    yield from _wrapped("    best: ", _window(passage, row))


def _deeper(found: Explanation, seen: set[int | None], scores: list[Score]) -> Iterator[str]:
    """Passages of the named article that the search found, but not among those that count."""
    deeper = {row.rank: row.passage_id for row in scores
              if row.title_match and row.rank not in seen}  # fmt: skip
    for rank, passage_id in sorted(deeper.items(), key=lambda entry: entry[0] or 0):
        title = found.passages[passage_id or ""].title
        yield f"  rank {rank}: {passage_id} '{title}', the named article, but deeper than counts"


def _same_window(score: Score, row: Silver) -> bool:
    return (score.passage_id, score.rank, score.sentence_index, score.sentence_count) == (
        row.passage_id, row.rank, row.sentence_index, row.sentence_count,
    )  # fmt: skip


def _window(passage: Passage, row: Silver) -> str:
    first, count = row.sentence_index or 0, row.sentence_count or 1
    if not passage.sentence_starts:
        return passage.text
    last = min(first + count, len(passage.sentence_ends)) - 1
    return passage.text[passage.sentence_starts[first] : passage.sentence_ends[last]]


def _wrapped(head: str, text: str) -> list[str]:
    """A text under its label; control characters, which terminals obey, are spaces."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    indent = " " * min(len(head), 10)
    return textwrap.wrap(
        head + plain, _WIDTH, initial_indent="", subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
