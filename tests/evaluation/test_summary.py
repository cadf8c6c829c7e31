"""The figures of a corpus on a case worked out by hand: each with its denominator."""

import io
import math

import ir_measures
import pyarrow as pa
import pytest
from hypothesis import given

from pipeline.datasets.trec import run_lines
from pipeline.evaluation.questions import QuestionFigures, question_figures
from pipeline.evaluation.summary import coverage_curve, percent, summarize, threshold_key
from pipeline.matching.best import columns_of
from pipeline.records import Score, arrow_schema
from tests import strategies
from tests.fakes import config, score

MATCH = config("match.short_sentences=renormalize").match
STRANGER = {"title_match": False, "article_present": False}
UNNAMED = {"title_match": None, "article_present": None}
SCORES = [
    score("q1", "1-0", 0.9, rank=1),
    score("q1", "1-1", 0.5, rank=2, title_match=False),
    score("q2", "2-0", 0.35, rank=1),
    score("q2", "2-1", 0.1, rank=1, answer_index=1),
    score("q3", "3-0", 0.45, rank=1, **STRANGER),
    # Two tokens: 0.6 as published, 1 where the weights are renormalized.
    score("q4", "4-0", 1.0, rank=1, cosine_3=0.0, answer_tokens=2, sentence_tokens=2, **UNNAMED),
    score("q5", None, article_present=True),
    score("q6", "6-0", 0.1, rank=1),
    score("q6", "6-1", 0.9, rank=6),
]
SPLITS = {f"q{n}": "dev" if n < 4 else "test" for n in range(1, 9)}
RUN = {"q1": ["9-9", "1-1", "1-0"], "q3": ["3-0"], "q6": ["6-1"], "q2": ["2-0"]}
BASELINE = {"q1": ["1-0"]}


@pytest.fixture(scope="module")
def figures() -> QuestionFigures:
    columns = columns_of(pa.Table.from_pylist(SCORES, schema=arrow_schema(Score)))
    return question_figures(columns, SPLITS, RUN.items(), BASELINE.items(), MATCH)


def test_each_question_has_its_highest_similarities_and_first_ranks(
    figures: QuestionFigures,
) -> None:
    assert figures.question_ids == ("q1", "q2", "q3", "q4", "q5", "q6")
    assert figures.reference.tolist() == [0.9, 0.35, 0.45, 0.6, -1.0, 0.1]
    assert figures.active.tolist() == [0.9, 0.35, 0.45, 1.0, -1.0, 0.1]
    assert figures.decoy.tolist() == [0.5, -1.0, 0.45, 1.0, -1.0, -1.0]
    assert figures.named.tolist() == [True, True, True, False, True, True]
    assert figures.present.tolist() == [True, True, False, False, True, True]
    assert figures.active_rank.tolist() == [2, math.inf, 1, math.inf, math.inf, math.inf]
    assert figures.baseline_rank.tolist() == [1] + [math.inf] * 5
    assert figures.answers.tolist() == [1, 2, 1, 1, 1, 1]
    assert figures.mapped_answers.tolist() == [1, 0, 1, 1, 0, 0]


def test_every_figure_has_its_own_denominator(figures: QuestionFigures) -> None:
    found = summarize(figures, 8, MATCH, [0.3, 0.4, 0.5], [1, 5])
    assert (found["questions"], found["answerable"], found["mapped"]) == (8, 6, 3)
    reference, active = found["reference"], found["active"]
    assert [reference[f"coverage_t0{t}_count"] for t in (30, 40, 50)] == [4, 3, 2]
    assert reference["coverage_t030_percent"] == percent(4, 6) == 66.6667
    assert (reference["top_n"], reference["top_1"], reference["top_5"]) == (3, 33.3333, 66.6667)
    assert (active["top_n"], active["top_1"], active["top_5"]) == (3, 33.3333, 66.6667)
    assert (active["top_1_all"], active["top_5_all"]) == (percent(1, 6), percent(2, 6))
    assert active["coverage_percent"] == 50.0
    assert active["coverage_by_answer_percent"] == percent(3, 7)
    assert (active["coverage_present_percent"], active["present"]) == (percent(1, 4), 4)
    assert (active["decoy_percent"], active["named"]) == (percent(2, 5), 5)


