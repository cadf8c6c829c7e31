"""Figures that are shares of sums over units, with intervals, slices and paired tests.

A unit is what is counted: a question, or a section of one. Every measure of the evaluators is a sum
of one amount over the units, divided by the sum of another: MAP divides average precision by 1 a
question, precision divides right predictions by predictions. Intervals and tests draw whole groups
of units, since questions about one article belong together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipeline.evaluation.intervals import wilson
from pipeline.evaluation.paired import discordant, holm, mcnemar
from pipeline.evaluation.precision import Interval
from pipeline.matching.scoring import Floats, Ints

INTERVAL_SAMPLES = 2000
# A test draws this often, less often of very many groups, whose samples take long.
TEST_SAMPLES = 10000
_DRAWS_OF_A_TEST = 200_000_000
SEED = 20160820
# Numbers that a batch of bootstrap samples may take.
_DRAWN_TOGETHER = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """``scale`` × the sum of ``part`` over the sum of ``whole``; 0 where the whole is 0.

    ``denominator`` says in words what the whole counts. ``binary``: each unit is 0 or 1, so that a
    share has a Wilson interval and two runs are compared by McNemar's test.
    """

    name: str
    part: str
    whole: str
    denominator: str
    scale: float = 1.0
    binary: bool = False

    def of(self, part: Floats | float, whole: Floats | float) -> Floats:
        """The measure of sums, one each or an array of samples each."""
        parts, wholes = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
        scaled = self.scale * parts
        found: Floats = np.divide(scaled, wholes, out=np.zeros_like(scaled), where=wholes > 0)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """Units in order: their ids, their amounts by name, the group and the slices of each.

    ``slices`` has, by the name of a breakdown, the values that each unit counts in: none, one, or
    several, as a question of two types does.
    """

    ids: tuple[str, ...]
    amounts: Mapping[str, Floats]
    groups: Ints
    slices: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)

    def chosen(self, positions: Sequence[int]) -> Units:
        """Some of the units, without their slices."""
        at = np.array(positions, dtype=np.int64)
        return Units(
            ids=tuple(self.ids[position] for position in positions),
            amounts={name: values[at] for name, values in self.amounts.items()},
            groups=self.groups[at],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One measure of two runs on the same units; ``p`` is two-sided, ``holm`` over the table."""

    measure: str
    ours: float
    theirs: float
    difference: Interval
    test: str
    p: float
    holm: float = 1.0

    def as_json(self) -> dict[str, Any]:
        """All of it, at full precision."""
        return {
            "ours": self.ours,
            "theirs": self.theirs,
            "difference": self.difference.value,
            "low": self.difference.low,
            "high": self.difference.high,
            "test": self.test,
            "p": self.p,
            "p_holm": self.holm,
        }


