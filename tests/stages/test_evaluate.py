"""silver evaluate: reports of whole files, and one sentence for whatever is wrong with them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_measures
import pytest

from pipeline import cli
from tests.corpora.support import selqa_row, squad, wikiqa, write, write_json
from tests.fakes import PARAMS, passage, question, write_passages, write_questions

Run = Callable[..., tuple[int, list[str], str]]


@pytest.fixture
def silver(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process: exit code, lines on stdout, what stands on stderr."""

    def run(*arguments: object) -> tuple[int, list[str], str]:
        command = [*map(str, arguments), "--config", str(PARAMS), "--quiet"]
        try:
            cli.main(command)
            code = 0
        except SystemExit as left:
            code = int(left.code or 0)
        shown = capsys.readouterr()
        return code, shown.out.splitlines(), shown.err

    return run


def last(found: tuple[int, list[str], str]) -> dict[str, Any]:
    code, lines, err = found
    assert code == 0, err
    report: dict[str, Any] = json.loads(lines[-1])
    return report


def assert_refused(found: tuple[int, list[str], str], *words: str) -> None:
    code, lines, err = found
    assert code == 2, err
    assert lines == []
    assert err.count("\n") == 1 and err.startswith("silver: ") and "Traceback" not in err, err
    for word in words:
        assert word in err


ROWS = [
    selqa_row("When was it built?", ["In 1880.", "", "By hand.", "It was built in 1902."], [0, 3]),
    selqa_row("Where is it?", ["It is old.", "It is in Lund."], [1], article="Bridge"),
    selqa_row("Who knows?", ["Nobody."], [], q_types=["who", "what"], topic="ART"),
]


@pytest.fixture
def selqa(tmp_path: Path) -> Path:
    return write_json(tmp_path / "selqa-ass-dev.json", ROWS)


def select(folder: Path, gold: Path, *more: object, text: str) -> tuple[object, ...]:
    predictions = write(folder / "p.txt", text)
    return ("evaluate", "selection", "--gold", gold, "--predictions", predictions,
            "--format", "selqa-ass-json", *more)  # fmt: skip


PERFECT = "selqa-dev-0\t0\t9\nselqa-dev-0\t3\t8\nselqa-dev-0\t2\t1\nselqa-dev-1\t1\t1\n"


# ---------------------------------------------------------------- selection


def test_selection_says_what_it_divides_by_and_what_was_missing(
    silver: Run, selqa: Path, tmp_path: Path
) -> None:
    text = PERFECT + "selqa-dev-1\t1\t2\nselqa-dev-8\t0\t1\n"
    out = tmp_path / "report.json"
    report = last(silver(*select(tmp_path, selqa, "--out", out, text=text)))
    assert (report["map"], report["mrr"], report["n"], report["questions"]) == (1.0, 1.0, 2, 3)
    assert report["measures"]["map"]["denominator"] == 2
    assert (report["missing"], report["unknown"], report["duplicates"]) == (1, 1, 1)
    assert (report["unanswerable"], report["candidates_missing"]) == (1, 2)
    whole = json.loads(out.read_text())
    assert whole["slices"]["topic"]["TRAVEL"]["n"] == 2
    assert whole["slices"]["question_type"]["when"]["map"]["value"] == 1.0
    assert "slices" not in report
    assert {key: whole[key] for key in report} == report
    kept = last(silver(*select(tmp_path, selqa, "--keep-unanswerable", text=text)))
    assert (kept["map"], kept["n"]) == (pytest.approx(2 / 3), 3)


def test_two_predictions_are_compared_by_a_paired_bootstrap(
    silver: Run, selqa: Path, tmp_path: Path
) -> None:
    other = write(tmp_path / "other.txt", "selqa-dev-0\t2\t9\nselqa-dev-0\t0\t8\n")
    report = last(silver(*select(tmp_path, selqa, "--compare", other, text=PERFECT)))
    found = report["comparison"]["measures"]
    assert found["mrr"]["theirs"] == pytest.approx(0.25)
    assert found["mrr"]["test"] == "paired bootstrap"
    assert 0 < found["map"]["p"] <= found["map"]["p_holm"] <= 1


