"""Sentence splitting: golden cases, laws of the spans, measured quality."""

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pipeline.wikipedia.segmentation.sentences import (
    Spans,
    Splitter,
    make_splitter,
    punkt_splitter,
    train_punkt,
)
from scripts.benchmarks._boundaries import boundary_f1, gold_paragraphs

GOLDEN = Path(__file__).parent.parent / "golden" / "sentences.yaml"
CASES = yaml.safe_load(GOLDEN.read_text(encoding="utf-8"))
TRAINING = (
    "The firm of Dr. Ames was large. Mr. Ames met Dr. Cole. They met. "
    "Mr. Brandt came. He stayed. Dr. Brandt left. It was late. "
) * 30
TEXTS = st.text(
    st.sampled_from("abzABZ .!?…,:;“”\"'’()[]。「」とé1 2\n\t\u00a0\u2003\u200bĐß한😀\u0301"),
    max_size=60,
)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_golden_cases_are_cut_where_the_bars_stand(case: dict[str, str]) -> None:
    text = re.sub(r"\| ?", "", case["text"])
    wanted = [piece.strip() for piece in case["text"].split("|")]
    assert [text[start:end] for start, end in make_splitter("rules", "en")(text)] == wanted


def laws_hold(text: str, spans: Spans) -> None:
    last = 0
    for start, end in spans:
        assert last <= start < end
        assert text[start:end] == text[start:end].strip()
        last = end
    covered = "".join(text[start:end] for start, end in spans)
    assert "".join(covered.split()) == "".join(text.split())


@pytest.mark.parametrize("language", ["en", "de", "ja", "fr", "xx"])
@given(text=TEXTS)
def test_spans_are_ordered_trimmed_and_cover_all_that_is_visible(language: str, text: str) -> None:
    laws_hold(text, make_splitter("sentencex", language)(text))


@pytest.fixture(scope="module")
def punkt() -> Splitter:
    return punkt_splitter(train_punkt([TRAINING]))


@given(text=TEXTS)
def test_punkt_keeps_the_same_laws(punkt: Splitter, text: str) -> None:
    laws_hold(text, punkt(text))


@given(text=st.text(max_size=80))
def test_any_text_at_all_is_cut_lawfully(text: str) -> None:
    laws_hold(text, make_splitter("rules", "en")(text))


def test_punkt_learns_abbreviations_from_the_collection() -> None:
    text = "He saw Dr. Smith. They spoke."
    assert len(make_splitter("punkt", "en", [TRAINING])(text)) == 2


def test_punkt_learns_the_same_from_the_same_text() -> None:
    assert train_punkt([TRAINING]) == train_punkt([TRAINING])


def test_an_unknown_splitter_is_refused() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        make_splitter("nonsense", "en")


@pytest.mark.parametrize(
    "text",
    ["J.\tJ." * 30_000, "(A b. " * 20_000, ". " * 50_000, "。」" * 50_000 + "と", "\n \n" * 50_000,
     ". " + " " * 100_000 + "x", '"' * 100_000 + " A", "! :) " * 30_000, "a." * 100_000],
    ids=repr,
)  # fmt: skip
def test_hostile_text_is_cut_lawfully_without_hanging(text: str) -> None:
    laws_hold(text, make_splitter("rules", "en")(text))


# ---------------------------------------------------------------- measured on gold boundaries


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "least"), [("en_pud-ud-test.conllu", 0.997), ("en_ewt-ud-test.conllu", 0.87)]
)
def test_boundaries_inside_paragraphs_are_found(name: str, least: float, real_data: Path) -> None:
    split = make_splitter("rules", "en")
    gold = list(gold_paragraphs(real_data / "sentseg" / name))
    assert boundary_f1(gold, [split(text) for text, _ in gold]) >= least
