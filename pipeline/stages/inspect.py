"""Command inspect: what becomes of one page, block by block, for a person to read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline import files
from pipeline.config import Config
from pipeline.errors import InputError
from pipeline.records import Article, Passage
from pipeline.wikipedia.dump.languages import wikitext_site
from pipeline.wikipedia.dump.pages import read_pages, read_siteinfo
from pipeline.wikipedia.dump.streams import detect_compression, read_file
from pipeline.wikipedia.segmentation.passages import passages_of, rules_of
from pipeline.wikipedia.segmentation.sentences import make_splitter
from pipeline.wikipedia.wikitext.page import read_page
from pipeline.wikipedia.wikitext.site import ENGLISH, Site


def run_inspect(
    wikitext: Path | None, dump: Path | None, title: str | None, config: Config
) -> tuple[list[str], dict[str, object]]:
    """The lines to show for one page of a file or a dump, and their counts."""
    if (wikitext is None) == (dump is None):
        raise InputError("give either --wikitext FILE or --dump PATH with --title T")
    if wikitext is not None:
        with files.open_text(wikitext) as text:
            source = "\n".join(text)
        return _show(title or wikitext.stem, source, ENGLISH, config)
    if dump is None or title is None:
        raise InputError("--dump needs --title")
    compression = detect_compression(dump)
    try:
        site = wikitext_site(read_siteinfo(read_file(dump, compression)))
        for page in read_pages(read_file(dump, compression)):
            if page.title == title:
                return _show(title, page.text, site, config)
    except InputError as error:
        raise InputError(f"{dump}: {error}") from None
    raise InputError(f"{dump}: holds no page '{title}'")


def _show(
    title: str, source: str, site: Site, config: Config
) -> tuple[list[str], dict[str, object]]:
    limits, settings = config.extract, config.segment
    page = read_page(
        title,
        source,
        site,
        max_characters=int(limits.page_megabytes * 1_000_000),
        max_template_characters=int(limits.page_template_megabytes * 1_000_000),
    )
    article = Article(page_id=0, revision_id=0, title=title, blocks=page.blocks)
    rules = rules_of(settings.kinds, settings.min_characters, settings.unit)
    split = make_splitter(settings.splitter, settings.language, [b.text for b in page.blocks])
    lines = [f"{title}: {len(page.blocks)} blocks"]
    passages = 0
    for found in passages_of(article, rules, split):
        passages += isinstance(found, Passage)
        lines.extend(_lines_of(found, article) if isinstance(found, Passage) else [
            "", f"{found.passage_id} {found.kind}: no passage, {found.reason}", f"  {found.text}",
        ])  # fmt: skip
    counts: dict[str, object] = {
        "blocks": len(page.blocks),
        "passages": passages,
        "unknown_templates": dict(sorted(page.unknown_templates.items())),
        "fallback": page.fallback,
    }
    return lines, counts


def _lines_of(passage: Passage, article: Article) -> Iterator[str]:
    number = int(passage.passage_id.partition("-")[2].partition(".")[0])
    yield ""
    yield f"{passage.passage_id} {article.blocks[number].kind}: {passage.section or '(lead)'}"
    for position, sentence in enumerate(passage.sentences()):
        yield f"  [{position}] {sentence}"