def test_strict_refuses_missing_unknown_and_duplicate_ids(
    silver: Run, selqa: Path, tmp_path: Path
) -> None:
    assert_refused(silver(*select(tmp_path, selqa, "--strict", text=PERFECT)), "1 missing")
    whole = PERFECT + "selqa-dev-2\t0\t1\n"
    assert last(silver(*select(tmp_path, selqa, "--strict", text=whole)))["map"] == 1.0
    more = whole + "selqa-dev-9\t0\t1\nselqa-dev-1\t1\t1\n"
    said = silver(*select(tmp_path, selqa, "--strict", text=more))
    assert_refused(said, "1 unknown", "1 duplicates")


def test_the_simple_recipe_is_named_and_has_no_map(
    silver: Run, selqa: Path, tmp_path: Path
) -> None:
    report = last(silver(*select(tmp_path, selqa, "--recipe", "simple", text=PERFECT)))
    assert (report["recipe"], report["mrr"], "map" in report) == ("simple", 1.0, False)
    missed = "selqa-dev-0\t2\t1\n"
    report = last(silver(*select(tmp_path, selqa, "--recipe", "simple", text=missed)))
    assert (report["mrr"], report["n"], report["measures"]["mrr"]["denominator"]) == (0.0, 2, 0)


def test_wikiqa_names_its_own_ids_and_counts_the_answerable(silver: Run, tmp_path: Path) -> None:
    rows = [
        ("Q1", "who ?", "D1", "T", "D1-0", "A .", "0"),
        ("Q1", "who ?", "D1", "T", "D1-1", "B .", "1"),
        ("Q2", "what ?", "D2", "U", "D2-0", "C .", "0"),
        ("Q3", "why ?", "D3", "V", "D3-0", "D .", "1"),
    ]
    gold = write(tmp_path / "WikiQA-dev.tsv", wikiqa(*rows))
    run = write(tmp_path / "w.trec", "Q1 Q0 Q1-c0 1 2 x\nQ1 Q0 Q1-c1 2 1 x\nQ3 Q0 Q3-c0 1 1 x\n")
    files = ("--gold", gold, "--predictions", run)
    command = ("evaluate", "selection", *files, "--format", "wikiqa-tsv")
    report = last(silver(*command))
    assert (report["map"], report["n"], report["unanswerable"]) == (0.75, 2, 1)
    report = last(silver(*command, "--drop-all-positive"))
    assert (report["map"], report["n"], report["all_positive"]) == (0.5, 1, 1)


WRONG = {
    "empty": ("", "empty"),
    "blank": ("\n \n", "empty"),
    "html": ("<!DOCTYPE html><html></html>", "web page"),
    "nan": ("selqa-dev-0\t0\tnan\n", "no finite number"),
    "index": ("selqa-dev-0\t4\t1\n", "candidate 4"),
    "ids": ("other-1\t0\t1\n", "no question id"),
    "prose": ("It was all fine.\n", "columns"),
    "cut": ('[{"question_id": "selqa-dev-0", "sco', "not valid JSON"),
}


@pytest.mark.parametrize(("text", "words"), WRONG.values(), ids=WRONG)
def test_wrong_predictions_are_one_sentence(
    silver: Run, selqa: Path, tmp_path: Path, text: str, words: str
) -> None:
    out = tmp_path / "report.json"
    assert_refused(silver(*select(tmp_path, selqa, "--out", out, text=text)), "p.txt", words)
    assert not out.exists()


def test_wrong_files_and_formats_are_one_sentence(silver: Run, selqa: Path, tmp_path: Path) -> None:
    command = ["evaluate", "selection", "--format", "selqa-ass-json", "--predictions",
               write(tmp_path / "p.tsv", PERFECT), "--gold"]  # fmt: skip
    assert_refused(silver(*command, tmp_path / "none.json"), "none.json", "no such file")
    assert_refused(silver(*command, write(tmp_path / "g.json", "")), "empty")
    assert_refused(silver(*command, write(tmp_path / "h.json", "<html>")), "web page")
    assert_refused(silver(*command, write(tmp_path / "i.json", "[]")), "holds no question")
    bad = write_json(tmp_path / "j.json", [selqa_row("Who?", ["A."], [1])])
    assert_refused(silver(*command, bad), "question 1", "answer index out of range")
    assert_refused(silver(*command, selqa, "--format", "squad-json"), "no candidate sentences")
    assert_refused(silver(*command, selqa, "--format", "wikiqa-tsv"), "columns")
    assert_refused(silver(*command, selqa, "--compare", tmp_path / "q.tsv"), "no such file")
    assert_refused(silver(*command, selqa, "--out", selqa), "overlaps")