def group_numbers(names: Sequence[str]) -> Ints:
    """A number for each distinct name, in the order in which they first occur."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


def figures(units: Units, measures: Sequence[Measure]) -> dict[str, Interval]:
    """The measures with their 95% intervals.

    Wilson's for a binary measure of units that are no groups, else percentiles of a bootstrap over
    groups. Without units all are 0, from 0 to 0.
    """
    samples = _samples(units.amounts, measures, units.groups, INTERVAL_SAMPLES)
    alone = len(set(units.groups.tolist())) == len(units.ids)
    return {
        measure.name: _figure(measure, units, samples, wilsons=alone and measure.binary)
        for measure in measures
    }


def by_slice(
    units: Units, measures: Sequence[Measure]
) -> dict[str, dict[str, tuple[int, dict[str, Interval]]]]:
    """By breakdown and value: the number of units and their figures. Values in sorted order."""
    found: dict[str, dict[str, tuple[int, dict[str, Interval]]]] = {}
    for name, values in units.slices.items():
        members: dict[str, list[int]] = {}
        for position, mine in enumerate(values):
            for value in dict.fromkeys(mine):
                members.setdefault(value, []).append(position)
        found[name] = {
            value: (len(positions), figures(units.chosen(positions), measures))
            for value, positions in sorted(members.items())
        }
    return found


def compared(ours: Units, theirs: Units, measures: Sequence[Measure]) -> list[Difference]:
    """Each measure of two runs on the same units in the same order, Holm's p over all of them.

    Binary measures by McNemar's exact test, the others by a paired bootstrap over groups: how often
    does a sample's difference stray from the observed one as far as that is from 0?
    """
    if ours.ids != theirs.ids:
        raise ValueError("two runs are compared on the same units only")
    needed = sorted({name for measure in measures for name in (measure.part, measure.whole)})
    joint = {f"0{name}": ours.amounts[name] for name in needed}
    joint |= {f"1{name}": theirs.amounts[name] for name in needed}
    affordable = _DRAWS_OF_A_TEST // max(len(set(ours.groups.tolist())), 1)
    samples_drawn = min(TEST_SAMPLES, max(INTERVAL_SAMPLES, affordable))
    sums = _sums(joint, ours.groups, samples_drawn)
    found = []
    for measure in measures:
        one, other = _value(measure, ours), _value(measure, theirs)
        samples = measure.of(sums[f"0{measure.part}"], sums[f"0{measure.whole}"]) - measure.of(
            sums[f"1{measure.part}"], sums[f"1{measure.whole}"]
        )
        difference = one - other
        if measure.binary:
            right = ours.amounts[measure.part] > 0, theirs.amounts[measure.part] > 0
            test, p = "McNemar", mcnemar(*discordant(*right))
        else:
            test, p = "paired bootstrap", _bootstrap_p(difference, samples)
        found.append(
            Difference(
                measure=measure.name,
                ours=one,
                theirs=other,
                difference=_interval(difference, samples),
                test=test,
                p=p,
            )
        )
    return adjusted(found)


def adjusted(differences: Sequence[Difference]) -> list[Difference]:
    """The same differences with Holm's p over all of them: those of one table."""
    import dataclasses

    values = holm([entry.p for entry in differences])
    return [
        dataclasses.replace(entry, holm=value)
        for entry, value in zip(differences, values, strict=True)
    ]


def _bootstrap_p(difference: float, samples: Floats) -> float:
    """The share of samples that stray as far from the difference as it is from 0, and itself."""
    if difference == 0 or len(samples) == 0:
        return 1.0
    strayed = np.abs(samples - difference) >= abs(difference) - 1e-12
    return float((1 + strayed.sum()) / (1 + len(samples)))


def _figure(
    measure: Measure, units: Units, samples: Mapping[str, Floats], *, wilsons: bool
) -> Interval:
    value = _value(measure, units)
    if wilsons and units.ids:
        part = round(math.fsum(units.amounts[measure.part]))
        low, high = wilson(part, round(math.fsum(units.amounts[measure.whole])))
        return Interval(value, measure.scale * low, measure.scale * high)
    return _interval(value, samples[measure.name])


def _value(measure: Measure, units: Units) -> float:
    part = math.fsum(units.amounts[measure.part])
    return float(measure.of(part, math.fsum(units.amounts[measure.whole])))


def _interval(value: float, samples: Floats) -> Interval:
    if len(samples) == 0:
        return Interval(value, value, value)
    low, high = np.percentile(samples, [2.5, 97.5])
    return Interval(value, float(low), float(high))


def _samples(
    amounts: Mapping[str, Floats], measures: Sequence[Measure], groups: Ints, count: int
) -> dict[str, Floats]:
    needed = {name for measure in measures for name in (measure.part, measure.whole)}
    sums = _sums({name: amounts[name] for name in sorted(needed)}, groups, count)
    return {
        measure.name: measure.of(sums[measure.part], sums[measure.whole]) for measure in measures
    }


def _sums(amounts: Mapping[str, Floats], groups: Ints, count: int) -> dict[str, Floats]:
    """The sum of each amount in each bootstrap sample of whole groups; shapes (samples,)."""
    if len(groups) == 0:
        return {name: np.zeros(0) for name in amounts}
    _, position = np.unique(groups, return_inverse=True)
    number = int(position.max()) + 1
    totals = np.column_stack(
        [np.bincount(position, weights=values, minlength=number) for values in amounts.values()]
    )
    drawn = np.vstack([times @ totals for times in _draws(number, count)])
    return {name: drawn[:, column] for column, name in enumerate(amounts)}


def _draws(groups: int, count: int) -> Iterator[Floats]:
    """How often each group is drawn, some samples at a time; shapes (samples, groups)."""
    generator = np.random.default_rng(SEED)
    together = max(1, min(count, _DRAWN_TOGETHER // groups))
    for start in range(0, count, together):
        drawn = np.zeros((min(together, count - start), groups))
        for row in drawn:
            row[:] = np.bincount(generator.integers(groups, size=groups), minlength=groups)
        yield drawn
