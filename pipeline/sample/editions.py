"""What became of a sentence between the two editions: the kinds of change and how each is made.

``SHARES`` is declared: the questions of every corpus are spread over the kinds in these shares.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from pipeline.sample.articles import Article, Paragraph, Use, filler_statement
from pipeline.sample.catalog import Ask
from pipeline.sample.prose import CLOSING, OPENING, Statement, rewordable, with_other_words
from pipeline.sample.values import NAMES, NUMERIC, Source, Value, redraw

# Characters below which a paragraph of the newer edition gets another sentence.
SHORTEST = 60
UNCHANGED = ("unchanged",)
EDITED = (
    "number_updated", "clause_dropped", "clause_added", "words_replaced", "sentence_split",
    "sentences_merged", "rephrased",
)  # fmt: skip
GONE = ("paragraph_removed", "article_absent")
TRAPS = ("fact_changed", "same_shape", "stock_phrase", "said_elsewhere")

# Kinds of change and the share of the answer sentences that each befalls.
SHARES = {
    "unchanged": 0.21,
    "number_updated": 0.08,
    "clause_dropped": 0.08,
    "clause_added": 0.08,
    "words_replaced": 0.07,
    "sentence_split": 0.06,
    "sentences_merged": 0.05,
    "rephrased": 0.05,
    "paragraph_removed": 0.08,
    "article_absent": 0.08,
    "fact_changed": 0.05,
    "same_shape": 0.04,
    "stock_phrase": 0.04,
    "said_elsewhere": 0.03,
}
# The newer edition does not state the answer any more: there is no right passage.
WITHOUT_PASSAGE = frozenset({*GONE, "fact_changed", "same_shape", "stock_phrase"})


def change(
    kind: str,
    article: Article,
    paragraph: Paragraph,
    use: Use,
    ask: Ask,
    region_articles: list[Article],
    source: Source,
    rng: random.Random,
) -> bool:
    """Make a change of a kind to a sentence that answers a question, if it allows it.

    The older statement is adapted where the change needs it (a clause to be dropped must have been
    there). Nothing is changed where the answer is false.
    """
    old = stating(use.old, ask.slot) if use.old else None
    if old is None:
        return False
    new: Statement | None = old
    match kind:
        case "unchanged":
            pass
        case "number_updated":
            new = _with_number_updated(old, ask.slot, source, article.entity.known, rng)
        case "clause_dropped" | "clause_added":
            clauses = [n for n in old.optional() if n != old.rule.clause_of(ask.slot)]
            if not clauses:
                return False
            clause = rng.choice(clauses)
            full, cut = old.with_clause(clause, True), old.with_clause(clause, False)
            old, new = (full, cut) if kind == "clause_dropped" else (cut, full)
        case "words_replaced":
            if len(rewordable(old.rule, article.catalog.phrases, old.clauses)) < 2:
                return False
            new = with_other_words(old, article.catalog, rng)
        case "sentence_split" | "sentences_merged":
            splittable = _with_two_halves(old, ask.slot, rng)
            if splittable is None:
                return False
            one, two = replace(splittable, joined=True), replace(splittable, joined=False)
            old, new = (one, two) if kind == "sentence_split" else (two, one)
        case "rephrased":
            new = _by_another_rule(old, ask.slot, rng)
        case "paragraph_removed":
            paragraph.gone = True
            new = None
        case "article_absent":
            new = None
        case "fact_changed":
            if old.values[ask.slot].kind not in NUMERIC | NAMES:
                return False
            values = dict(old.values)
            values[ask.slot] = redraw(
                values[ask.slot], source, {**article.entity.known, **values}, rng
            )
            new = replace(old, values=values)
        case "same_shape":
            if not _let_another_say_it(old, article, region_articles, rng):
                return False
            new = None
        case "stock_phrase":
            if not old.fact.stock:
                return False
            new = None
        case "said_elsewhere":
            new = _by_another_rule(old, ask.slot, rng)
            if new is None or not _let_another_say_it(old, article, region_articles, rng):
                return False
    if new is None and kind not in WITHOUT_PASSAGE:
        return False
    use.old, use.new, use.fixed = old, new, True
    return True


def stating(statement: Statement, slot: str) -> Statement | None:
    """The statement with the clause in that says a slot; nothing where its rule never does."""
    clause = statement.rule.clause_of(slot)
    if clause is None:
        return None
    return statement if clause == -1 else statement.with_clause(clause, True)


def _with_number_updated(
    old: Statement,
    answer: str,
    source: Source,
    known: Mapping[str, Value],
    rng: random.Random,
) -> Statement | None:
    slots = [
        slot
        for slot, value in sorted(old.values.items())
        if slot != answer and value.kind in NUMERIC and old.states(slot)
    ]
    if not slots:
        return None
    slot = rng.choice(slots)
    values = dict(old.values)
    values[slot] = redraw(values[slot], source, {**known, **values}, rng)
    return replace(old, values=values)


def _with_two_halves(old: Statement, answer: str, rng: random.Random) -> Statement | None:
    numbers = [n for n, rule in enumerate(old.fact.rules) if rule.halves == 2]
    rng.shuffle(numbers)
    for number in numbers:
        rule = old.fact.rules[number]
        clauses = _kept_around(old) | {n for n in range(rule.clauses) if rng.random() < 0.5}
        found = stating(replace(old, rule_number=number, clauses=clauses), answer)
        if found is not None:
            return found
    return None


def _kept_around(old: Statement) -> frozenset[int]:
    """What stands before and after a sentence stays when its rule changes."""
    return old.clauses & {OPENING, CLOSING}


def _by_another_rule(old: Statement, answer: str, rng: random.Random) -> Statement | None:
    numbers = [n for n in range(len(old.fact.rules)) if n != old.rule_number]
    rng.shuffle(numbers)
    for number in numbers:
        rule = old.fact.rules[number]
        clauses = _kept_around(old) | {n for n in range(rule.clauses) if rng.random() < 0.5}
        mention = "pronoun" if old.mention != "pronoun" else "noun"
        found = stating(replace(old, rule_number=number, clauses=clauses, mention=mention), answer)
        if found is not None:
            return found
    return None


def _let_another_say_it(
    old: Statement, article: Article, articles: list[Article], rng: random.Random
) -> bool:
    """Give an article about another thing of the kind a sentence of the very same shape."""
    places = [
        (paragraph, use)
        for other in articles
        if other is not article and other.entity.fate not in ("absent",)
        for paragraph in other.paragraphs
        if not paragraph.gone
        for use in paragraph.uses
        if not use.fixed and use.new is not None and use.new.fact.key == old.fact.key
    ]
    if not places:
        return False
    _, use = rng.choice(places)
    assert use.new is not None
    use.new = replace(
        old,
        opening=use.new.opening,
        closing=use.new.closing,
        values=use.new.values,
        mention=old.mention if old.mention != "name" else "noun",
    )
    use.fixed = True
    return True


def drift(article: Article, source: Source, rng: random.Random) -> None:
    """The changes of the years to what no question asks for: numbers, clauses, words, losses."""
    for paragraph in article.paragraphs:
        asked = any(use.fixed and not (use.old and use.old.filler) for use in paragraph.uses)
        if not asked and paragraph.section and rng.random() < 0.06:
            paragraph.gone = True
            continue
        for use in paragraph.uses:
            if use.fixed or use.old is None or rng.random() > 0.35:
                continue
            new: Statement | None = use.old
            match rng.choice(("number", "clause", "clause", "words", "gone")):
                case "number":
                    new = (
                        _with_number_updated(use.old, "", source, article.entity.known, rng)
                        or use.old
                    )
                case "clause" if use.old.optional():
                    clause = rng.choice(use.old.optional())
                    new = use.old.with_clause(clause, clause not in use.old.clauses)
                case "words":
                    new = with_other_words(use.old, article.catalog, rng)
                case "gone" if len(paragraph.uses) > 1 and "definition" not in use.old.fact.key:
                    new = None
            use.new = new
        _lengthen(article, paragraph, rng)


def _lengthen(article: Article, paragraph: Paragraph, rng: random.Random) -> None:
    """Add a sentence to a paragraph that is too short to be one."""
    length = len(article.new_text(paragraph).plain)
    if 0 < length < SHORTEST:
        words = rng.choice(article.catalog.fillers)
        paragraph.uses.append(Use(None, filler_statement(words), fixed=True))
