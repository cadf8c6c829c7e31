"""Which questions each corpus asks, and what became of each answer between the editions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pipeline.sample.articles import Article, Paragraph, Use
from pipeline.sample.catalog import Ask
from pipeline.sample.editions import SHARES, WITHOUT_PASSAGE, change
from pipeline.sample.seeds import generator
from pipeline.sample.world import Region

CORPORA = ("selqa", "wikiqa", "squad")
# Questions of each corpus to an article of the newer edition.
QUESTIONS_PER_ARTICLE = 0.6
# SQuAD asks several questions a paragraph, of a part of the articles (their number modulo 7).
SQUAD_PAGES = (0, 2, 5)
_ROUNDS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question to one sentence of the older edition, or, without ``edit``, one without answer."""

    corpus: str
    article: Article
    paragraph: Paragraph
    use: Use
    ask: Ask
    edit: str
    second: Ask | None = None

    @property
    def question(self) -> str:
        """The question's words; two questions in one where the answer takes two sentences."""
        words = fill(self.ask.words, self.article, self.use)
        if self.second is not None:
            other = fill(self.second.words, self.article, self.use)
            words = f"{words.rstrip('?')}, and {other[0].lower()}{other[1:]}"
        return words

    @property
    def answer(self) -> str:
        """The answer to the first question as a browser shows it."""
        assert self.use.old is not None
        return self.use.old.values[self.ask.slot].piece.rendered

    @property
    def slots(self) -> list[str]:
        """The slots whose values answer the question."""
        return [ask.slot for ask in (self.ask, self.second) if ask is not None]

    @property
    def has_passage(self) -> bool:
        """Whether the newer edition still states the answer."""
        return self.edit not in WITHOUT_PASSAGE


@dataclass(slots=True)
class Ledger:
    """How many answer sentences of each corpus went to each kind of change so far."""

    counts: dict[str, Counter[str]] = field(
        default_factory=lambda: {corpus: Counter() for corpus in CORPORA}
    )
    owed: dict[str, float] = field(default_factory=lambda: dict.fromkeys(CORPORA, 0.0))

    def by_need(self, corpus: str) -> list[str]:
        """The kinds, the one that lags most behind its share first."""
        counts = self.counts[corpus]
        total = counts.total() + 1
        return sorted(SHARES, key=lambda kind: (counts[kind] - SHARES[kind] * total, kind))


def fill(words: str, article: Article, use: Use) -> str:
    """A question rule with the values in the places of its slots."""
    assert use.old is not None
    slots: Mapping[str, str] = {
        **{slot: value.piece.rendered for slot, value in use.old.values.items()},
        "name": article.entity.name.rendered,
    }
    for slot in sorted(slots, key=len, reverse=True):
        words = words.replace(f"${slot}", slots[slot])
    return words


def ask_questions(
    region: Region, articles: list[Article], ledger: Ledger, seed: int
) -> list[Asked]:
    """The region's questions, each with its change made to the newer edition."""
    rng = generator(seed, "questions", region.number)
    openings = {corpus: list(_openings(corpus, articles)) for corpus in CORPORA}
    for corpus in CORPORA:
        rng.shuffle(openings[corpus])
    asked: list[Asked] = []
    present = sum(article.entity.fate != "absent" for article in articles)
    for corpus in CORPORA:
        ledger.owed[corpus] += present * QUESTIONS_PER_ARTICLE
    # The corpora take turns, so that none finds all the good sentences taken.
    while any(ledger.owed[corpus] >= 1 for corpus in CORPORA):
        for corpus in CORPORA:
            if ledger.owed[corpus] < 1:
                continue
            ledger.owed[corpus] -= 1
            found = _ask_one(region, articles, corpus, openings[corpus], ledger, rng)
            if found is not None:
                ledger.counts[corpus][found.edit] += len(found.slots)
                asked.append(found)
    return asked


def _ask_one(
    region: Region,
    articles: list[Article],
    corpus: str,
    openings: list[tuple[Article, Paragraph, Use]],
    ledger: Ledger,
    rng: random.Random,
) -> Asked | None:
    for kind in ledger.by_need(corpus)[:_ROUNDS]:
        for position, (article, paragraph, use) in enumerate(openings):
            if not _allows(kind, article, paragraph, use):
                continue
            assert use.old is not None
            asks = list(use.old.fact.asks)
            rng.shuffle(asks)
            for ask in asks:
                answer = use.old.values[ask.slot].piece
                if f"${ask.slot}" in ask.words or (corpus == "selqa" and not answer.holed):
                    continue
                source = region.source(article.entity)
                if change(kind, article, paragraph, use, ask, articles, source, rng):
                    del openings[position]
                    second = _second_ask(article, use, ask, kind) if corpus == "selqa" else None
                    return Asked(corpus, article, paragraph, use, ask, kind, second)
    return None


def _second_ask(article: Article, use: Use, ask: Ask, kind: str) -> Ask | None:
    """Another question, answered by the sentence beside the one that answers the first."""
    if kind != "sentences_merged" or use.old is None:
        return None
    sentences = article.sentences(use.old)
    for other in use.old.fact.asks:
        apart = not any({ask.slot, other.slot} <= sentence.slots for sentence in sentences)
        said = any(other.slot in sentence.slots for sentence in sentences)
        if other.slot != ask.slot and apart and said and f"${other.slot}" not in other.words:
            return other
    return None


def _allows(kind: str, article: Article, paragraph: Paragraph, use: Use) -> bool:
    if use.fixed or use.old is None:
        return False
    if (article.entity.fate == "absent") != (kind == "article_absent"):
        return False
    if (kind == "stock_phrase") != use.old.fact.stock:
        return False
    if kind == "paragraph_removed":
        facts = [(other.old.fact, other.fixed) for other in paragraph.uses
                 if other.old is not None and not other.old.filler]  # fmt: skip
        defining = any(fact is article.entity.kind.definition for fact, _ in facts)
        return not defining and (paragraph.gone or not any(fixed for _, fixed in facts))
    return not paragraph.gone


def _openings(corpus: str, articles: list[Article]) -> Iterator[tuple[Article, Paragraph, Use]]:
    """The sentences a corpus may ask for: WikiQA in leads, SelQA below, SQuAD in some articles."""
    for article in articles:
        if article.entity.fate == "new":
            continue
        for paragraph in article.paragraphs:
            if corpus == "squad":
                fitting = article.entity.number % 7 in SQUAD_PAGES
            else:
                fitting = (corpus == "wikiqa") == (not paragraph.section)
            if fitting:
                for use in paragraph.uses:
                    if use.old is not None and use.old.fact.asks:
                        yield article, paragraph, use
