"""Command explain: where a question was lost, or what it was mapped to and why."""

from __future__ import annotations

import difflib
from pathlib import Path

from pipeline import files
from pipeline.config import Config
from pipeline.errors import InputError
from pipeline.matching.model import load_model
from pipeline.matching.titles import title_key
from pipeline.records import Question, Redirect, Score, Silver
from pipeline.reporting.explanation import Explanation, explanation_lines
from pipeline.stages.lookup import find_passages, rows_where


def run_explain(
    question_id: str, data: Path, config: Config
) -> tuple[list[str], dict[str, object]]:
    """The lines to show for one question of the run in ``data`` (paths.root), and their counts.

    A run that stopped early is explained as far as it went.
    """
    if not files.is_text(question_id):
        raise InputError(f"question id {question_id!a}: not UTF-8")
    folder = data / "questions"
    question, corpus = _find_question(question_id, folder)
    scores = _rows(data / "scores" / f"{corpus}.parquet", Score, question)
    silver = _rows(data / "silver" / f"{corpus}.parquet", Silver, question)
    ids = {row.passage_id for row in scores or () if row.passage_id is not None}
    ids |= {row.passage_id for row in silver or () if row.passage_id is not None}
    passages = find_passages(data / "passages", ids)
    missing = ids - passages.keys()
    if missing:
        raise InputError(f"{data / 'passages'}: holds no passage '{min(missing)}' of the scores")
    explanation = Explanation(
        question=question,
        target=_redirect_target(question.title, data / "articles" / "redirects"),
        scores=scores,
        silver=silver,
        passages=passages,
        match=config.match,
        model=load_model(config.match.model) if config.match.scorer == "learned" else None,
    )
    return explanation_lines(explanation), explanation.counts()


def _find_question(question_id: str, folder: Path) -> tuple[Question, str]:
    """The question and the name of its file; an error with the closest ids where it is unknown."""
    paths = sorted(folder.glob("*.parquet"))
    if not paths:
        raise InputError(f"{folder}: holds no <corpus>.parquet")
    for path in paths:
        for question in rows_where(path, Question, "question_id", question_id):
            return question, path.stem
    known = [
        found
        for path in paths
        for batch in files.read_tables(path, Question, ["question_id"])
        for found in batch.column("question_id").to_pylist()
    ]
    close = difflib.get_close_matches(question_id, known, n=5, cutoff=0.5)
    hint = f"; the closest are {', '.join(close)}" if close else ""
    raise InputError(f"{folder}: no question '{question_id}'{hint}")


def _rows[Record: (Score, Silver)](
    path: Path, record: type[Record], question: Question
) -> tuple[Record, ...] | None:
    """The question's rows; None when the stage that writes the file has not run.

    Every answer sentence has one row or more: a file of other ones is of another run.
    """
    if not path.exists():
        return None
    rows = tuple(rows_where(path, record, "question_id", question.question_id))
    if {row.answer_index for row in rows} != set(range(len(question.answer_sentences))):
        raise InputError(
            f"{path}: does not belong to the questions; its rows of '{question.question_id}' are "
            "not of the answer sentences there"
        )
    return rows


def _redirect_target(title: str | None, folder: Path) -> str | None:
    """The article that the named title leads to, where it is a redirect."""
    if title is None or not folder.is_dir():
        return None
    key = title_key(title)
    for part in files.list_parts(folder, whole=False):
        for batch in files.read_tables(part, Redirect, ["title", "target"]):
            titles, targets = (batch.column(name).to_pylist() for name in ("title", "target"))
            for one, target in zip(titles, targets, strict=True):
                if one[:1].casefold() == key[:1].casefold() and title_key(one) == key:
                    return str(target)
    return None
