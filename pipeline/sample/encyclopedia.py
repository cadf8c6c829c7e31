"""The whole encyclopedia as a stream of regions: both editions, and the questions to the older."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.sample.articles import Article, make_articles
from pipeline.sample.catalog import load_catalog
from pipeline.sample.editions import drift
from pipeline.sample.questions import Asked, Ledger, ask_questions
from pipeline.sample.seeds import generator
from pipeline.sample.world import REGION, Region, make_region


@dataclass(frozen=True, slots=True, eq=False)
class Chapter:
    """One region's articles in both editions, and what the corpora ask of the older one."""

    region: Region
    articles: list[Article]
    asked: list[Asked]


def chapters(articles: int, seed: int) -> Iterator[Chapter]:
    """The regions one by one, with ``articles`` articles in the newer edition altogether."""
    catalog = load_catalog()
    ledger = Ledger()
    for number, start in enumerate(range(0, articles, REGION)):
        region = make_region(catalog, seed, number, min(REGION, articles - start))
        made = make_articles(region, seed)
        asked = ask_questions(region, made, ledger, seed)
        rng = generator(seed, "drift", number)
        for article in made:
            drift(article, region.source(article.entity), rng)
        yield Chapter(region, made, asked)
