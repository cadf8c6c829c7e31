"""What reports are broken down by."""

from pipeline.evaluation.slices import NO_ANSWER, length_bin, overlap, overlap_quartiles, slices_of
from tests.evaluation.asked import asked


def test_a_question_of_two_types_counts_in_both() -> None:
    found = slices_of([asked("x", [1], q_types="how;what", topic="ART", is_paraphrase="true")])
    assert found["question_type"] == [("how", "what")]
    assert found["topic"] == [("ART",)]
    assert found["paraphrase"] == [("true",)]


def test_what_the_corpus_does_not_tell_is_left_out() -> None:
    assert set(slices_of([asked("x", [1])])) == {"section_length", "overlap"}


def test_sections_are_binned_by_their_sentences_empty_ones_left_out() -> None:
    assert [length_bin(n) for n in (1, 5, 6, 10, 11, 20, 21, 99)] == [
        "01-05 sentences", "01-05 sentences", "06-10 sentences", "06-10 sentences",
        "11-20 sentences", "11-20 sentences", "21 sentences or more", "21 sentences or more",
    ]  # fmt: skip
    question = asked("x", [1, 0, 0, 0, 0, 0], candidates=["a", "", "b", "c", "d", "e"])
    assert slices_of([question])["section_length"] == [("01-05 sentences",)]
    names = [length_bin(n) for n in (1, 6, 11, 21)]
    assert names == sorted(names)


def test_overlap_is_that_of_the_answer_sentence_that_shares_most() -> None:
    question = asked(
        "x", [1, 1, 0], question="who was Ada", candidates=["Bob", "It was Ada .", "who was Ada"]
    )
    assert overlap(question) == 2 * 2 / (3 + 3)
    assert overlap(asked("x", [0])) is None


def test_overlaps_fall_into_quartiles_and_equal_ones_stay_together() -> None:
    words = ["a", "b", "c", "d", "e", "f", "g", "h"]
    questions = [
        asked(str(n), [1], question=" ".join(words), candidates=[" ".join(words[:n])])
        for n in range(1, 9)
    ]
    found = overlap_quartiles([*questions, asked("none", [0])])
    assert [name[:2] for name in found[:8]] == ["Q1", "Q1", "Q2", "Q2", "Q3", "Q3", "Q4", "Q4"]
    assert found[8] == NO_ANSWER
    assert found[0] == "Q1 [0.222, 0.509]"
    assert len(set(overlap_quartiles(questions[:1] * 5))) == 1
    assert overlap_quartiles([asked("none", [0])]) == [NO_ANSWER]
