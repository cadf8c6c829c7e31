"""The newer edition as wikitext: the prose, dressed in all that real pages carry.

None of the dress changes a paragraph's words: what stands between sentences is references and
comments; infoboxes, files, tables, lists and galleries stand in blocks of their own.
"""

from __future__ import annotations

import random

from pipeline.sample.articles import Article, Paragraph
from pipeline.sample.pieces import Piece
from pipeline.sample.values import NAMES, NUMERIC
from pipeline.sample.world import Region


def article_wikitext(
    region: Region, article: Article, articles: list[Article], rng: random.Random
) -> str:
    """The page of one article."""
    blocks = [_head(article, rng), _infobox(article), _picture(article, rng)]
    section = ""
    level_two = 0
    for paragraph in article.paragraphs:
        sentences = article.new_sentences(paragraph)
        if not sentences:
            continue
        if paragraph.section != section:
            section = paragraph.section
            level_two += 1
            blocks.append(f"== {section} ==")
            if level_two == 2:
                blocks.append(_table(article, rng))
            if level_two == 3:
                blocks.append(_picture(article, rng))
            if level_two == 2 and rng.random() < 0.3:
                blocks.append(_quotation(article, rng))
        blocks.append(_prose(sentences, article, rng))
        if rng.random() < 0.06:
            blocks.append(_comment(paragraph))
    blocks += _lists(region, article, articles, rng)
    blocks.append(_foot(region, article, rng))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _head(article: Article, rng: random.Random) -> str:
    entity = article.entity
    lines = [f"{{{{Short description|{entity.kind.noun.capitalize()} in {article.province}}}}}"]
    if rng.random() < 0.25:
        lines.append(
            f"{{{{about|the {entity.kind.noun}|other uses|{entity.short} (disambiguation)}}}}"
        )
    if rng.random() < 0.2:
        lines.append("{{Use dmy dates|date=May 2015}}\n__NOTOC__")
    return "\n".join(lines)


def _infobox(article: Article) -> str:
    entity = article.entity
    rows = [f"| name = {entity.old_title}", f"| image = {file_name(article)}", "| caption ="]
    for fact in entity.facts[:5]:
        for slot, value in entity.values[fact.key].items():
            if value.kind in NUMERIC | NAMES:
                rows.append(f"| {slot:<10} = {value.piece.wiki}")
    name = f"{{{{Infobox {entity.kind.noun}"
    rows.append("| other = first<br />second<br>{{nowrap|third (until {{circa|1900}})}}")
    rows.append("| footnotes = <ref>''Yearbook'', p. 7</ref> <!-- checked -->")
    return "\n".join([name, *rows, "}}"])


def file_name(article: Article) -> str:
    """The name of the article's picture."""
    return f"{article.entity.old_title.replace('&', 'and')} view.jpg"


def _picture(article: Article, rng: random.Random) -> str:
    entity = article.entity
    size = rng.choice(("|200px", "|upright=1.2", "", "|right", "|left|180px"))
    caption = rng.choice(
        (
            f"View of {entity.link.wiki} in [[{article.province}]], with {{{{circa|1900}}}} frame",
            f'{entity.old_title} on an old postcard<ref name="card" />',
            f"A drawing of '''{entity.old_title}''' (left), ''not to scale''",
        )
    )
    return f"[[File:{file_name(article)}|thumb{size}|{caption}]]"


def _prose(sentences: list[Piece], article: Article, rng: random.Random) -> str:
    parts = []
    for number, sentence in enumerate(sentences):
        wiki = sentence.wiki
        if " – " in wiki:
            dash = rng.choice((" – ", "&nbsp;&ndash; ", "{{snd}}", " &#8211; "))
            wiki = wiki.replace(" – ", dash)
        if rng.random() < 0.03:
            first, space, rest = wiki.partition(" ")
            wiki = f"{first}<!-- sic -->{space}{rest}" if first.isalpha() else wiki
        parts.append(wiki + _reference(article, rng))
        if number + 1 < len(sentences) and rng.random() < 0.04:
            parts[-1] += "<!-- {{citation needed}} here? -->"
    return " ".join(parts)


