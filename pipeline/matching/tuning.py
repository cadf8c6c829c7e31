"""Fitting the learned scorer, and judging any scorer on pairs that it was not fitted on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.matching.best import ScoreColumns
from pipeline.matching.features import FEATURES
from pipeline.matching.model import INPUTS, INPUTS_WITH_ANSWERS, LinearModel, inputs_of
from pipeline.matching.scoring import Floats, Ints, learned_similarity

FOLDS = 10
_INNER_FOLDS = 5
# Strength of the L2 penalty's inverse: few pairs, many inputs that say much the same.
_C = 0.15
# The first fit looks at each passage's window of highest idf cosine, the next at the one that the
# fit before holds to be best.
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class JudgedColumns:
    """Judged pairs as scored: pair n is question n of ``columns``.

    ``labels`` are 1 for right and 0 for wrong, ``weights`` inverse inclusion probabilities,
    ``groups`` numbers that pairs share which must not be told apart; shapes (pairs,).
    """

    columns: ScoreColumns
    labels: Ints
    weights: Floats
    groups: Ints

    def __len__(self) -> int:
        return len(self.labels)

    def inputs(self, names: Sequence[str] = INPUTS) -> Floats:
        """What a model sees of each window; shape (rows, names)."""
        return inputs_of(self.columns.features, names)

    def highest(self, similarity: Floats) -> Floats:
        """Each pair's similarity, that of its best window; shape (pairs,)."""
        best = np.zeros(len(self))
        np.maximum.at(best, self.columns.question, similarity)
        return best


def connected_groups(keys: Sequence[Iterable[Hashable]]) -> Ints:
    """One number a component: items that share a key, directly or through others, belong together.

    Numbers follow the order in which components first occur.
    """
    parents = list(range(len(keys)))

    def root(item: int) -> int:
        while parents[item] != item:
            parents[item] = parents[parents[item]]
            item = parents[item]
        return item

    first_with: dict[Hashable, int] = {}
    for item, shared in enumerate(keys):
        for key in shared:
            one, other = root(item), root(first_with.setdefault(key, item))
            parents[max(one, other)] = min(one, other)
    roots = [root(item) for item in range(len(keys))]
    _, numbers = np.unique(np.array(roots, dtype=np.int64), return_inverse=True)
    return np.asarray(numbers, dtype=np.int64)


def fold_numbers(groups: Ints, folds: int, seed: int) -> Ints:
    """A fold for each item, all of a group in one: groups by size, each to the smallest fold."""
    names, sizes = np.unique(groups, return_counts=True)
    order = np.random.default_rng(seed).permutation(len(names))
    order = order[np.argsort(-sizes[order], kind="stable")]
    held = np.zeros(folds, dtype=np.int64)
    fold_of = np.zeros(len(names), dtype=np.int64)
    for name in order:
        smallest = int(np.argmin(held))
        fold_of[name] = smallest
        held[smallest] += sizes[name]
    return fold_of[np.searchsorted(names, groups)]


# From the judged pairs and a mask of those to learn from, the similarity of every pair.
Scorer = Callable[[JudgedColumns, "Ints"], Floats]


def fit_model(
    judged: JudgedColumns, chosen: Ints, threshold: float | None = 0.5, trained_on: str = "",
    names: tuple[str, ...] = INPUTS,
) -> LinearModel:  # fmt: skip
    """A logistic regression on the best windows of the chosen pairs, each pair counting the same.

    Weights are left out: they say how often a kind of pair occurs in one collection, and pairs
    that are rare there are as good a lesson.
    """
    from sklearn.linear_model import LogisticRegression

    if len(set(judged.labels[chosen].tolist())) < 2:
        return _undecided_model(judged.labels[chosen], threshold, trained_on, names)
    inputs = judged.inputs(names)
    current: Floats = judged.columns.features[:, list(FEATURES).index("idf_cosine_1")]
    model = None
    for _ in range(_ROUNDS):
        rows = _best_rows(judged.columns.question, current)[chosen]
        means, scales = inputs[rows].mean(axis=0), inputs[rows].std(axis=0)
        scales[scales == 0] = 1.0
        fitted = LogisticRegression(C=_C, solver="newton-cholesky").fit(
            (inputs[rows] - means) / scales, judged.labels[chosen]
        )
        model = LinearModel(
            means=tuple(means.tolist()),
            scales=tuple(scales.tolist()),
            coefficients=tuple(fitted.coef_[0].tolist()),
            intercept=float(fitted.intercept_[0]),
            threshold=threshold,
            trained_on=trained_on,
            inputs=names,
        )
        current = model.probability(inputs)
    if model is None:  # pragma: no cover
        raise ValueError("no round of fitting")
    return model


def _undecided_model(
    labels: Ints, threshold: float | None, trained_on: str, names: tuple[str, ...]
) -> LinearModel:
    """What is learnt from right pairs alone or wrong ones alone: nothing but that."""
    zeros, ones = (0.0,) * len(names), (1.0,) * len(names)
    return LinearModel(
        means=zeros,
        scales=ones,
        coefficients=zeros,
        intercept=3.0 if labels.any() else -3.0,
        threshold=threshold,
        trained_on=trained_on,
        inputs=names,
    )


def learned(judged: JudgedColumns, chosen: Ints) -> Floats:
    """The scorer that is fitted on the chosen pairs; a similarity for every pair."""
    model = fit_model(judged, chosen)
    return judged.highest(learned_similarity(model, judged.columns.features))


def learned_with_answers(judged: JudgedColumns, chosen: Ints) -> Floats:
    """The same with the short answers of the corpora for an input."""
    model = fit_model(judged, chosen, names=INPUTS_WITH_ANSWERS)
    return judged.highest(learned_similarity(model, judged.columns.features))


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """Similarities of pairs from fits without their fold, and the threshold for each.

    ``thresholds`` were chosen on the other folds only, on similarities from fits that had seen
    neither those nor this fold; shapes (pairs,).
    """

    similarity: Floats
    thresholds: Floats


def cross_validate(
    judged: JudgedColumns, scorer: Scorer, choose: Callable[[Ints, Floats, Floats], float],
    seed: int,
) -> CrossValidated:  # fmt: skip
    """Score every pair by a fit on the other folds, and choose its threshold on them.

    ``choose(labels, similarity, weights)`` gives a threshold.
    """
    folds = fold_numbers(judged.groups, FOLDS, seed)
    similarity, thresholds = np.zeros(len(judged)), np.zeros(len(judged))
    for fold in range(FOLDS):
        here = np.flatnonzero(folds == fold)
        others = np.flatnonzero(folds != fold)
        if len(here) == 0:
            continue
        similarity[here] = scorer(judged, others)[here]
        inner = fold_numbers(judged.groups[others], _INNER_FOLDS, seed)
        unseen = np.zeros(len(others))
        for number in range(_INNER_FOLDS):
            left_out = inner == number
            if left_out.any():
                unseen[left_out] = scorer(judged, others[~left_out])[others[left_out]]
        thresholds[here] = choose(judged.labels[others], unseen, judged.weights[others])
    return CrossValidated(similarity, thresholds)


def _best_rows(owner: Ints, similarity: Floats) -> Ints:
    """The row of highest similarity of each owner, the first of equals; owners from 0 on."""
    order = np.lexsort((np.arange(len(owner)), -similarity, owner))
    first = np.ones(len(order), dtype=bool)
    first[1:] = owner[order][1:] != owner[order][:-1]
    return order[first]
