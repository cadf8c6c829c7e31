"""What becomes of a page: an article, a redirect, or nothing for a reason that is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.records import Article, Redirect
from pipeline.wikipedia.dump.languages import wikitext_site
from pipeline.wikipedia.dump.page_xml import Page, SiteInfo
from pipeline.wikipedia.dump.pages import drop_reason
from pipeline.wikipedia.wikitext.page import read_page, redirect_target

# More names of a partition's unknown templates than the manifest of all has, so that one which is
# rare everywhere but common in all is not lost.
_TEMPLATES_KEPT = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedPage:
    """A page that becomes neither article nor redirect."""

    reason: str
    title: str
    page_id: int | None


class PageSorter:
    """Decides what each page of a partition becomes, and counts."""

    def __init__(
        self, site: SiteInfo, *, max_characters: int, max_template_characters: int
    ) -> None:
        self._siteinfo = site
        self._site = wikitext_site(site)
        self._max_characters = max_characters
        self._max_template_characters = max_template_characters
        self._kept: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()
        self._blocks: Counter[str] = Counter()
        self._templates: Counter[str] = Counter()
        self._fallbacks: Counter[str] = Counter()

    def sort(self, page: Page) -> Article | Redirect | DroppedPage:
        """What this page becomes."""
        self._kept["pages"] += 1
        reason = drop_reason(page, self._siteinfo)
        if page.page_id is None or reason is not None:
            return self._drop(page, reason or "no page id")
        target = page.redirect or redirect_target(page.text, self._site)
        if target:
            self._kept["redirects"] += 1
            return Redirect(title=page.title, target=target, page_id=page.page_id)
        if page.redirect is not None:
            return self._drop(page, "redirect without target")
        return self._article(page, page.page_id)

    def _article(self, page: Page, page_id: int) -> Article:
        read = read_page(
            page.title,
            page.text,
            self._site,
            max_characters=self._max_characters,
            max_template_characters=self._max_template_characters,
        )
        self._kept["articles"] += 1
        self._blocks.update(block.kind for block in read.blocks)
        self._templates.update(read.unknown_templates)
        if read.fallback is not None:
            self._fallbacks[read.fallback] += 1
        return Article(
            page_id=page_id,
            revision_id=page.revision_id,
            title=page.title,
            blocks=read.blocks,
        )

    def _drop(self, page: Page, reason: str) -> DroppedPage:
        self._dropped[reason] += 1
        return DroppedPage(reason=reason, title=page.title, page_id=page.page_id)

    @property
    def pages(self) -> int:
        """How many pages were sorted."""
        return self._kept["pages"]

    def counts(self) -> dict[str, object]:
        """What was read and what became of it."""
        return {
            **{name: self._kept[name] for name in ("pages", "articles", "redirects")},
            "dropped": dict(sorted(self._dropped.items())),
            "blocks": dict(sorted(self._blocks.items())),
            "fallbacks": dict(sorted(self._fallbacks.items())),
            "unknown_templates": most_common(self._templates, _TEMPLATES_KEPT),
        }


def most_common(counter: Mapping[str, int], number: int) -> dict[str, int]:
    """The most frequent names, ties by name: the same whatever the order of counting."""
    ranked = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    return dict(ranked[:number])