def _reference(article: Article, rng: random.Random) -> str:
    draw = rng.random()
    if draw > 0.45:
        return ""
    surname = article.entity.short.split()[-1].replace('"', "")
    year = rng.randint(1950, 2015)
    page = rng.randint(2, 400)
    if draw < 0.12:
        return '<ref name="survey" />'
    if draw < 0.17:
        return (
            '<ref name="survey">{{cite web |url=https://sample.example/survey?a=1&b=2 '
            f"|title=Survey of {surname} |date=3 May {year} |access-date=1 June 2016}}}}</ref>"
        )
    if draw < 0.32:
        return (
            f"<ref>{{{{cite book |last={surname} |first=A. |title=The {article.entity.kind.noun}s "
            f"of the land |year={year} |page={page}}}}}</ref>"
        )
    if draw < 0.38:
        return f"{{{{sfn|{surname}|{year}|p={page}}}}}"
    if draw < 0.41:
        return "{{citation needed|date=May 2015}}"
    return f"<ref>See also ''{surname}'' [https://sample.example/{page} online], p. {page}.</ref>"


def _quotation(article: Article, rng: random.Random) -> str:
    words = rng.choice(article.catalog.quotes)
    who = rng.choice(("A traveller", "A letter", "The innkeeper"))
    speaker = f"{who} of {rng.randint(1800, 1990)}"
    return rng.choice(
        (
            f"{{{{quote|{words}|{speaker}}}}}",
            f"<blockquote>{words}</blockquote>",
            f"<blockquote>\n{words}<br />\n— {speaker}\n</blockquote>",
            f"{{{{Quote|text={words}|author={speaker}}}}}",
        )
    )


def _comment(paragraph: Paragraph) -> str:
    return f"<!-- The section {paragraph.section or 'above'} needs [[more]] {{{{sources}}}}. -->"


def _table(article: Article, rng: random.Random) -> str:
    rows = []
    year = rng.randint(1820, 1900)
    for _ in range(rng.randint(2, 5)):
        year += rng.randint(4, 30)
        colour = ' style="background:#eef"' if rng.random() < 0.3 else ""
        rows.append(
            f'|-{colour}\n| {year} || align="right" | {{{{formatnum:{rng.randint(900, 90000)}}}}}'
            f" || [[{article.province}]]"
        )
    body = "\n".join(rows)
    return (
        '{| class="wikitable sortable" style="float: right;"\n'
        f"|+ Figures for {article.entity.old_title}\n! Year !! Number !! Place\n{body}\n|}}"
    )


def _lists(
    region: Region, article: Article, articles: list[Article], rng: random.Random
) -> list[str]:
    """Who links here as a nested list, a definition list, a gallery."""
    entity = article.entity
    blocks = []
    linking = [
        other.entity
        for other in articles
        if entity.number in other.entity.links and other.entity.fate != "absent"
    ]
    if linking:
        blocks.append("== See also ==")
        lines = []
        for other in linking[:6]:
            lines.append(f"* {other.link.wiki}")
            if rng.random() < 0.4:
                place = rng.choice(region.places)
                lines.append(f"** its counterpart near [[{place}]], of about the same age and size")
        blocks.append("\n".join(lines))
    if rng.random() < 0.2:
        blocks.append("== Terms ==")
        blocks.append(
            f"; {rng.choice(region.places)} rule: a custom by which tolls are paid in kind\n"
            f"; {rng.choice(region.places)} mark\n: a sign cut into the wood of boats and barns\n"
            "# first the owner's mark\n# then the mark of the parish"
        )
    if rng.random() < 0.12:
        blocks.append(
            "<gallery>\n"
            f"File:{file_name(article)}|In ''winter''\nFile:Map of {article.province}.svg|Map\n"
            "</gallery>"
        )
    if rng.random() < 0.1:
        blocks.append(
            "Markup such as <nowiki>[[this]] and {{that}}</nowiki> is shown as it is written."
        )
    return blocks


def _foot(region: Region, article: Article, rng: random.Random) -> str:
    entity = article.entity
    lines = ["== References ==", "{{reflist|30em}}", ""]
    if rng.random() < 0.5:
        lines += [
            "== External links ==",
            f"* [https://sample.example/{entity.number} Official website]",
            f"* {{{{Commons category|{entity.old_title}}}}}",
            "",
        ]
    if rng.random() < 0.4:
        lines.append(f"{{{{{region.province} topics}}}}")
    if entity.kind.person:
        lines.append(f"{{{{DEFAULTSORT:{entity.short}, {entity.old_title.split()[0]}}}}}")
    lines.append(f"[[Category:{entity.kind.noun.capitalize()}s of {region.province}]]")
    lines.append(f"[[Category:{region.province}]]")
    return "\n".join(lines)
