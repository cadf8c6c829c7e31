"""Baselines on SelQA's development questions, against ir_measures."""

from pathlib import Path

import ir_measures
import numpy as np
import pytest

from pipeline.baselines.features import SINGLE, Terms, candidates_of, collection_of
from pipeline.baselines.learned import held_out_scores
from pipeline.baselines.tasks import SELECTION, GoldFile, quality
from pipeline.evaluation.figures import figures
from pipeline.evaluation.selection import MEASURES, question_groups, select
from pipeline.evaluation.ties import Ties
from pipeline.lucene import jvm
from pipeline.lucene.analysis import analyze
from pipeline.matching.scoring import Floats
from pipeline.stages.evaluating import gold_questions
from tests.fakes import config

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def dev(real_data: Path) -> GoldFile:
    questions = gold_questions(real_data / "qa" / "selqa-ass-dev.json", "selqa-ass-json")
    texts = list(dict.fromkeys(t for row in questions for t in (row.question, *row.candidates)))
    jvm.start("256m")
    analysed = analyze(texts, config().index.fields["contents"])
    terms = Terms(dict(zip(texts, analysed, strict=True)))
    collection = collection_of(questions, terms, 0.9, 0.4)
    return GoldFile(
        questions, candidates_of(questions, terms, collection), question_groups(questions)
    )


@pytest.fixture(scope="module")
def scored(dev: GoldFile) -> dict[str, Floats]:
    every = np.arange(len(dev.questions))
    _, learned = held_out_scores(
        dev.candidates, every, dev.groups, lambda v, chosen: quality(SELECTION, dev, v, chosen)
    )
    random = np.random.default_rng(1).random(len(learned))
    single = {name: dev.candidates.single(name) for name in SINGLE}
    return {**single, "learned": learned, "random": random}


def measured(dev: GoldFile, values: Floats, ties: Ties) -> dict[str, float]:
    units = select(dev.questions, dev.predictions(values), ties=ties).units
    return {name: entry.value for name, entry in figures(units, MEASURES).items()}


def test_map_and_mrr_of_every_system_equal_ir_measures(
    dev: GoldFile, scored: dict[str, Floats]
) -> None:
    qrels = {
        row.question_id: {f"{row.question_id}-c{n}": label for n, label in enumerate(row.labels)}
        for row in dev.questions
    }
    for name, values in scored.items():
        run = {
            question: {f"{question}-c{n}": score for n, score in mine.items()}
            for question, mine in dev.predictions(values).items()
        }
        theirs = ir_measures.calc_aggregate([ir_measures.AP, ir_measures.RR], qrels, run)
        ours = measured(dev, values, "trec")
        assert ours["map"] == pytest.approx(theirs[ir_measures.AP], abs=1e-9), name
        assert ours["mrr"] == pytest.approx(theirs[ir_measures.RR], abs=1e-9), name
        if name in ("random", "position"):  # no ties
            assert measured(dev, values, "expected") == pytest.approx(ours, abs=1e-9)


def test_the_learned_system_is_better_than_every_feature_on_articles_it_has_not_seen(
    dev: GoldFile, scored: dict[str, Floats]
) -> None:
    found = {name: measured(dev, values, "expected")["map"] for name, values in scored.items()}
    learned = found.pop("learned")
    assert learned > 0.85
    assert learned > max(found.values())
    assert found["random"] < found["position"] < found["word_overlap"] < found["bm25"]


def test_candidate_order_flatters_word_overlap_by_two_points(
    dev: GoldFile, scored: dict[str, Floats]
) -> None:
    values = scored["word_overlap"]
    order, expected = (measured(dev, values, ties)["map"] for ties in ("order", "expected"))
    assert order - expected == pytest.approx(0.02, abs=0.005)


def test_json_and_tsv_have_the_same_labels_for_the_same_sentences(
    dev: GoldFile, real_data: Path
) -> None:
    tsv = gold_questions(real_data / "qa" / "selqa-ass-dev.tsv", "selqa-ass-tsv")
    assert [row.question_id for row in tsv] == [row.question_id for row in dev.questions]
    dropped = 0
    for ours, theirs in zip(dev.questions, tsv, strict=True):
        pairs = zip(ours.candidates, ours.labels, strict=True)
        kept = [(text, label) for text, label in pairs if text]
        dropped += len(ours.candidates) - len(kept)
        assert [label for _, label in kept] == list(theirs.labels)
        for (text, _), tokenised in zip(kept, theirs.candidates, strict=True):
            assert letters(text)[:8] == letters(tokenised)[:8]
    assert dropped == 42


def letters(text: str) -> list[str]:
    return [letter for letter in text.lower() if letter.isalpha()]
