"""Baselines: what learns, what tunes and what reports stay apart."""

import numpy as np
import pytest

from pipeline.baselines import systems
from pipeline.baselines.features import NAMES, SINGLE, Candidates
from pipeline.baselines.figures import file_figures, shifted
from pipeline.baselines.learned import fit, fold_of_questions, score
from pipeline.baselines.systems import SYSTEMS, cross_validated, fitted_on_dev, trained
from pipeline.baselines.tasks import GoldFile, Scored, quality, threshold
from tests.baselines.made import gold_file, made_questions

EVERY = np.arange(20)


def test_there_is_a_system_a_feature_and_a_learned_one() -> None:
    assert (*SINGLE, "learned") == SYSTEMS
    found = cross_validated("selection", gold_file(made_questions(20)))
    assert set(found) == set(SYSTEMS)
    report = file_figures("selection", gold_file(made_questions(20)), found)["all"]
    assert report["systems"]["learned"]["map"] == 1.0
    assert report["systems"]["position"]["map"] < 0.6
    assert set(report["learned_against"]) == set(SINGLE)


def test_shuffled_labels_cannot_be_learned() -> None:
    gold = gold_file(made_questions(40))
    labels = np.random.default_rng(3).permutation(gold.candidates.labels)
    shuffled = GoldFile(
        gold.questions, Candidates(gold.candidates.columns, gold.candidates.question, labels),
        gold.groups,
    )  # fmt: skip
    values = cross_validated("selection", shuffled)["learned"].values
    right, wrong = values[labels == 1], values[labels == 0]
    assert abs(right.mean() - wrong.mean()) < 0.1


def test_cross_validation_scores_no_question_by_a_fit_on_its_article(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gold = gold_file(made_questions(20))
    folds = fold_of_questions(gold.groups)
    fitted_on: list[set[int]] = []

    def watched(candidates: Candidates, questions: np.ndarray, strength: float) -> object:
        fitted_on.append(set(questions.tolist()))
        return fit(candidates, questions, strength)

    monkeypatch.setattr(systems, "fit", watched)
    cross_validated("selection", gold)
    assert len(fitted_on) == len(set(folds.tolist()))
    for fold, questions in zip(np.unique(folds), fitted_on, strict=True):
        here = set(np.flatnonzero(folds == fold).tolist())
        assert not here & questions
        articles = {gold.questions[n].title for n in here}
        assert not articles & {gold.questions[n].title for n in questions}


def test_a_label_of_test_changes_no_score_and_a_label_of_dev_no_fit() -> None:
    train, dev, test = (gold_file(made_questions(20, seed)) for seed in (1, 2, 3))
    found = trained("selection", train, dev, test)
    assert set(found) == {"dev", "test"}
    turned = GoldFile(
        test.questions,
        Candidates(test.candidates.columns, test.candidates.question, 1 - test.candidates.labels),
        test.groups,
    )
    again = trained("selection", train, dev, turned)
    for name in SYSTEMS:
        assert (found["test"][name].values == again["test"][name].values).all()
    assert set(trained("selection", train, dev, None)) == {"dev"}


def test_thresholds_are_tuned_on_dev_and_used_on_test() -> None:
    train, dev, test = (
        gold_file(made_questions(20, seed, empty=0.4)) for seed in (1, 2, 3)
    )  # fmt: skip
    found = trained("triggering", train, dev, test)
    for name in SYSTEMS:
        for level in ("question", "section"):
            expected = threshold(level, dev, found["dev"][name].values, EVERY)
            assert set(found["test"][name].thresholds[level].tolist()) == {expected}
    report = file_figures("triggering", test, found["test"])
    assert report["question"]["systems"]["learned"]["f1"] > 0.9
    assert report["section"]["systems"]["learned"]["f1"] > 0.9
    assert report["section"]["systems"]["learned"]["n"] == 40


def test_without_train_dev_is_cross_validated_and_test_is_by_all_of_dev() -> None:
    dev, test = (gold_file(made_questions(20, seed, empty=0.4)) for seed in (2, 3))
    found = fitted_on_dev("triggering", dev, test)
    assert set(found) == {"dev", "test"}
    assert (
        file_figures("triggering", test, found["test"])["question"]["systems"]["learned"]["f1"]
        > 0.9
    )


def test_scores_less_their_threshold_trigger_at_0() -> None:
    gold = gold_file(made_questions(4))
    values = np.arange(16, dtype=float)
    scored = Scored(values, {"question": np.array([1.0, 2.0, 9.0, 0.0])})
    said = shifted(gold, scored)
    assert said["own-1-0"] == {0: -1.0, 1: 0.0, 2: 1.0, 3: 2.0}
    assert said["own-1-2"][3] == 2.0
    assert shifted(gold, Scored(values))["own-1-3"][3] == 15.0


def test_quality_is_what_is_tuned_for() -> None:
    gold = gold_file(made_questions(20, empty=0.4))
    perfect = gold.candidates.labels.astype(float)
    assert quality("selection", gold, perfect, EVERY) == 1.0
    assert quality("triggering", gold, perfect, EVERY) == 1.0
    assert quality("selection", gold, -perfect, EVERY) < 0.5
    assert quality("selection", gold, perfect, np.arange(0)) == 0.0


def test_what_has_one_label_only_is_not_fitted_and_scores_0() -> None:
    gold = gold_file(made_questions(4, empty=1.0))
    assert fit(gold.candidates, np.arange(4), 1.0) is None
    assert score(None, gold.candidates).tolist() == [0.0] * 16
    assert gold.candidates.columns.shape[1] == len(NAMES)
