"""sample: the embedded default, a small synthetic encyclopedia and three corpora that quote it."""

from __future__ import annotations

import contextlib
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from pipeline import files
from pipeline.errors import InputError
from pipeline.sample import corpora
from pipeline.sample.articles import Article
from pipeline.sample.dump import Page, write_dump
from pipeline.sample.editions import SHARES
from pipeline.sample.encyclopedia import Chapter, chapters
from pipeline.sample.pages import page_id_of, region_pages
from pipeline.sample.questions import CORPORA, Asked
from pipeline.sample.seeds import generator
from pipeline.sample.world import Region

DUMP = "sample-pages-articles-multistream.xml.bz2"
DUMP_INDEX = "sample-pages-articles-multistream-index.txt.bz2"
GOLD = "gold.jsonl"
SPLITS = ("train", "dev", "test")
# The splits that the articles of a corpus go to in turn.
TURNS = {
    "selqa": ("train", "dev", "test", "train", "train"),
    "wikiqa": ("train", "dev", "test", "train", "train"),
    "squad": ("train", "dev", "train", "train"),
}
# With fewer there is not a question of every corpus in every split.
FEWEST_ARTICLES = 20
# WikiQA's questions without an answer among the sentences, beside each question with one.
_UNANSWERED = 0.3


def run_sample(out: Path, articles: int, seed: int) -> dict[str, object]:
    """Write the sample: a dump with its index, three corpora, the gold standard, a manifest.

    ``articles`` is the number of articles in the dump. The whole folder appears at once, and is
    the same bytes for the same two numbers. Returns the manifest.
    """
    if articles < FEWEST_ARTICLES:
        raise InputError(f"--articles: found {articles}; expected {FEWEST_ARTICLES} or more")
    if seed < 0:
        raise InputError(f"--seed: found {seed}; expected 0 or more")
    counts: Counter[str] = Counter()
    with files.folder_written_aside(out, {DUMP, DUMP_INDEX, GOLD, *CORPORA}) as aside:
        with (aside / DUMP).open("wb") as dump, (aside / DUMP_INDEX).open("wb") as index, \
                _CorpusFiles.opened(aside) as writers:  # fmt: skip
            counts["pages"] = write_dump(_pages(articles, seed, writers, counts), dump, index)
        stats = _stats(articles, seed, counts, writers.edits)
        files.write_json(aside / files.STATS, stats)
    return stats


def _pages(articles: int, seed: int, writers: _CorpusFiles, counts: Counter[str]) -> Iterator[Page]:
    """The dump's pages, region by region; the corpora are written on the way."""
    for chapter in chapters(articles, seed):
        writers.write(chapter, seed)
        for page in region_pages(chapter.region, chapter.articles, seed):
            counts[_kind(page)] += 1
            yield page
        counts["paragraphs"] += sum(
            bool(article.new_text(paragraph))
            for article in chapter.articles
            if article.entity.fate != "absent"
            for paragraph in article.paragraphs
        )


def _kind(page: Page) -> str:
    if page.target is not None:
        return "redirects"
    if page.namespace != 0:
        return "other_namespaces"
    return "disambiguations" if page.title.endswith("(disambiguation)") else "articles"


