"""Reading: exact match and token F1 of answers, as OTT-QA, HybridQA and SQuAD score them.

Every figure is in percent. The normal form of an answer is that of SQuAD's scorer: lower case,
without the 32 ASCII punctuation marks, without articles, white space collapsed. So ``U.S.`` equals
``US``, ``1,000`` equals ``1000``, ``3-4`` equals ``34``; dashes beyond ASCII, curly quotes and
accents stay, and ``a``, ``The`` and the empty string are equal.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pipeline.evaluation.figures import Measure, Units, group_numbers
from pipeline.matching.scoring import Floats

FORMATS = ("ottqa", "hybridqa", "squad1", "squad2")

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingGold:
    """Right answers by question id, in the order of the file.

    ``subgroups`` are named sets of ids (OTT-QA's ``table`` and ``passage``); ``articles`` says of a
    question which others it belongs with, where the file tells.
    """

    answers: Mapping[str, Sequence[str]]
    subgroups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    articles: Mapping[str, str] = field(default_factory=dict)


def normal_form(text: str) -> str:
    """The form in which answers are compared."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(prediction: str, gold: str) -> float:
    """1 where the normal forms are equal, else 0."""
    return float(normal_form(prediction) == normal_form(gold))


def token_f1(prediction: str, gold: str, *, both_empty: float = 1.0) -> float:
    """F1 of the bags of tokens of the normal forms: a token counts as often as both have it.

    ``both_empty`` is the value of two answers without tokens: 1, but 0 in SQuAD 1.1's script. One
    without tokens against one with some is 0.
    """
    ours, theirs = normal_form(prediction).split(), normal_form(gold).split()
    if not ours and not theirs:
        return both_empty
    shared = sum((Counter(ours) & Counter(theirs)).values())
    if shared == 0:
        return 0.0
    precision, recall = shared / len(ours), shared / len(theirs)
    return 2 * precision * recall / (precision + recall)


def simple_match(prediction: str, gold: str) -> float:
    """The simple recipe's exact match: equal but for white space at the ends; case counts."""
    return float(prediction.strip() == gold.strip())


def simple_f1(prediction: str, gold: str) -> float:
    """The simple recipe's F1: of the SETS of lower-cased white-space tokens, 0 if one is empty.

    Against ``token_f1``: punctuation and articles count, a repeated token counts once.
    """
    ours, theirs = set(prediction.lower().split()), set(gold.lower().split())
    if not ours & theirs:
        return 0.0
    precision, recall = len(ours & theirs) / len(ours), len(ours & theirs) / len(theirs)
    return 2 * precision * recall / (precision + recall)


def golds_to_compare(answers: Sequence[str], format_name: str) -> Sequence[str]:
    """The answers a prediction is held against; the best of them counts.

    SQuAD 2.0 drops answers whose normal form is empty, and where none is left the right answer is
    the empty string. Elsewhere a question without answers has none to match.
    """
    if format_name != "squad2":
        return answers
    return [answer for answer in answers if normal_form(answer)] or [""]


def reading_units(
    gold: ReadingGold, predictions: Mapping[str, str], format_name: str, recipe: str = "official"
) -> Units:
    """A unit a question, with ``em`` and ``f1`` as fractions, both 0 where nothing is predicted.

    ``one`` is 1 everywhere, ``answered`` 1 where something is predicted, and ``in_<subgroup>``,
    ``answered_<subgroup>``, ``em_<subgroup>``, ``f1_<subgroup>`` are the same within a subgroup.
    """
    match, f1 = _scorers(format_name, recipe)
    ids = tuple(gold.answers)
    found: dict[str, Floats] = {
        "one": np.ones(len(ids)),
        "answered": np.array([float(name in predictions) for name in ids]),
        "em": np.zeros(len(ids)),
        "f1": np.zeros(len(ids)),
    }
    for position, name in enumerate(ids):
        if name in predictions:
            golds = golds_to_compare(gold.answers[name], format_name)
            said = predictions[name]
            found["em"][position] = max((match(said, right) for right in golds), default=0.0)
            found["f1"][position] = max((f1(said, right) for right in golds), default=0.0)
    for subgroup, members in gold.subgroups.items():
        inside = set(members)
        share = np.array([float(name in inside) for name in ids])
        found |= {
            f"{name}_{subgroup}": found[amount] * share
            for name, amount in (
                ("in", "one"),
                ("answered", "answered"),
                ("em", "em"),
                ("f1", "f1"),
            )
        }
    return Units(
        ids=ids,
        amounts=found,
        groups=group_numbers([gold.articles.get(name, f"\0{name}") for name in ids]),
    )


def _scorers(
    format_name: str, recipe: str
) -> tuple[Callable[[str, str], float], Callable[[str, str], float]]:
    if recipe == "simple":
        return simple_match, simple_f1
    if format_name == "squad1":
        return exact_match, lambda said, right: token_f1(said, right, both_empty=0.0)
    return exact_match, token_f1


def reading_measures(
    gold: ReadingGold, format_name: str, recipe: str = "official"
) -> list[Measure]:
    """The headline ``em`` and ``f1``, and the figures that go by names of their own.

    The denominator is every reference id, a missing one being 0. The official scripts differ in two
    places, and both figures are there: SQuAD 2.0's skips missing ids (so ``em`` and ``f1`` divide
    by the ids answered, ``em_all_ids`` and ``f1_all_ids`` by all), and OTT-QA's drops missing ids
    from the averages of its subgroups (``em_table_official`` beside ``em_table_all_ids``).
    """
    skips = format_name == "squad2" and recipe == "official"
    whole = ("answered", "reference ids answered") if skips else ("one", "all reference ids")
    found = [_measure("em", "em", *whole), _measure("f1", "f1", *whole)]
    if skips:
        found += [_measure(f"{m}_all_ids", m, "one", "all reference ids") for m in ("em", "f1")]
    for subgroup in gold.subgroups:
        for name in ("em", "f1"):
            part = f"{name}_{subgroup}"
            found += [
                _measure(f"{part}_official", part, f"answered_{subgroup}",
                         f"{subgroup} ids answered"),
                _measure(f"{part}_all_ids", part, f"in_{subgroup}", f"all {subgroup} ids"),
            ]  # fmt: skip
    return found


def _measure(name: str, part: str, whole: str, denominator: str) -> Measure:
    return Measure(
        name=name,
        part=part,
        whole=whole,
        denominator=denominator,
        scale=100.0,
        binary=part.startswith("em"),
    )
