"""Command inspect: what becomes of one page, block by block, for a person to read.

Where the splitter is trained on the collection (punkt), here it has only the one page.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline import files
from pipeline.config import Config
from pipeline.errors import InputError
from pipeline.records import Article, Passage
from pipeline.wikipedia.dump.languages import wikitext_site
from pipeline.wikipedia.dump.pages import drop_reason, read_pages, read_siteinfo
from pipeline.wikipedia.dump.partitions import find_dump_files
from pipeline.wikipedia.dump.streams import detect_compression, read_file
from pipeline.wikipedia.segmentation.passages import passages_of, rules_of
from pipeline.wikipedia.segmentation.sentences import make_splitter
from pipeline.wikipedia.wikitext.page import read_page, redirect_target
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
    for path in find_dump_files([dump]):
        try:
            shown = _find(path, title, config)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        if shown:
            return shown
    raise InputError(f"{dump}: holds no page '{title}'")


def _find(path: Path, title: str, config: Config) -> tuple[list[str], dict[str, object]] | None:
    """What becomes of a page of a dump file, which may be dropped; None when it holds none."""
    compression = detect_compression(path)
    siteinfo = read_siteinfo(read_file(path, compression))
    site = wikitext_site(siteinfo)
    for page in read_pages(read_file(path, compression)):
        if page.title == title:
            reason = drop_reason(page, siteinfo)
            target = page.redirect or redirect_target(page.text, site)
            if reason is not None:
                return [f"{title}: dropped, {reason}"], {"dropped": reason}
            if target:
                return [f"{title}: redirect to {target}"], {"redirect": target}
            return _show(title, page.text, site, config)
    return None


def _show(
    title: str, source: str, site: Site, config: Config
) -> tuple[list[str], dict[str, object]]:
    limits, settings = config.extract, config.segment
    page = read_page(
        title,
        source,
        site,
        max_characters=limits.max_characters,
        max_template_characters=limits.max_template_characters,
    )
    article = Article(page_id=0, revision_id=0, title=title, blocks=page.blocks)
    rules = rules_of(settings.kinds, settings.min_characters, settings.unit)
    split = make_splitter(settings.splitter, settings.language, [b.text for b in page.blocks])
    trained = ", punkt trained on this page alone" if settings.splitter == "punkt" else ""
    lines = [f"{title}: {len(page.blocks)} blocks{trained}"]
    passages = 0
    for found in passages_of(article, rules, split):
        if isinstance(found, Passage):
            passages += 1
            lines.extend(_lines_of(found, article))
        else:
            lines += ["", f"{found.passage_id} {found.kind}: no passage, {found.reason}"]
            lines.append(f"  {found.text}")
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