# ---------------------------------------------------------------- triggering


def section(candidates: list[str], answers: list[int]) -> dict[str, Any]:
    return {"article": "A", "section": "S", "candidates": candidates, "answers": answers}


def at_row(text: str, *sections: dict[str, Any]) -> dict[str, Any]:
    return {"question": text, "article": "A", "section": "S", "topic": "ART", "q_types": ["who"],
            "is_paraphrase": True, "candidate_list": list(sections)}  # fmt: skip


@pytest.fixture
def triggering(tmp_path: Path) -> Path:
    rows = [
        at_row("Who is it?", section(["A.", "B."], [1]), section(["C."], [])),
        at_row("Who was it?", section(["D."], []), section(["E.", "F."], [])),
    ]
    return write_json(tmp_path / "selqa-at-dev.json", rows)


def trigger(gold: Path, predictions: Path, *more: object) -> tuple[object, ...]:
    return ("evaluate", "triggering", "--gold", gold, "--predictions", predictions,
            "--format", "selqa-at-json", *more)  # fmt: skip


SCORES = '{"question_id": "selqa-dev-0", "scores": [0.1, 0.9, 0.6]}\n' \
         '{"question_id": "selqa-dev-1", "scores": [0.7, 0.1, 0.2]}\n'  # fmt: skip


def test_triggering_by_question_and_by_section_are_different_figures(
    silver: Run, triggering: Path, tmp_path: Path
) -> None:
    said = write(tmp_path / "p.jsonl", SCORES)
    by_question = last(silver(*trigger(triggering, said, "--threshold", "0.5")))
    assert (by_question["level"], by_question["n"]) == ("question", 2)
    assert by_question["precision"] == 0.5
    assert by_question["recall"] == 1.0
    assert (by_question["true_positives"], by_question["false_positives"]) == (1, 1)
    assert by_question["threshold_from"] == "given"
    by_section = last(silver(*trigger(triggering, said, "--level", "section")))
    assert (by_section["level"], by_section["n"], by_section["recipe"]) == ("section", 4, "simple")
    assert by_section["precision"] == pytest.approx(1 / 3)
    assert by_section["threshold_from"] == "default"
    simple = last(silver(*trigger(triggering, said, "--recipe", "simple")))
    assert simple == by_section


def test_other_predictions_may_have_a_threshold_of_their_own(
    silver: Run, triggering: Path, tmp_path: Path
) -> None:
    said = write(tmp_path / "p.jsonl", SCORES)
    scaled = write(tmp_path / "q.jsonl", SCORES.replace("0.", "-0."))
    command = trigger(triggering, said, "--threshold", "0.8", "--compare", scaled)
    assert last(silver(*command))["comparison"]["measures"]["recall"]["theirs"] == 0.0
    report = last(silver(*command, "--compare-threshold", "-1"))
    assert report["comparison"]["measures"]["precision"]["theirs"] == 0.0
    assert report["comparison"]["measures"]["precision"]["ours"] == 1.0


def test_sections_may_be_labelled_outright(silver: Run, triggering: Path, tmp_path: Path) -> None:
    rows = [{"question_id": "selqa-dev-0", "section_index": 0, "label": 1},
            {"question_id": "selqa-dev-1", "section_index": 1, "label": 1}]  # fmt: skip
    said = write(tmp_path / "s.jsonl", "\n".join(map(json.dumps, rows)))
    report = last(silver(*trigger(triggering, said, "--level", "section")))
    assert (report["f1"], report["missing"]) == (pytest.approx(2 / 3), 2)
    assert "threshold" not in report