class _CorpusFiles:
    """The open files of the three corpora and of the gold standard."""

    def __init__(self, folder: Path, stack: contextlib.ExitStack) -> None:
        def opened(name: str) -> TextIO:
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            return stack.enter_context(path.open("w", encoding="utf-8", newline=""))

        self._gold = opened(GOLD)
        self._wikiqa = {split: opened(f"wikiqa/{split}.tsv") for split in SPLITS}
        self._selqa = {split: corpora.ListWriter(opened(f"selqa/{split}.json")) for split in SPLITS}
        self._squad = {
            split: corpora.ListWriter(
                opened(f"squad/{split}.json"), f'{{"version": "{version}", "data": [', "]}\n"
            )
            for split, version in (("train", "v2.0"), ("dev", "1.1"))
        }
        for file in self._wikiqa.values():
            file.write(corpora.WIKIQA_HEADER)
        self._questions = 0
        self._articles: Counter[str] = Counter()
        self.edits: dict[str, Counter[str]] = {}

    @classmethod
    @contextlib.contextmanager
    def opened(cls, folder: Path) -> Iterator[_CorpusFiles]:
        """The files of a folder, closed when the block ends."""
        with contextlib.ExitStack() as stack:
            writers = cls(folder, stack)
            yield writers
            for writer in (*writers._selqa.values(), *writers._squad.values()):
                writer.close()

    def write(self, chapter: Chapter, seed: int) -> None:
        """Write a region's questions and their gold lines."""
        region = chapter.region
        rng = generator(seed, "corpora", region.number)
        for article in chapter.articles:
            for corpus, write in (
                ("selqa", self._write_selqa),
                ("wikiqa", self._write_wikiqa),
                ("squad", self._write_squad),
            ):
                own = [one for one in chapter.asked if one.corpus == corpus]
                own = [one for one in own if one.article is article]
                if own:
                    write(region, article, own, self._next_split(corpus), rng)

    def _next_split(self, corpus: str) -> str:
        """The split of the next article of a corpus: all questions to an article share one."""
        turn = self._articles[corpus]
        self._articles[corpus] += 1
        return TURNS[corpus][turn % len(TURNS[corpus])]

    def _write_selqa(
        self,
        region: Region,
        article: Article,
        asked: list[Asked],
        split: str,
        rng: random.Random,
    ) -> None:
        for one in asked:
            row = corpora.selqa_row(one)
            position = self._selqa[split].write(row)
            answers = row["answers"]
            assert isinstance(answers, list)
            for index in range(len(answers)):
                self._write_gold(region, one, f"{split}-{position}", index)

    def _write_wikiqa(
        self,
        region: Region,
        article: Article,
        asked: list[Asked],
        split: str,
        rng: random.Random,
    ) -> None:
        document = f"D{page_id_of(region, article)}"
        file = self._wikiqa[split]
        for one in asked:
            self._questions += 1
            file.writelines(corpora.wikiqa_lines(one, f"Q{self._questions}", document))
            self._write_gold(region, one, f"Q{self._questions}", 0)
            if rng.random() < _UNANSWERED:
                other = _asked_elsewhere(one, rng)
                self._questions += 1
                file.writelines(
                    corpora.wikiqa_lines(other, f"Q{self._questions}", document, answered=False)
                )

    def _write_squad(
        self,
        region: Region,
        article: Article,
        asked: list[Asked],
        split: str,
        rng: random.Random,
    ) -> None:
        self._squad[split].write(corpora.squad_article(article, asked, split, rng))
        for one in asked:
            self._write_gold(region, one, corpora.squad_id(one), 0)

    def _write_gold(self, region: Region, one: Asked, own_id: str, index: int) -> None:
        gone = one.article.entity.fate == "absent"
        text = one.article.new_text(one.paragraph).plain if one.has_passage else None
        row = {
            "corpus": one.corpus,
            "question_id": f"{one.corpus}-{own_id}",
            "answer_index": index,
            "page_id": None if gone else page_id_of(region, one.article),
            "text": text,
            "edit": one.edit,
        }
        self._gold.write(json.dumps(row, ensure_ascii=False) + "\n")
        self.edits.setdefault(one.corpus, Counter())[one.edit] += 1


def _asked_elsewhere(one: Asked, rng: random.Random) -> Asked:
    """A question to the same article that its lead does not answer."""
    uses = [
        use
        for paragraph in one.article.paragraphs
        if paragraph.section
        for use in paragraph.uses
        if use.old is not None and use.old.fact.asks
    ]
    use = rng.choice(uses)
    assert use.old is not None
    return Asked(one.corpus, one.article, one.paragraph, use, rng.choice(use.old.fact.asks), "none")


def _stats(
    articles: int, seed: int, counts: Counter[str], edits: dict[str, Counter[str]]
) -> dict[str, object]:
    source = files.source_fingerprint("pipeline.sample")
    return files.stats(
        dict(sorted(counts.items())),
        files.fingerprint("sample", articles, seed, source),
        articles=articles,
        seed=seed,
        declared_shares=SHARES,
        answer_sentences={
            corpus: dict(sorted(counter.items())) for corpus, counter in sorted(edits.items())
        },
    )
