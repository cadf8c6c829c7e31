"""The sample is neither too easy for the plain cosine nor too hard, and rewards a better scorer."""

import pytest

from pipeline.sample.corpora import as_extracted, spaced
from pipeline.sample.encyclopedia import Chapter, chapters
from pipeline.sample.prose import Sentence
from pipeline.sample.questions import Asked
from tests.sample.plain_cosine import (
    Answer,
    Place,
    informed_quality,
    plain_quality,
    similarities,
)

ARTICLES = 200
MINIMUM_CHARACTERS = 40


def places_of(chapter: Chapter) -> list[Place]:
    """The sentences of the newer edition's paragraphs."""
    return [
        Place(sentence.plain, text, article.entity.old_title)
        for article in chapter.articles
        if article.entity.fate != "absent"
        for paragraph in article.paragraphs
        if len(text := article.new_text(paragraph).plain) >= MINIMUM_CHARACTERS
        for sentence in article.new_sentences(paragraph)
    ]


def quoted(asked: Asked, sentence: Sentence) -> str:
    if asked.corpus == "selqa":
        return as_extracted(sentence)
    shown = sentence.piece.rendered
    return spaced(shown) if asked.corpus == "wikiqa" else shown


def answers_of(chapter: Chapter) -> list[Answer]:
    """The answer sentences as the corpora quote them."""
    return [
        Answer(
            quoted(asked, sentence),
            asked.article.entity.old_title,
            asked.article.new_text(asked.paragraph).plain if asked.has_passage else None,
        )
        for asked in chapter.asked
        for use, sentence in asked.article.old_sentences(asked.paragraph)
        if use is asked.use and any(slot in sentence.slots for slot in asked.slots)
    ]


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 20160820])
def test_the_plain_cosine_gets_far_and_a_scorer_that_knows_names_gets_further(seed: int) -> None:
    made = list(chapters(ARTICLES, seed))
    places = [place for chapter in made for place in places_of(chapter)]
    answers = [answer for chapter in made for answer in answers_of(chapter)]
    table = similarities(places, answers)
    plain = plain_quality(table, places, answers)
    informed = informed_quality(table, places, answers)
    assert 0.75 <= plain.f1 <= 0.90
    assert informed.f1 >= plain.f1 + 0.05
