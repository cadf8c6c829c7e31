"""The figures of the report on robustness: from judges, and without any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipeline.config import Match
from pipeline.config.sections import Robustness
from pipeline.evaluation.agreement import Agreement, agreements, pooled
from pipeline.evaluation.cases import ACTIVE, Case, MappedPair, drawn
from pipeline.evaluation.judgments import merged
from pipeline.evaluation.robustness import JudgedPair, PairKey, robustness
from pipeline.evaluation.summary import threshold_key
from pipeline.evaluation.unjudged import TITLE_FREE, unjudged_figures
from pipeline.files import text_sha1
from pipeline.matching.best import ScoreColumns, best_windows, reference_rows


def judged_figures(
    found: Iterable[Case],
    answers: Mapping[str, Sequence[str]],
    known: Mapping[str, tuple[str, str]],
    judgments: Sequence[JudgedPair],
    settings: Robustness,
) -> tuple[dict[str, dict[str, Any]], list[JudgedPair]]:
    """What judges said of each case's sample, and the judgments that are about a sample.

    ``answers`` gives each question's answer sentences, ``known`` each passage's text hash and
    title. The figures are ``robustness`` and, where two judges judged a pair, ``agreement``.
    """
    judged = merged(judgments)

    def key_of(pair: MappedPair) -> PairKey:
        return text_sha1(answers[pair.question_id][pair.answer_index]), known[pair.passage_id][0]

    figures: dict[str, Any] = {}
    sampled: set[PairKey] = set()
    for case in found:
        sample = drawn(
            case, key_of, lambda pair: known[pair.passage_id][1], judged,
            settings.sample_size, settings.seed,
        )  # fmt: skip
        sampled.update(sample)
        for key, value in {**robustness(sample, judged), "sample": len(sample)}.items():
            figures[f"{case.name}_{key}"] = value
    about = [pair for pair in judgments if pair.key in sampled]
    both = agreements(about)
    return {
        "robustness": figures,
        **({"agreement": _agreement_figures(both)} if both else {}),
    }, about


def unjudged_by_rule(
    columns: ScoreColumns, match: Match, thresholds: Iterable[float]
) -> dict[str, Any]:
    """Title agreement and decoy rate, of the reference at each threshold and as configured."""
    reference, plain = columns.reference(), reference_rows(columns)
    rules = {
        threshold_key(theta): unjudged_figures(columns, reference, plain, theta, titles=True)
        for theta in thresholds
    }
    active = columns.active(match)
    within = best_windows(columns, active, match.depth)
    within = within[columns.passage[within] >= 0]
    rules[ACTIVE] = unjudged_figures(
        columns, active, within, match.threshold, titles=match.scorer in TITLE_FREE
    )
    return {f"{rule}_{key}": value for rule, found in rules.items() for key, value in found.items()}


def _agreement_figures(found: Iterable[Agreement]) -> dict[str, Any]:
    """All comparisons of two judges together: a share of the pairs that both decided."""
    both = pooled(found)
    shares = {
        "raw_percent": None if both.raw is None else 100 * both.raw,
        "kappa": both.kappa,
        "ac1": both.ac1,
    }
    return {
        "decided": both.decided,
        **{key: round(value, 4) for key, value in shares.items() if value is not None},
    }
