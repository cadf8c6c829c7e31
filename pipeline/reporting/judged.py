"""The tables on robustness: what judges said, what needs no judge, how far judges agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.evaluation.agreement import Agreement, agreements, judge_name
from pipeline.evaluation.robustness import JudgedPair
from pipeline.reporting.tables import Metrics, Table


def robustness_tables(
    metrics: Metrics, names: Mapping[str, str], judged: Sequence[JudgedPair]
) -> list[Table]:
    """What judges said, where any did; what needs none; agreement, where two judged the same."""
    found = [unjudged_table(metrics, names)]
    if judged:
        judges = sorted({judge_name(pair) for pair in judged if not pair.known_wrong})
        found.insert(0, robustness_table(metrics, names, judges))
    if both := agreements(judged):
        found.append(agreement_table(both))
    return found


def robustness_table(metrics: Metrics, names: Mapping[str, str], judges: Sequence[str]) -> Table:
    """ρ of each case, a row a case; ``names`` gives each case's key its words."""
    rows = []
    for key, words in names.items():
        cells = [
            _judged(by_split["all"].get("robustness", {}), key) for by_split in metrics.values()
        ]
        rows.append((words, *cells))
    by_whom = f" Judged by {', '.join(judges)}." if judges else ""
    note = (
        "Percent of the judged passages that state the answer's fact, with a 95% interval whose "
        "lower end counts undecided pairs as wrong and whose upper end as right; then how many of "
        "the sample are judged. Sampled are articles whose judgments are for reporting (a half of "
        f"all, by a hash), never those that tune.{by_whom}"
    )
    return Table("Robustness by judges", note, ("", *metrics), tuple(rows))


def unjudged_table(metrics: Metrics, names: Mapping[str, str]) -> Table:
    """Title agreement and decoy rate of each case, with their denominators."""
    rows = []
    for key, words in names.items():
        for figure, title in (("title", "title agreement"), ("decoy", "decoy rate")):
            cells = [
                _share(by_split["all"].get("robustness", {}), f"{key}_{figure}")
                for by_split in metrics.values()
            ]
            if any(cell != "–" for cell in cells):
                rows.append((f"{words}: {title}", *cells))
    note = (
        "Title agreement: percent of the mapped questions that name an article whose best passage "
        "is of that article (in brackets: how many those are); left out for scorers that look at "
        "titles. Decoy rate: percent of the questions that name an article which are still mapped "
        "when that article's passages are taken away."
    )
    return Table("Robustness without judges", note, ("", *metrics), tuple(rows))


def agreement_table(found: Sequence[Agreement]) -> Table:
    """Every two judges on the pairs that both decided."""
    rows = tuple(
        (
            f"{entry.one}, {entry.other}",
            f"{entry.decided:,}",
            f"{entry.undecided:,}",
            f"{entry.both_right:,} / {entry.both_wrong:,}",
            f"{entry.only_one + entry.only_other:,}",
            "–" if entry.raw is None else f"{100 * entry.raw:.2f}",
            "–" if entry.kappa is None else f"{entry.kappa:.3f}",
            "–" if entry.ac1 is None else f"{entry.ac1:.3f}",
        )
        for entry in found
    )
    head = ("judges", "both decided", "undecided", "both right / wrong", "differ", "agreement %",
            "Cohen's kappa", "Gwet's AC1")  # fmt: skip
    note = "On the pairs of the samples that both judges decided."
    return Table("Agreement between judges", note, head, rows)


def _judged(figures: Mapping[str, float], key: str) -> str:
    sample = figures.get(f"{key}_sample")
    if sample is None:
        return "–"
    share = "–"
    if f"{key}_percent" in figures:
        low, high = figures[f"{key}_low"], figures[f"{key}_high"]
        share = f"{figures[f'{key}_percent']:.2f} [{low:.1f}–{high:.1f}]"
    return f"{share}, {figures[f'{key}_judged']} of {sample}"


def _share(figures: Mapping[str, float], key: str) -> str:
    count = figures.get(f"{key}_named", 0)
    return f"{figures[f'{key}_percent']:.2f} ({count:,})" if count else "–"
