"""Random numbers that follow from a seed and a purpose, and from nothing else."""

from __future__ import annotations

import random


def generator(*purpose: object) -> random.Random:
    """A generator of its own for each purpose: what one draws does not shift the others."""
    return random.Random(":".join(map(str, purpose)))  # noqa: S311 - nothing here is secret
