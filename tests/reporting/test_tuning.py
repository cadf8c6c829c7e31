"""What tuning found, in lines."""

from pipeline.evaluation.paired import PairedSuccess
from pipeline.reporting.tuning import retrieval_lines

FIGURES = {
    "questions": 40,
    "left_out": {"role report": 3},
    "index": {"bm25": {"k1": 0.6, "b": 0.3}},
    "retrieve": {"boosts": {"contents": 1.0}},
}


def entry(k: int, p: float) -> PairedSuccess:
    return PairedSuccess(k=k, questions=40, ours=20, theirs=10, only_ours=11, only_theirs=1, p=p)


def test_accuracies_stand_beside_each_other_with_corrected_p() -> None:
    lines = retrieval_lines(FIGURES, [entry(1, 0.03), entry(5, 1e-6)])
    assert "left out: 3 of role report" in lines[0]
    assert lines[2].split() == ["1", "50.00", "25.00", "0.0300"]
    assert lines[3].split() == ["5", "50.00", "25.00", "<", "0.0001"]
    assert lines[4] == "suggested:"


def test_no_significant_difference_is_said_so() -> None:
    lines = retrieval_lines(FIGURES, [entry(1, 0.03), entry(5, 0.04)])  # 0.06 each after Holm
    assert any(line.startswith("no difference is significant") for line in lines)
