"""Many weights and thresholds over the same cosines, at the cost of a few array operations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.matching.scoring import Floats, Ints, cosine_similarity, in_range

_STEPS = 10


def weight_triples() -> Floats:
    """All weights of three orders in steps of a tenth that sum to 1; shape (66, 3)."""
    return np.array(
        [
            (one, two, _STEPS - one - two)
            for one in range(_STEPS + 1)
            for two in range(_STEPS + 1 - one)
        ],
        dtype=np.float64,
    ) / float(_STEPS)


def thresholds() -> Floats:
    """0.01, 0.02 … 1; shape (100,)."""
    return np.arange(1, 101) / 100.0


def highest_by_weights(
    cosines: Floats, owner: Ints, owners: int, weights: Floats, short_sentences: str,
    answer_tokens: Ints, sentence_tokens: Ints,
) -> Floats:  # fmt: skip
    """The highest similarity of each owner's rows under each triple; shape (triples, owners).

    -1 for an owner without rows. Rows that another of the same owner beats under every weight are
    set aside first, which leaves a few of an owner's many.
    """
    found = np.full((len(weights), owners), -1.0)
    if len(owner) == 0:
        return found
    kept = np.arange(len(owner)) if _ascends(owner) else np.argsort(owner, kind="stable")
    shorter = np.minimum(np.minimum(answer_tokens, sentence_tokens), 3)
    for guide in np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]):
        kept = kept[_undominated(cosines[kept], owner[kept], shorter[kept], guide)]
    starts = np.flatnonzero(np.diff(owner[kept], prepend=-1))
    at = owner[kept[starts]]
    values, lengths = cosines[kept], (answer_tokens[kept], sentence_tokens[kept])
    for number, triple in enumerate(weights):
        if short_sentences == "paper":  # what is rounded last need be rounded once an owner
            found[number, at] = in_range(np.maximum.reduceat(values @ triple, starts))
        else:
            similarity = cosine_similarity(values, triple, short_sentences, *lengths)
            found[number, at] = np.maximum.reduceat(similarity, starts)
    return found


def counts_at(highest: Floats, at: Sequence[float] | Floats) -> Ints:
    """How many owners reach each threshold under each triple; shape (triples, thresholds).

    ``at`` ascends.
    """
    edges = np.asarray(at, dtype=np.float64)
    found = np.zeros((len(highest), len(edges)), dtype=np.int64)
    for number, row in enumerate(highest):
        reached = np.bincount(np.searchsorted(edges, row, "right"), minlength=len(edges) + 1)
        found[number] = reached[::-1].cumsum()[::-1][1:]
    return found


def _ascends(owner: Ints) -> bool:
    return bool((owner[1:] >= owner[:-1]).all())


def _undominated(cosines: Floats, owner: Ints, shorter: Ints, guide: Floats) -> Ints:
    """Positions of rows that may be their owner's best under some weights; owners ascend.

    Each row is compared with the owner's best under the weights of ``guide``. One that is no higher
    in any cosine, and that no division by reachable weights can lift, is not needed.
    """
    starts = np.flatnonzero(np.diff(owner, prepend=owner[0] - 1))
    sizes = np.diff([*starts, len(owner)])
    guided = cosines @ guide
    highest = np.repeat(np.maximum.reduceat(guided, starts), sizes)
    leaders = np.flatnonzero(guided == highest)
    leaders = leaders[np.flatnonzero(np.diff(owner[leaders], prepend=owner[0] - 1))]
    needed = shorter < np.repeat(shorter[leaders], sizes)
    for column in cosines.T:
        needed |= column > np.repeat(column[leaders], sizes)
    needed[leaders] = True
    return np.flatnonzero(needed)
