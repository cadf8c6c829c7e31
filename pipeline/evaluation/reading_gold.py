"""Right answers from the JSON that reference files of reading tasks hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.errors import InputError
from pipeline.evaluation.reading import ReadingGold

_SUBGROUPS = ("table", "passage")


def reference_gold(value: Any, source: str) -> ReadingGold:
    """OTT-QA's and HybridQA's: ``reference`` has answers by id, ``table`` and ``passage`` list ids.

    The questions themselves, a list with ``question_id`` and ``answer-text``, are read too.
    """
    if isinstance(value, list):
        return _of_questions(value, source)
    reference = value.get("reference") if isinstance(value, Mapping) else None
    if not isinstance(reference, Mapping):
        raise InputError(f"{source}: no object named 'reference'; expected OTT-QA's reference file")
    for name, answer in reference.items():
        if not isinstance(answer, str):
            raise InputError(f"{source}: the answer of question '{name}' is no text")
    _check_some(reference, source)
    subgroups = {}
    for name in _SUBGROUPS:
        members = value.get(name)
        if members is None:
            continue
        if not isinstance(members, list) or not all(isinstance(item, str) for item in members):
            raise InputError(f"{source}: '{name}' is no list of question ids")
        strange = [member for member in members if member not in reference]
        if strange:
            raise InputError(f"{source}: '{name}' has '{strange[0]}', which 'reference' lacks")
        subgroups[name] = members
    return ReadingGold(
        answers={name: (answer,) for name, answer in reference.items()}, subgroups=subgroups
    )


def _of_questions(rows: list[Any], source: str) -> ReadingGold:
    answers: dict[str, tuple[str, ...]] = {}
    subgroups: dict[str, list[str]] = {}
    for number, row in enumerate(rows, start=1):
        own_id = row.get("question_id") if isinstance(row, Mapping) else None
        answer = row.get("answer-text") if isinstance(row, Mapping) else None
        if not isinstance(own_id, str) or not isinstance(answer, str):
            raise InputError(f"{source}, question {number}: no 'question_id' and 'answer-text'")
        if own_id in answers:
            raise InputError(f"{source}, question {number}: id '{own_id}' is there twice")
        answers[own_id] = (answer,)
        if row.get("where") in _SUBGROUPS:
            subgroups.setdefault(row["where"], []).append(own_id)
    _check_some(answers, source)
    return ReadingGold(answers=answers, subgroups=subgroups)


def squad_gold(value: Any, source: str) -> ReadingGold:
    """SQuAD's: every answer text of every question; subgroups by whether there is an answer.

    Texts are taken as they stand, and spans are not looked at.
    """
    articles = value.get("data") if isinstance(value, Mapping) else None
    if not isinstance(articles, list):
        raise InputError(f"{source}: no list named 'data'; expected SQuAD's JSON")
    answers: dict[str, tuple[str, ...]] = {}
    titles: dict[str, str] = {}
    try:
        for number, article in enumerate(articles, start=1):
            title = str(article.get("title") or f"article {number}")
            rows = [row for paragraph in article["paragraphs"] for row in paragraph["qas"]]
            for row in rows:
                own_id = str(row["id"])
                if own_id in answers:
                    raise InputError(f"{source}: question id '{own_id}' is there twice")
                impossible = row.get("is_impossible", False)
                texts = [] if impossible else [str(answer["text"]) for answer in row["answers"]]
                answers[own_id] = tuple(texts)
                titles[own_id] = title
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(f"{source}, article {number}: not SQuAD's form ({error})") from None
    _check_some(answers, source)
    subgroups = {
        "with_answer": [name for name, texts in answers.items() if texts],
        "no_answer": [name for name, texts in answers.items() if not texts],
    }
    both = all(subgroups.values())
    return ReadingGold(answers=answers, subgroups=subgroups if both else {}, articles=titles)


def _check_some(answers: Mapping[str, Any], source: str) -> None:
    if not answers:
        raise InputError(f"{source}: holds no question")
