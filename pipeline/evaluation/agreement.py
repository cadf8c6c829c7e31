"""How far judges agree: raw, Cohen's kappa and Gwet's AC1."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.evaluation.robustness import JudgedPair, PairKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Two judges over the pairs that both decided.

    ``both_right``, ``both_wrong``, ``only_one`` and ``only_other`` (who said right) add up to
    ``decided``; pairs that either left undecided are only counted.
    """

    one: str
    other: str
    both_right: int
    both_wrong: int
    only_one: int
    only_other: int
    undecided: int

    @property
    def decided(self) -> int:
        """How many pairs both decided: the denominator of all three."""
        return self.both_right + self.both_wrong + self.only_one + self.only_other

    @property
    def raw(self) -> float | None:
        """Share of the decided pairs with the same label; None without any."""
        return (self.both_right + self.both_wrong) / self.decided if self.decided else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa: chance is that each judge keeps to an own share of right pairs.

        J. Cohen, A coefficient of agreement for nominal scales, 1960. None where both judges gave
        every pair the same label: chance alone explains that.
        """
        one, other = self._shares()
        return self._beyond(one * other + (1 - one) * (1 - other))

    @property
    def ac1(self) -> float | None:
        """Gwet's AC1: like kappa, but steady where nearly all pairs are right.

        K. L. Gwet, Computing inter-rater reliability and its variance in the presence of high
        agreement, 2008.
        """
        share = sum(self._shares()) / 2
        return self._beyond(2 * share * (1 - share))

    def _shares(self) -> tuple[float, float]:
        total = max(self.decided, 1)
        return (self.both_right + self.only_one) / total, (
            self.both_right + self.only_other
        ) / total

    def _beyond(self, chance: float) -> float | None:
        if self.raw is None or chance >= 1:
            return None
        return (self.raw - chance) / (1 - chance)


def judge_name(pair: JudgedPair) -> str:
    """A judge as people read it: the name, and whether it is a person or a program."""
    return f"{pair.judge or 'unnamed'} ({pair.judge_kind or 'kind not said'})"


def agreements(judgments: Iterable[JudgedPair]) -> list[Agreement]:
    """The agreement of every two judges who judged a pair in common, by name."""
    labels: dict[str, dict[PairKey, str]] = {}
    for pair in judgments:
        if not pair.known_wrong:
            known = labels.setdefault(judge_name(pair), {})
            same = known.get(pair.key, pair.label) == pair.label
            known[pair.key] = pair.label if same else "?"
    found = []
    for one, other in itertools.combinations(sorted(labels), 2):
        shared = labels[one].keys() & labels[other].keys()
        if shared:
            counted = [(labels[one][key], labels[other][key]) for key in shared]
            found.append(
                Agreement(
                    one=one,
                    other=other,
                    both_right=counted.count(("1", "1")),
                    both_wrong=counted.count(("0", "0")),
                    only_one=counted.count(("1", "0")),
                    only_other=counted.count(("0", "1")),
                    undecided=sum("?" in labels for labels in counted),
                )
            )
    return found


def pooled(found: Iterable[Agreement]) -> Agreement:
    """All comparisons of two judges in one table."""
    entries = list(found)
    names = ("both_right", "both_wrong", "only_one", "only_other", "undecided")
    sums = {name: sum(getattr(entry, name) for entry in entries) for name in names}
    return Agreement(one="", other="", **sums)
