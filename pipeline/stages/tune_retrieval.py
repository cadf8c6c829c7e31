"""Command tune retrieval: boosts and BM25's parameters, searched for on judged questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import yaml

from pipeline import files
from pipeline.cluster import show_progress
from pipeline.config import BM25, Compute, Config, Index
from pipeline.errors import InputError
from pipeline.evaluation.boosts import Tried, best_of, bm25_grid, cross_validated, grid
from pipeline.evaluation.judgments import judgment_files, judgment_rows, label_and_role
from pipeline.evaluation.left_out import ABSENT, ROLE_REPORT, WITHHELD, is_withheld, left_out_words
from pipeline.evaluation.paired import paired_success
from pipeline.evaluation.retrieval import first_relevant_rank
from pipeline.lucene.manifest import BASELINE_BM25, open_searcher
from pipeline.lucene.searching import Searcher
from pipeline.lucene.wording import without_words
from pipeline.matching.scoring import Floats
from pipeline.reporting.tuning import retrieval_lines

_DEPTH = 20
_KS = (1, 5, 10, 20)


@dataclass(slots=True)
class JudgedQuestion:
    """A question with the ids of its right passages, and the article that groups it with others."""

    question: str
    article: str
    relevant: set[str] = field(default_factory=set)


def run_tune_retrieval(
    judgments: Sequence[Path],
    index: Path,
    out: Path,
    config: Config,
    compute: Compute,
    *,
    all_roles: bool = False,
) -> tuple[list[str], dict[str, object]]:
    """Write ``boosts.csv`` (all that was tried) and ``suggested.yaml``; returns lines and figures.

    Only judgments of role ``tune`` count, unless ``all_roles``. The figures of the suggestion are
    cross-validated: each question is ranked by boosts that were chosen without its article.
    """
    with open_searcher(index, config.index, compute.java_heap) as searcher:
        asked, left_out = _judged_questions(judgments, searcher, all_roles=all_roles)
        if len({question.article for question in asked}) < 2:
            raise InputError(
                f"{judgments[0]}: {len(asked)} questions to learn from with a right passage in "
                f"{index}; at least two articles are needed{left_out_words(left_out)}"
            )
        words = frozenset(config.retrieve.stop_words)
        tried = _try_all(asked, config.index, words, searcher, compute)
        plain = _ranks(asked, {"contents": 1.0}, BASELINE_BM25, frozenset(), searcher)
    chosen = best_of(tried)
    validated = cross_validated(tried, [question.article for question in asked])
    compared = paired_success(validated, plain, _KS)
    _write_tried(out / "boosts.csv", tried)
    suggestion = {
        "index": {"bm25": chosen.bm25.model_dump(mode="json")},
        "retrieve": {"boosts": chosen.boosts},
    }
    files.write_text(out / "suggested.yaml", yaml.safe_dump(suggestion, sort_keys=False))
    figures: dict[str, object] = {
        "questions": len(asked),
        "judgments_without_passage": left_out[ABSENT],
        "left_out": dict(sorted(left_out.items())),
        **suggestion,
        "reciprocal_rank": round(chosen.reciprocal_rank(), 6),
        "cross_validated": {
            f"top_{entry.k}": round(100.0 * entry.ours / entry.questions, 4) for entry in compared
        },
        "unigrams": {
            f"top_{entry.k}": round(100.0 * entry.theirs / entry.questions, 4) for entry in compared
        },
        "p": {f"top_{entry.k}": round(entry.p, 6) for entry in compared},
    }
    files.write_json(out / "retrieval.json", figures)
    return retrieval_lines(figures, compared), figures


def _try_all(
    asked: Sequence[JudgedQuestion],
    index: Index,
    words: frozenset[str],
    searcher: Searcher,
    compute: Compute,
) -> list[Tried]:
    """All boosts under the configured BM25, then all of BM25's parameters with the best boosts."""

    def tried(boosts: dict[str, float], bm25: BM25) -> Tried:
        ranks = _ranks(asked, boosts, bm25, words, searcher)
        return Tried(boosts=boosts, bm25=bm25, ranks=ranks)

    choices = grid(list(index.fields))
    found = [
        tried(boosts, index.bm25)
        for boosts in show_progress(choices, len(choices), compute.quiet, "boosts")
    ]
    boosts = best_of(found).boosts
    others = [bm25 for bm25 in bm25_grid() if bm25 != index.bm25]
    return found + [
        tried(boosts, bm25)
        for bm25 in show_progress(others, len(others), compute.quiet, "k1 and b")
    ]


def _judged_questions(
    paths: Sequence[Path], searcher: Searcher, *, all_roles: bool
) -> tuple[list[JudgedQuestion], Counter[str]]:
    """Questions with a right passage in the index; and how many right pairs were left out."""
    found: dict[str, JudgedQuestion] = {}
    left_out: Counter[str] = Counter()
    for where, row in _rows(paths):
        label, role = label_and_role(row, where)
        if label != "1" or not row.get("question"):
            continue
        title = str(row.get("passage_title") or "")
        if not all_roles and role != "tune":
            left_out[ROLE_REPORT] += 1
            continue
        if is_withheld(row.get(name) for name in ("question", "passage")):
            left_out[WITHHELD] += 1
            continue
        passage_id = _passage_id(str(row.get("passage") or ""), searcher)
        if passage_id is None:
            left_out[ABSENT] += 1
            continue
        question = str(row["question"])
        entry = found.setdefault(question, JudgedQuestion(question, title or where))
        entry.relevant.add(passage_id)
    return list(found.values()), left_out


def _rows(paths: Sequence[Path]) -> Iterator[tuple[str, Mapping[str, object]]]:
    for given in paths:
        for path in judgment_files(given) if given.is_dir() else [given]:
            with files.open_text(path) as lines:
                yield from judgment_rows(lines, str(path), is_csv=path.suffix == ".csv")


def _passage_id(text: str, searcher: Searcher) -> str | None:
    """The passage of the index with this text: the text finds itself."""
    wanted = files.text_sha1(text)
    for hit in searcher.search(text, {"contents": 1.0}, _DEPTH):
        passage = searcher.passage(hit.passage_id)
        if passage is not None and wanted in (passage.text_sha1, files.text_sha1(passage.text)):
            return hit.passage_id
    return None


def _ranks(
    asked: Sequence[JudgedQuestion],
    boosts: Mapping[str, float],
    bm25: BM25,
    words: frozenset[str],
    searcher: Searcher,
) -> Floats:
    searcher.use_bm25(bm25)
    ranks = []
    for question in asked:
        hits = searcher.search(without_words(question.question, words), boosts, _DEPTH)
        ranks.append(first_relevant_rank([hit.passage_id for hit in hits], question.relevant))
    return np.array(ranks, dtype=np.float64)


def _write_tried(path: Path, tried: Sequence[Tried]) -> None:
    names = list(dict.fromkeys(name for entry in tried for name in entry.boosts))
    head = [*names, "k1", "b", "reciprocal_rank", *(f"top_{k}" for k in _KS)]
    lines = [",".join(head)]
    for entry in tried:
        weights = [f"{entry.boosts.get(name, 0.0):g}" for name in names]
        figures = [f"{entry.reciprocal_rank():.6f}", *(f"{entry.success(k):.4f}" for k in _KS)]
        parameters = [f"{entry.bm25.k1:g}", f"{entry.bm25.b:g}"]
        lines.append(",".join([*weights, *parameters, *figures]))
    files.write_lines(path, lines)
