"""What the baselines see of a candidate."""

import numpy as np
import pytest

from pipeline.baselines.features import NAMES, SINGLE, Terms, candidates_of, collection_of
from pipeline.matching.cosines import cosines
from pipeline.matching.tokens import tokenize
from tests.baselines.made import gold_file
from tests.evaluation.asked import asked


def test_each_candidate_has_a_row_and_questions_without_candidates_none() -> None:
    gold = gold_file([asked("a", [0, 1]), asked("b", []), asked("c", [1])])
    assert gold.candidates.columns.shape == (3, len(NAMES))
    assert gold.candidates.question.tolist() == [0, 0, 2]
    assert gold.candidates.labels.tolist() == [0, 1, 1]
    said = gold.predictions(np.array([0.1, 0.2, 0.3]))
    assert said == {"own-a": {0: 0.1, 1: 0.2}, "own-c": {0: 0.3}}
    assert len(gold_file([asked("b", [])]).candidates.columns) == 0


def test_the_single_features_are_what_they_say() -> None:
    texts = ["The mill is old .", "A mill of salt , a salt mill", ""]
    gold = gold_file([asked("q", [0, 1, 0], question="Salt or a mill ?", candidates=texts)])
    columns = {name: gold.candidates.single(name).tolist() for name in SINGLE}
    assert columns["position"] == [0.0, -1.0, -2.0]
    assert columns["word_overlap"] == [1.0, 3.0, 0.0]
    plain = cosines(tokenize("Salt or a mill ?"), tokenize(texts[1]))
    assert columns["cosine"][1] == pytest.approx(np.dot(plain, (0.25, 0.35, 0.40)))
    for name in ("idf_overlap", "bm25"):
        first, second, third = columns[name]
        assert second > first > third == 0.0


def test_no_feature_sees_a_label() -> None:
    texts = ["The mill is old .", "A mill of salt"]
    one, other = (
        gold_file([asked("q", labels, candidates=texts)]).candidates.columns
        for labels in ([0, 1], [1, 0])
    )
    assert (one == other).all()


def test_a_number_that_the_question_has_does_not_answer_it() -> None:
    texts = ["In 1902 it was built .", "In 1880 it stood ."]
    gold = gold_file([asked("q", [0, 1], question="When , after 1902 ?", candidates=texts)])
    column = NAMES.index("asks_time")
    assert gold.candidates.columns[:, column].tolist() == [0.0, 1.0]


def test_statistics_come_from_the_collection_named() -> None:
    common = [asked(str(n), [0], candidates=[f"salt {n}"]) for n in range(8)]
    question = asked("q", [1], question="salt", candidates=["salt"])
    texts = {t for q in [*common, question] for t in (q.question, *q.candidates)}
    terms = Terms({text: tokenize(text) for text in texts})
    rare = collection_of([asked("r", [0], candidates=["tin"])], terms_of("tin", terms), 0.9, 0.4)
    often = collection_of(common, terms, 0.9, 0.4)
    assert (
        candidates_of([question], terms, rare).single("bm25")[0]
        > candidates_of([question], terms, often).single("bm25")[0]
    )


def terms_of(text: str, terms: Terms) -> Terms:
    return Terms({**terms.of, text: tokenize(text)})