def test_a_threshold_is_tuned_on_dev_and_says_so(
    silver: Run, triggering: Path, tmp_path: Path
) -> None:
    said = write(tmp_path / "p.jsonl", SCORES)
    test = write_json(tmp_path / "selqa-at-test.json", json.loads(triggering.read_text()))
    tested = write(tmp_path / "t.jsonl", SCORES.replace("selqa-dev", "selqa-test"))
    dev = ("--threshold", "tune", "--dev-gold", triggering, "--dev-predictions", said)
    report = last(silver(*trigger(test, tested, *dev)))
    assert (report["threshold"], report["f1"]) == (pytest.approx(0.8), 1.0)
    assert "selqa-at-dev.json" in report["threshold_from"]
    assert report["notes"] == ["the threshold was tuned on selqa-at-dev.json"]
    same = last(silver(*trigger(triggering, said, *dev)))
    assert "no result" in same["notes"][0]
    by_section = last(silver(*trigger(test, tested, *dev, "--level", "section")))
    assert by_section["threshold"] == pytest.approx(0.8)


def test_what_cannot_be_triggered_is_one_sentence(
    silver: Run, triggering: Path, tmp_path: Path
) -> None:
    said = write(tmp_path / "p.jsonl", SCORES)
    tsv = write(tmp_path / "selqa-at-dev.tsv", "Who ?\tA .\t1\nWho ?\tB .\t0\n")
    flat = ("evaluate", "triggering", "--gold", tsv, "--predictions",
            write(tmp_path / "f.tsv", "dev-0\t0\t1\n"), "--format", "selqa-at-tsv")  # fmt: skip
    assert last(silver(*flat))["f1"] == 1.0
    assert_refused(silver(*flat, "--level", "section"), "selqa-at-tsv has no sections")
    assert_refused(silver(*trigger(triggering, said, "--threshold", "tune")), "--dev-gold")
    for flag in ("--dev-gold", "--dev-predictions"):
        for threshold in ((), ("--threshold", "0.5")):
            given = silver(*trigger(triggering, said, *threshold, flag, said))
            assert_refused(given, f"{flag}: only --threshold tune takes it")
    assert_refused(silver(*trigger(triggering, said, "--threshold", "x")), "expected a number")
    assert_refused(silver(*trigger(triggering, said, "--threshold", "nan")), "expected a number")
    both = ("--recipe", "simple", "--level", "question")
    assert_refused(silver(*trigger(triggering, said, *both)), "counts sections")
    ranked = write(tmp_path / "r.jsonl", '{"question_id": "selqa-dev-0", "ranking": [0]}')
    assert_refused(silver(*trigger(triggering, ranked)), "needs scores")
    strange = write(tmp_path / "x.tsv", "selqa-dev-0\t2\t1\n")
    header = write(tmp_path / "y.tsv", "question_id\tsection_index\tlabel\nselqa-dev-0\t2\t1\n")
    assert last(silver(*trigger(triggering, strange)))["candidates_missing"] == 2
    assert_refused(silver(*trigger(triggering, header, "--level", "section")), "2 sections")
    assert_refused(silver(*trigger(triggering, strange, "--level", "section")), "no header")


def test_a_wikiqa_question_in_two_places_of_the_file_counts_once(
    silver: Run, tmp_path: Path
) -> None:
    rows = [
        ("Q1", "who ?", "D1", "T", "D1-0", "A .", "0"),
        ("Q2", "what ?", "D2", "U", "D2-0", "C .", "0"),
        ("Q1", "who ?", "D1", "T", "D1-1", "B .", "1"),
    ]
    gold = write(tmp_path / "WikiQA-dev.tsv", wikiqa(*rows))
    said = write(tmp_path / "w.tsv", "Q2\t0\t-0.7\nQ1\t1\t-0.1\nQ1\t0\t-0.2\n")
    files = ("--gold", gold, "--predictions", said)
    command = ("evaluate", "triggering", *files, "--format", "wikiqa-tsv", "--threshold")
    report = last(silver(*command, "-0.5"))
    assert (report["f1"], report["n"], report["predicted"], report["relevant"]) == (1.0, 2, 1, 1)
    assert last(silver(*command, "1.5"))["predicted"] == 0


# ---------------------------------------------------------------- reading


def read(gold: Path, predictions: Path, format_name: str, *more: object) -> tuple[object, ...]:
    return ("evaluate", "reading", "--gold", gold, "--predictions", predictions,
            "--format", format_name, *more)  # fmt: skip


