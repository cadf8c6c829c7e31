"""The pages of the dump: a region's articles, and the pages beside them that are no articles."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pipeline.sample.articles import Article
from pipeline.sample.dump import Page
from pipeline.sample.markup import article_wikitext, file_name
from pipeline.sample.seeds import generator
from pipeline.sample.world import Region

# Numbers of a region's pages begin at multiples of this, so that they follow from its number.
IDS_PER_REGION = 400


def region_pages(region: Region, articles: list[Article], seed: int) -> list[Page]:
    """All pages of a region, in the order of their numbers."""
    rng = generator(seed, "markup", region.number)
    pages: list[Page] = []
    for article in articles:
        entity = article.entity
        if entity.fate == "absent":
            continue
        page_id = page_id_of(region, article)
        pages.append(Page(page_id, entity.title, article_wikitext(region, article, articles, rng)))
    ids = 1100 + region.number * IDS_PER_REGION
    taken = {page.title for page in pages}
    for page in _other_pages(region, articles, rng):
        if page.title in taken:
            continue
        taken.add(page.title)
        pages.append(Page(ids, page.title, page.wikitext, page.namespace, page.target))
        ids += 1
    return pages


def page_id_of(region: Region, article: Article) -> int:
    """The number of an article's page."""
    return 1000 + region.number * IDS_PER_REGION + article.entity.number


def _other_pages(region: Region, articles: list[Article], rng: random.Random) -> Iterator[Page]:
    """Redirects, disambiguation pages, and pages that are no articles at all."""
    by_word: dict[str, list[str]] = {}
    for article in articles:
        entity = article.entity
        if entity.fate == "absent":
            continue
        if entity.title != entity.old_title:
            text = f"#REDIRECT [[{entity.title}]]\n\n{{{{R from move}}}}\n"
            yield Page(0, entity.old_title, text, target=entity.title)
        if entity.kind.person:
            short = f"{entity.old_title[0]}. {entity.short}"
            text = f"#redirect [[{entity.title}#Career]]"
            yield Page(0, f"{short} ({region.province})", text, target=entity.title)
        for word in entity.old_title.replace("–", " ").split():
            if word in region.places:
                by_word.setdefault(word, []).append(entity.title)
        if rng.random() < 0.25:
            talk = f"== Sources ==\nWhich {entity.kind.noun}? --[[User:Sample writer|S.]]"
            yield Page(0, f"Talk:{entity.title}", talk, namespace=1)
        if rng.random() < 0.2:
            yield Page(0, f"File:{file_name(article)}", "{{Information|author=S.}}", namespace=6)
    for word, titles in sorted(by_word.items()):
        if len(titles) > 2:
            lines = "\n".join(f"* [[{title}]]" for title in titles)
            text = f"'''{word}''' may refer to:\n\n{lines}\n\n{{{{disambiguation}}}}\n"
            yield Page(0, f"{word} (disambiguation)", text)
    yield Page(
        0, f"Template:{region.province} topics", f"{{{{Navbox|title={region.province}}}}}",
        namespace=10,
    )  # fmt: skip
    yield Page(0, f"Category:{region.province}", "[[Category:Provinces]]", namespace=14)
