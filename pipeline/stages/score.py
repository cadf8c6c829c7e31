"""Stage score: every sentence of every candidate passage against the answer sentence."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.errors import InputError
from pipeline.lucene.manifest import check_index, open_searcher
from pipeline.lucene.searching import Searcher
from pipeline.matching.ngrams import Profile, cosines, profile_of
from pipeline.matching.titles import title_key
from pipeline.matching.tokens import tokenize
from pipeline.matching.windows import windows
from pipeline.records import SCHEMA_VERSION, Candidate, Question, Redirect, Score
from pipeline.stages.chunks import Chunk, join_parquet, run_chunks

# Popular passages are candidates of many answers; their n-grams are counted once.
_PASSAGES_KEPT = 2_000


def run_score(
    questions: Path,
    candidates: Path,
    index: Path,
    redirects: Path | None,
    out: Path,
    config: Config,
    compute: Compute,
) -> dict[str, object]:
    """Write the Score rows of a corpus, sorted by key."""
    manifest = check_index(index, config.index)
    _check_candidates(candidates, questions)
    if redirects is not None:
        files.list_parts(redirects, whole=False)
    inputs = (candidates, index, *([redirects] if redirects else []))
    counts = run_chunks(
        score_chunk,
        questions,
        out,
        config,
        compute,
        inputs,
        lambda pieces: join_parquet(pieces, out, Score),
    )
    stats = {
        "counts": counts,
        "fingerprint": files.fingerprint(
            "score", config.score, manifest["fingerprint"],
            files.file_fingerprint(questions), files.file_fingerprint(candidates),
            files.folder_fingerprint(redirects) if redirects else None,
        ),
        "schema_version": SCHEMA_VERSION,
    }  # fmt: skip
    files.write_json(files.sidecar(out, "stats.json"), stats)
    return dict(counts)


def _check_candidates(candidates: Path, questions: Path) -> None:
    """Candidates of another corpus would leave every answer sentence without any."""
    answers = {
        question.question_id: len(question.answer_sentences)
        for question in files.read_records(questions, Question)
    }
    for batch in files.read_tables(candidates, Candidate, ["question_id", "answer_index"]):
        ids, numbers = (batch.column(name).to_pylist() for name in ("question_id", "answer_index"))
        for question_id, number in zip(ids, numbers, strict=True):
            if not 0 <= number < answers.get(question_id, 0):
                raise InputError(
                    f"{candidates}: does not belong to {questions}, which has no answer sentence "
                    f"{number} of question '{question_id}'"
                )


def score_chunk(chunk: Chunk) -> dict[str, int]:
    """Score one chunk's answer sentences. Runs in a worker process."""
    candidates, index, *redirects = chunk.inputs
    questions = chunk.read_questions()
    found = _candidates_by_answer(candidates, {question.question_id for question in questions})
    named = {title_key(question.title) for question in questions if question.title}
    targets = _redirect_targets(redirects[0], named) if redirects else {}
    counts = {"answer_sentences": 0, "pairs": 0, "windows": 0}

    def rows() -> Iterator[Score]:
        with open_searcher(index, chunk.config.index, chunk.heap) as searcher:
            passages = _PassageProfiles(searcher, chunk.config.score.max_sentences)
            for question in questions:
                article = _named_article(question, targets)
                present = searcher.holds_article(article) if article is not None else None
                for number, answer in enumerate(question.answer_sentences):
                    hits = found.get((question.question_id, number), [])
                    counts["answer_sentences"] += 1
                    counts["pairs"] += len(hits)
                    for row in _score_answer(
                        question, number, answer, hits, passages, article, present
                    ):
                        counts["windows"] += row.passage_id is not None
                        yield row

    files.write_records(chunk.piece, Score, rows())
    return counts


class _PassageProfiles:
    """The counted n-grams of passages' windows, by passage id; the latest are kept."""

    def __init__(self, searcher: Searcher, max_sentences: int) -> None:
        self._searcher = searcher
        self._max_sentences = max_sentences
        self.of = functools.lru_cache(maxsize=_PASSAGES_KEPT)(self._read)

    def _read(self, passage_id: str) -> tuple[str, list[tuple[int, int, Profile]]]:
        passage = self._searcher.passage(passage_id)
        if passage is None:
            raise InputError(f"candidate passage '{passage_id}' is not in the index")
        profiles = [
            (window.first, window.count, profile_of(tokenize(window.text)))
            for window in windows(passage, self._max_sentences)
        ]
        return title_key(passage.title), profiles


def _score_answer(
    question: Question,
    number: int,
    answer: str,
    hits: Iterable[Candidate],
    passages: _PassageProfiles,
    article: str | None,
    present: bool | None,
) -> Iterator[Score]:
    profile = profile_of(tokenize(answer))
    empty = True
    for hit in hits:
        title, profiles = passages.of(hit.passage_id)
        for first, count, window in profiles:
            cosine_1, cosine_2, cosine_3 = cosines(profile, window)
            empty = False
            yield Score(
                question_id=question.question_id,
                answer_index=number,
                passage_id=hit.passage_id,
                rank=hit.rank,
                retrieval_score=hit.retrieval_score,
                sentence_index=first,
                sentence_count=count,
                cosine_1=cosine_1,
                cosine_2=cosine_2,
                cosine_3=cosine_3,
                answer_tokens=profile.tokens,
                sentence_tokens=window.tokens,
                title_match=title == article if article is not None else None,
                article_present=present,
            )
    if empty:
        yield Score(
            question_id=question.question_id,
            answer_index=number,
            passage_id=None,
            rank=None,
            retrieval_score=None,
            sentence_index=None,
            sentence_count=None,
            cosine_1=None,
            cosine_2=None,
            cosine_3=None,
            answer_tokens=profile.tokens,
            sentence_tokens=None,
            title_match=None,
            article_present=present,
        )


def _named_article(question: Question, targets: Mapping[str, str]) -> str | None:
    """The normalised title of the article that the corpus names, through a redirect."""
    if not question.title:
        return None
    key = title_key(question.title)
    return targets.get(key, key)


def _candidates_by_answer(
    path: Path, question_ids: set[str]
) -> dict[tuple[str, int], list[Candidate]]:
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(sorted(question_ids))
    found: dict[tuple[str, int], list[Candidate]] = {}
    for batch in files.read_tables(path, Candidate):
        for row in batch.filter(pc.is_in(batch.column("question_id"), wanted)).to_pylist():
            candidate = Candidate(**row)
            found.setdefault((candidate.question_id, candidate.answer_index), []).append(candidate)
    for hits in found.values():
        hits.sort(key=lambda candidate: candidate.rank)
    return found


def _redirect_targets(folder: Path, named: set[str]) -> dict[str, str]:
    """Where the named titles lead: only those, since Wikipedia has more redirects than articles."""
    targets: dict[str, str] = {}
    for part in files.list_parts(folder, whole=False):
        for batch in files.read_tables(part, Redirect, ["title", "target"]):
            titles, leads = (batch.column(name).to_pylist() for name in ("title", "target"))
            for title, target in zip(titles, leads, strict=True):
                key = title_key(title)
                if key in named:
                    targets.setdefault(key, title_key(target))
    return targets