def test_reading_reports_both_denominators(silver: Run, tmp_path: Path) -> None:
    rows = [{"id": name, "question": "?", "answers": [{"text": "The Nile", "answer_start": 0}]}
            for name in ("a", "b")]  # fmt: skip
    gold = write_json(tmp_path / "dev.json", squad(("The Nile.", rows)))
    said = write(tmp_path / "p.json", '{"a": "nile", "z": "x"}')
    report = last(silver(*read(gold, said, "squad2")))
    assert (report["em"], report["em_all_ids"], report["missing"], report["unknown"]) == (
        100.0, 50.0, 1, 1,
    )  # fmt: skip
    assert last(silver(*read(gold, said, "squad1")))["em"] == 50.0
    assert last(silver(*read(gold, said, "squad1", "--recipe", "simple")))["em"] == 0.0
    assert_refused(silver(*read(gold, said, "squad2", "--strict")), "1 missing, 1 unknown")


def test_exact_match_is_compared_by_mcnemar_and_f1_by_bootstrap(
    silver: Run, tmp_path: Path
) -> None:
    answers = {str(n): f"word{n} more" for n in range(12)}
    gold = write_json(tmp_path / "r.json", {"reference": answers})
    ours = write_json(tmp_path / "p.json", answers)
    theirs = write_json(tmp_path / "q.json", dict.fromkeys(answers, "more"))
    report = last(silver(*read(gold, ours, "hybridqa", "--compare", theirs)))
    found = report["comparison"]["measures"]
    assert found["em"]["test"] == "McNemar"
    assert found["em"]["p"] == pytest.approx(2 * 0.5**12)
    assert found["f1"]["test"] == "paired bootstrap"
    assert found["f1"]["difference"] == pytest.approx(100 / 3)


def test_what_cannot_be_read_is_one_sentence(silver: Run, tmp_path: Path) -> None:
    gold = write_json(tmp_path / "r.json", {"reference": {"a": "x"}})
    said = write(tmp_path / "p.json", '{"a": "x"}')
    assert_refused(silver(*read(gold, said, "triviaqa")), "expected ottqa, hybridqa")
    assert_refused(silver(*read(said, said, "ottqa")), "no object named 'reference'")
    assert_refused(silver(*read(gold, said, "squad1")), "no list named 'data'")
    assert_refused(silver(*read(gold, tmp_path / "n.json", "ottqa")), "no such file")
    assert_refused(silver(*read(gold, write(tmp_path / "e.json", ""), "ottqa")), "empty")
    assert_refused(silver(*read(gold, write(tmp_path / "h.json", "<html>"), "ottqa")), "web page")
    other = write(tmp_path / "o.json", '{"b": "x"}')
    assert_refused(silver(*read(gold, other, "ottqa")), "no question id")


@pytest.mark.real
def test_ottqas_published_predictions_are_scored_to_the_last_digit(
    silver: Run, real_data: Path
) -> None:
    folder = real_data / "ottqa"
    report = last(
        silver(*read(folder / "dev_reference.json", folder / "predictions.dev.json", "ottqa"))
    )
    assert report["em"] == 10.930442637759711
    assert report["f1"] == 13.121268724249752
    assert (report["n"], report["missing"]) == (2214, 4)


# ---------------------------------------------------------------- retrieval


def retrieve(folder: Path, *more: object) -> tuple[object, ...]:
    qrels = write(folder / "q.qrels", "own-1 0 1-0 1\nown-2 0 1-1 1\nown-3 0 9-9 1\n")
    return ("evaluate", "retrieval", "--gold", qrels, *more)


