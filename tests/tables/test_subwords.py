"""How many tokens a text has, and where it is cut."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import InputError
from pipeline.tables.subwords import (
    Estimate,
    WordPiece,
    count,
    cut,
    of_tokenizer_json,
    of_vocabulary,
)

VOCABULARY = ["[PAD]", "[UNK]", "un", "##aff", "##able", "the", "port", "##s", ",", "cafe", "x"]


def bert(**more: object) -> dict:
    """A tokenizer.json of BERT's kind."""
    return {
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "continuing_subword_prefix": "##",
                  "vocab": {token: n for n, token in enumerate(VOCABULARY)}},
    } | more  # fmt: skip


def of_json(value: dict) -> object:
    return of_tokenizer_json(value, json.dumps(value), "tokenizer.json")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("the port", 2),
        ("The PORTS", 3),  # port ##s
        ("unaffable", 3),
        ("unaffables", 4),
        ("unxaffable", 1),  # nothing fits within: one unknown token
        ("the,port", 3),
        ("café", 1),
        ("港口", 2),
        ("x" * 101, 1),
        ("\u200b \ufffd", 0),
        ("", 0),
    ],
)
def test_wordpiece_counts_as_bert_does(text: str, tokens: int) -> None:
    assert count(of_vocabulary(VOCABULARY, "vocab.txt"), text) == tokens
    assert count(of_json(bert()), text) == tokens  # type: ignore[arg-type]


def test_a_vocabulary_with_capitals_is_cased() -> None:
    cased = of_vocabulary([*VOCABULARY, "The"], "vocab.txt")
    assert count(cased, "The") == 1
    assert count(of_vocabulary(["[UNK]", "The", "t"], "vocab.txt"), "THE") == 1


def test_text_is_cut_between_words_and_not_beyond_the_budget() -> None:
    subwords = of_vocabulary(VOCABULARY, "vocab.txt")
    assert cut(subwords, "the ports the", 2) == ("the", 1)
    assert cut(subwords, "the ports the", 3) == ("the ports", 3)
    assert cut(subwords, "unaffable", 2) == ("", 0)


@given(st.text(max_size=60), st.integers(0, 30))
def test_a_cut_text_is_a_beginning_and_within_the_budget(text: str, budget: int) -> None:
    for subwords in (Estimate(), WordPiece(VOCABULARY, lower_case=True)):
        kept, tokens = cut(subwords, text, budget)
        assert text.startswith(kept)
        assert tokens == count(subwords, kept) <= budget
        assert cut(subwords, text, count(subwords, text))[1] == count(subwords, text)


@given(st.text(max_size=40))
def test_every_visible_stretch_has_at_least_one_estimated_token(text: str) -> None:
    assert count(Estimate(), text) >= len(text.split())


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"version": "1.0"}, "no object named 'model'"),
        (bert(model={"type": "BPE", "vocab": {}}), "type BPE needs the Python package tokenizers"),
        (bert(normalizer=None), "type WordPiece needs the Python package tokenizers"),
    ],
)
def test_a_tokenizer_that_cannot_be_counted_here_says_what_it_needs(
    value: dict, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(InputError, match=message):
        of_json(value)


def test_a_file_of_words_without_an_unknown_token_is_no_vocabulary() -> None:
    with pytest.raises(InputError, match="no token"):
        of_vocabulary(["the", "port"], "words.txt")


def test_the_library_is_used_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoded:
        offsets = ((0, 2), (2, 4), (5, 9))

    class Tokenizer:
        @staticmethod
        def from_str(text: str) -> "Tokenizer":
            return Tokenizer()

        def encode(self, text: str, *, add_special_tokens: bool) -> Encoded:
            assert not add_special_tokens
            return Encoded()

    module = type("tokenizers", (), {"Tokenizer": Tokenizer})
    monkeypatch.setitem(sys.modules, "tokenizers", module)  # type: ignore[arg-type]
    found = of_json(bert(model={"type": "BPE", "vocab": {}}))
    assert count(found, "port near") == 3  # type: ignore[arg-type]
    assert cut(found, "port near", 2) == ("port", 2)  # type: ignore[arg-type]
