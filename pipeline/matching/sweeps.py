"""Many weights and thresholds over the same cosines, at the cost of a few array operations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.matching.scoring import Floats, Ints, cosine_similarity

_STEPS = 10
# Rows of all weights that are held at once: some 100 MB.
_ROWS_AT_ONCE = 200_000


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
    set aside first, which leaves one or two of an owner's many.
    """
    found = np.full((len(weights), owners), -1.0)
    if len(owner) == 0:
        return found
    order = np.argsort(owner, kind="stable")
    shorter = np.minimum(np.minimum(answer_tokens, sentence_tokens), 3)
    kept = order[_undominated(cosines[order], owner[order], shorter[order])]
    starts = np.flatnonzero(np.diff(owner[kept], prepend=-1))
    blocks = np.unique(np.searchsorted(starts, np.arange(0, len(kept), _ROWS_AT_ONCE), "right") - 1)
    for first, last in zip(blocks, [*blocks[1:], len(starts)], strict=True):
        end = starts[last] if last < len(starts) else len(kept)
        rows = kept[starts[first] : end]
        for number, triple in enumerate(weights):
            similarity = cosine_similarity(
                cosines[rows], triple, short_sentences, answer_tokens[rows], sentence_tokens[rows]
            )
            best = np.maximum.reduceat(similarity, starts[first:last] - starts[first])
            found[number, owner[kept[starts[first:last]]]] = best
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


def _undominated(cosines: Floats, owner: Ints, shorter: Ints) -> Ints:
    """Positions of rows that may be their owner's best under some weights; owners ascend.

    Each row is compared with the owner's row of the highest sum. One that is no higher in any
    cosine, and that no division by reachable weights can lift, is not needed.
    """
    starts = np.flatnonzero(np.diff(owner, prepend=owner[0] - 1))
    sums = cosines.sum(axis=1)
    sizes = np.diff([*starts, len(owner)])
    highest = np.repeat(np.maximum.reduceat(sums, starts), sizes)
    leaders = np.flatnonzero(sums == highest)
    leaders = leaders[np.flatnonzero(np.diff(owner[leaders], prepend=owner[0] - 1))]
    leader = np.repeat(leaders, sizes)
    needed = (cosines > cosines[leader]).any(axis=1) | (shorter < shorter[leader])
    needed[leaders] = True
    return np.flatnonzero(needed)
