"""What is to be judged of a silver standard: the sample of each case, with its texts."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.errors import InputError
from pipeline.evaluation.cases import (
    Case,
    MappedPair,
    cases,
    drawn,
    reference_of_scores,
    reference_of_silver,
)
from pipeline.evaluation.judgments import pair_id
from pipeline.evaluation.robustness import JudgedPair, PairKey
from pipeline.files import text_sha1
from pipeline.lucene.manifest import open_searcher
from pipeline.matching.best import columns_of
from pipeline.matching.cosines import cosines
from pipeline.matching.scoring import REFERENCE_WEIGHTS
from pipeline.matching.titles import title_key
from pipeline.matching.tokens import tokenize
from pipeline.matching.windows import windows
from pipeline.records import Passage, Question, Score, Silver
from pipeline.reporting.judging import JudgeItem

_PASSAGES_TOGETHER = 1000
# A known-wrong pair a tenth of the sample; alike enough to be right by chance it must not be.
_KNOWN_WRONG_SHARE = 0.1
_MOST_ALIKE = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnCase:
    """A case, its sample, and how much of that is judged."""

    case: Case
    sample: tuple[PairKey, ...]
    judged: int
    mapped: int
    wanted: int
    role: str

    def progress(self, corpus: str) -> str:
        """The line that says how far judging is, and why a sample is smaller than asked for."""
        case = self.case.describe() + (", to tune" if self.role == "tune" else "")
        if len(self.sample) < self.wanted:
            others = "tune" if self.role == "report" else "report"
            case += (
                f" ({self.mapped} mapped pairs, {len(self.sample)} of articles whose judgments "
                f"{self.role}; the others {others})"
            )
        return (
            f"{corpus}, {case}: {self.judged} of {len(self.sample)} already "
            f"judged; {len(self.sample) - self.judged} to go"
        )


def draw(
    silver: Path,
    questions: Path,
    index: Path,
    scores: Path | None,
    judged: Mapping[PairKey, JudgedPair],
    config: Config,
    compute: Compute,
    role: str = "report",
) -> tuple[list[DrawnCase], list[JudgeItem]]:
    """The sample of each case, and the pairs that nobody has judged, in an order that says nothing.

    Drawn among the articles whose judgments have the ``role``.
    ``scores`` give the reference's pairs exactly; without them the silver standard's plain cosines
    do. A few pairs that are known to be wrong are mixed in.
    """
    asked = {row.question_id: row for row in files.read_records(questions, Question)}
    rows = list(files.read_records(silver, Silver))
    _check_rows(rows, asked, silver, questions)
    if scores is not None:
        reference = reference_of_scores(columns_of(files.read_table(scores, Score)))
        _check_rows(reference, asked, scores, questions)
    else:
        reference = reference_of_silver(rows)
    found = cases(reference, rows, config.report.thresholds, config.match)
    ids = {pair.passage_id for case in found for pair in case.pairs}
    with open_searcher(index, config.index, compute.java_heap) as searcher:
        known = {}  # of each passage only what every pair needs: a corpus has 100,000 of them
        for together in itertools.batched(sorted(ids), _PASSAGES_TOGETHER):
            for passage_id, passage in searcher.passages_by_id(together).items():
                known[passage_id] = (text_sha1(passage.text), passage.title)
        if missing := ids - known.keys():
            raise InputError(f"{index}: holds no passage '{min(missing)}' of {silver}")

        def key_of(pair: MappedPair) -> PairKey:
            answer = asked[pair.question_id].answer_sentences[pair.answer_index]
            return text_sha1(answer), known[pair.passage_id][0]

        samples = []
        chosen: dict[PairKey, tuple[MappedPair, float, float]] = {}
        settings = config.robustness
        for case in found:
            sample = drawn(
                case, key_of, lambda pair: known[pair.passage_id][1], judged,
                settings.sample_size, settings.seed, role,
            )  # fmt: skip
            by_key = {key_of(pair): pair for pair in reversed(case.pairs)}
            weight = len(by_key) / max(len(sample), 1)
            for key in sample:
                chosen.setdefault(key, (by_key[key], weight, case.threshold))
            done = sum(key in judged for key in sample)
            samples.append(
                DrawnCase(
                    case=case,
                    sample=tuple(sample),
                    judged=done,
                    mapped=len(by_key),
                    wanted=settings.sample_size,
                    role=role,
                )
            )
        texts = searcher.passages_by_id({pair.passage_id for pair, _, _ in chosen.values()})
    items = [
        _item(key, pair, asked[pair.question_id], texts[pair.passage_id], weight, threshold, role)
        for key, (pair, weight, threshold) in chosen.items()
    ]
    candidates: dict[str, set[str]] = {}
    for row in rows:
        candidates.setdefault(row.question_id, set()).add(row.passage_id or "")
    to_go = [item for item in items if _key(item) not in judged]
    wanted = -(-min(len(to_go), settings.sample_size) * _KNOWN_WRONG_SHARE // 1)
    wrong = itertools.islice(
        _known_wrong(to_go, texts, candidates, config.score.max_sentences), int(wanted)
    )
    return samples, sorted([*to_go, *wrong], key=lambda item: item.pair_id)


def _check_rows(
    rows: Iterable[Silver | MappedPair], asked: Mapping[str, Question], source: Path,
    questions: Path,
) -> None:  # fmt: skip
    for row in rows:
        question = asked.get(row.question_id)
        if question is None or not 0 <= row.answer_index < len(question.answer_sentences):
            raise InputError(
                f"{source}: does not belong to {questions}, which has no answer sentence "
                f"{row.answer_index} of question '{row.question_id}'"
            )
        first, count = row.sentence_index, row.sentence_count
        if row.passage_id is not None and not (
            first is not None and first >= 0 and count is not None and count >= 1
        ):
            raise InputError(
                f"{source}: question '{row.question_id}' has a window of {count} sentences from "
                f"sentence {first} on; expected at least 1 from 0 or later on"
            )


def _key(item: JudgeItem) -> PairKey:
    return text_sha1(item.answer_sentence), text_sha1(item.passage)


def _item(
    key: PairKey, pair: MappedPair, question: Question, passage: Passage, weight: float,
    threshold: float, role: str,
) -> JudgeItem:  # fmt: skip
    return JudgeItem(
        pair_id=pair_id(key),
        question_id=pair.question_id,
        question=question.question,
        title=question.title or "",
        answer_sentence=question.answer_sentences[pair.answer_index],
        passage_title=passage.title,
        passage=passage.text,
        weight=round(weight, 4),
        threshold=threshold,
        role=role,
        span=_span(passage, pair.sentence_index, pair.sentence_count),
    )


def _known_wrong(
    items: Sequence[JudgeItem],
    passages: Mapping[str, Passage],
    candidates: Mapping[str, set[str]],
    longest: int,
) -> Iterator[JudgeItem]:
    """Pairs of the same questions with a passage of another article, in the order of a hash.

    They look like the others: the same columns, and a sentence that is marked as matching.
    """
    used: set[str] = set()
    for item in sorted(items, key=lambda item: _hash(item.pair_id)):
        titles = {title_key(item.passage_title), title_key(item.title)}
        answer = tokenize(item.answer_sentence)
        for passage_id in sorted(passages, key=lambda name: _hash(f"{item.pair_id} {name}"))[:10]:
            passage = passages[passage_id]
            near = passage_id in candidates.get(item.question_id, ())
            if near or passage_id in used or title_key(passage.title) in titles:
                continue
            alike, first, count = max(
                (_similarity(answer, tokenize(window.text)), -window.first, window.count)
                for window in windows(passage, longest)
            )
            if alike > _MOST_ALIKE:
                continue
            used.add(passage_id)
            key = (text_sha1(item.answer_sentence), text_sha1(passage.text))
            yield JudgeItem(
                pair_id=pair_id(key, known_wrong=True),
                question_id=item.question_id,
                question=item.question,
                title=item.title,
                answer_sentence=item.answer_sentence,
                passage_title=passage.title,
                passage=passage.text,
                weight=item.weight,
                threshold=item.threshold,
                role=item.role,
                span=_span(passage, -first, count),
            )
            break


def _similarity(one: Sequence[str], other: Sequence[str]) -> float:
    found = cosines(one, other)
    return sum(weight * value for weight, value in zip(REFERENCE_WEIGHTS, found, strict=True))


def _span(passage: Passage, first: int, count: int) -> tuple[int, int]:
    """Where the window of these sentences is; the whole text where no sentences are marked."""
    starts, ends = passage.sentence_starts, passage.sentence_ends
    if first >= len(starts):
        return 0, len(passage.text)
    return starts[first], ends[min(first + count, len(ends)) - 1]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