@given(strategies.qrels, strategies.runs)
def test_top_k_is_the_success_at_k_of_ir_measures_on_the_mapped_questions(
    qrels: dict[str, dict[str, int]], run: dict[str, list[tuple[str, float]]]
) -> None:
    rows = [
        score(question_id, passage_id, 0.9, rank=rank)
        for question_id, relevant in qrels.items()
        for rank, passage_id in enumerate(relevant, start=1)
    ]
    columns = columns_of(pa.Table.from_pylist(rows, schema=arrow_schema(Score)))
    ranked = {question_id: [name for name, _ in hits] for question_id, hits in run.items()}
    figures = question_figures(columns, dict.fromkeys(qrels, "dev"), ranked.items(), (), MATCH)
    ks = [1, 2, 5, 20]
    found = summarize(figures, len(qrels), MATCH, [0.4], ks)
    lines = [line for question_id, hits in run.items() for line in run_lines(question_id, hits)]
    theirs = ir_measures.calc_aggregate(
        [ir_measures.Success @ k for k in ks],
        qrels,
        ir_measures.read_trec_run(io.StringIO("\n".join(lines))),
    )
    for k in ks:
        for section in ("reference", "active"):
            expected = 100 * theirs[ir_measures.Success @ k]
            assert found[section][f"top_{k}"] == pytest.approx(expected, abs=1e-4)


def test_a_split_has_the_figures_of_its_questions(figures: QuestionFigures) -> None:
    dev, test = figures.of_split("dev"), figures.of_split("test")
    assert dev.question_ids == ("q1", "q2", "q3")
    assert test.question_ids == ("q4", "q5", "q6")
    assert len(dev.baseline_rank) == len(dev)
    one = summarize(dev, 3, MATCH, [0.4], [1])
    other = summarize(test, 5, MATCH, [0.4], [1])
    assert one["mapped"] + other["mapped"] == 3
    assert (other["questions"], other["answerable"]) == (5, 3)
    assert len(figures.of_split("train")) == 0
    assert summarize(figures.of_split("train"), 0, MATCH, [0.4], [1])["mapped"] == 0


def test_the_reference_stays_pure_whatever_is_configured(figures: QuestionFigures) -> None:
    other = config("match.weights=[1,0,0]", "match.threshold=0.9", "match.depth=10").match
    columns = columns_of(pa.Table.from_pylist(SCORES, schema=arrow_schema(Score)))
    theirs = question_figures(columns, SPLITS, RUN.items(), (), other)
    changed = summarize(theirs, 8, other, [0.4], [1])
    assert changed["reference"] == summarize(figures, 8, MATCH, [0.4], [1])["reference"]
    assert changed["mapped"] == 3  # q1, q4, and q6 whose passage is within the greater depth


def test_nothing_is_mapped_to_nothing_at_threshold_0() -> None:
    columns = columns_of(pa.Table.from_pylist(SCORES, schema=arrow_schema(Score)))
    match = config("match.threshold=0").match
    figures = question_figures(columns, SPLITS, RUN.items(), (), match)
    found = summarize(figures, 8, match, [0.0], [1])
    assert found["mapped"] == 5
    assert found["active"]["coverage_by_answer_percent"] == percent(6, 7)


def test_coverage_falls_with_the_threshold(figures: QuestionFigures) -> None:
    curve = coverage_curve(figures.active)
    assert [theta for theta, _ in curve] == [n / 100 for n in range(1, 101)]
    shares = [share for _, share in curve]
    assert shares == sorted(shares, reverse=True)
    assert dict(curve)[0.45] == 50.0
    assert dict(curve)[0.46] == percent(2, 6)


@pytest.mark.parametrize(
    ("theta", "key"), [(0.4, "t040"), (0.35, "t035"), (1, "t100"), (0, "t000")]
)
def test_a_threshold_has_a_key_without_dots(theta: float, key: str) -> None:
    assert threshold_key(theta) == key


def test_a_percentage_of_nothing_is_0() -> None:
    assert percent(0, 0) == 0.0
