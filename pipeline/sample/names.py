"""Invented names: every stem has a number, and no two numbers give the same stem."""

from __future__ import annotations

import random

from pipeline.sample.catalog import Catalog

# Coprime to the number of stems, so that neighbours in number are strangers in spelling.
_STEP = 49_957
_PREFIXES = ("", "Upper ", "Nether ", "Great ", "Little ", "Old ", "New ", "East ", "West ")


def stem(catalog: Catalog, seed: int, number: int) -> str:
    """The stem of a number: three syllables, of which the first two have a fixed length."""
    heads, middles, tails = (
        catalog.words[name] for name in ("place_heads", "place_middles", "place_tails")
    )
    total = len(heads) * len(middles) * len(tails)
    turn, place = divmod(number, total)
    index = (place * _STEP + seed * 7919) % total
    index, tail = divmod(index, len(tails))
    head, middle = divmod(index, len(middles))
    prefix = _PREFIXES[turn % len(_PREFIXES)] * (1 + turn // len(_PREFIXES))
    return prefix + (heads[head] + middles[middle] + tails[tail]).capitalize()


def stem_count(catalog: Catalog) -> int:
    """How many stems there are before a prefix is needed."""
    words = catalog.words
    return len(words["place_heads"]) * len(words["place_middles"]) * len(words["place_tails"])


def given_name(catalog: Catalog, rng: random.Random) -> tuple[str, bool]:
    """A given name, and whether it is a woman's."""
    female = rng.random() < 0.5
    return rng.choice(catalog.words["given_female" if female else "given_male"]), female