def test_retrieval_orders_by_score_and_keeps_questions_without_hits(
    silver: Run, tmp_path: Path
) -> None:
    run = write(tmp_path / "r.trec", "own-1 Q0 1-0 9 2 x\nown-1 Q0 1-1 1 1 x\nown-2 Q0 1-0 1 3 x\n"
                "own-2 Q0 1-1 2 2 x\nown-7 Q0 1-1 2 2 x\n")  # fmt: skip
    report = last(silver(*retrieve(tmp_path, "--predictions", run, "--k", 1, "--k", 5)))
    assert report["success_1"] == pytest.approx(1 / 3)
    assert report["mrr_5"] == pytest.approx((1 + 1 / 2) / 3)
    assert (report["n"], report["missing"], report["unknown"]) == (3, 1, 1)
    assert "recall_100" not in report
    qrels = list(ir_measures.read_trec_qrels(str(tmp_path / "q.qrels")))
    measure = ir_measures.nDCG @ 5
    theirs = ir_measures.calc_aggregate([measure], qrels, ir_measures.read_trec_run(str(run)))
    assert report["ndcg_5"] == pytest.approx(theirs[measure], abs=1e-9)
    beir = write(tmp_path / "b.tsv", "query-id\tcorpus-id\tscore\nown-1\t1-0\t1\n")
    said = silver("evaluate", "retrieval", "--gold", beir, "--format", "beir", "--predictions", run)
    assert last(said)["success_1"] == 1.0


def test_success_is_compared_by_mcnemar_and_holm_is_over_the_whole_table(
    silver: Run, tmp_path: Path
) -> None:
    run = write(tmp_path / "r.trec", "own-1 Q0 1-0 1 2 x\nown-2 Q0 1-1 2 2 x\n")
    other = write(tmp_path / "o.trec", "own-1 Q0 7-7 1 2 x\n")
    more = ("--predictions", run, "--compare", other, "--k", 1)
    found = last(silver(*retrieve(tmp_path, *more)))["comparison"]["measures"]
    assert found["success_1"]["test"] == "McNemar"
    assert found["success_1"]["p"] == 0.5
    assert found["mrr_1"]["test"] == "paired bootstrap"
    lowest = min(found.values(), key=lambda entry: float(entry["p"]))
    assert lowest["p_holm"] == pytest.approx(min(1.0, 4 * lowest["p"]))


def test_wrong_runs_are_one_sentence(silver: Run, tmp_path: Path) -> None:
    def said(text: str, *more: object) -> tuple[int, list[str], str]:
        run = write(tmp_path / "r.trec", text)
        return silver(*retrieve(tmp_path, "--predictions", run, *more))

    assert_refused(said(""), "empty")
    assert_refused(said("<html>\n"), "line 1", "expected 'qid Q0")
    assert_refused(said("own-1 Q0 1-0 1 nan x\n"), "no finite number")
    assert_refused(said("q9 Q0 1-0 1 1 x\n"), "no question id")
    assert_refused(said("own-1 Q0 1-0 1 1 x\n", "--index", tmp_path), "has_answer needs both")
    twice = "own-1 Q0 1-0 1 1 x\nown-1 Q0 1-0 1 2 x\n"
    assert last(said(twice))["duplicates"] == 1
    assert_refused(said(twice, "--strict"), "1 duplicates")


def test_accuracy_by_answer_string_looks_at_the_text_and_at_titles_when_asked(
    silver: Run, tmp_path: Path
) -> None:
    rows = [passage("1-0", "Salt was traded here.", title="Orvik"), passage("1-1", "Tin was not.")]
    write_passages(tmp_path / "passages", rows)
    asked = [
        question("own-1", "Salt was traded here.", answers=("salt",)),
        question("own-2", "It is in Orvik.", answers=("Orvik",)),
        question("own-3", "Nothing."),
    ]
    write_questions(tmp_path / "q.parquet", *asked)
    last(silver("index", "--passages", tmp_path / "passages", "--out", tmp_path / "index"))
    run = write(tmp_path / "r.trec", "own-1 Q0 1-1 1 2 x\nown-1 Q0 1-0 2 1 x\nown-2 Q0 1-0 1 2 x\n")
    more = ("--predictions", run, "--index", tmp_path / "index", "--questions",
            tmp_path / "q.parquet", "--k", 1, "--k", 5)  # fmt: skip
    report = last(silver(*retrieve(tmp_path, *more)))
    assert (report["has_answer_1"], report["has_answer_5"]) == (0.0, 0.5)
    assert report["has_answer"]["n"] == 2
    assert report["has_answer"]["words_a_passage"] == 3.5
    titled = last(silver(*retrieve(tmp_path, *more, "--with-title", "--compare", run)))
    assert titled["has_answer_1"] == 0.5
    assert titled["comparison"]["measures"]["has_answer_1"]["test"] == "McNemar"
