"""The tokenizer: what the corpora's conventions tell apart is equal, and nothing else."""

import sys
import unicodedata
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pipeline.matching import tokens as token_module
from pipeline.matching.tokens import tokenize

GOLDEN = yaml.safe_load(
    (Path(__file__).parents[1] / "golden" / "tokens.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["name"])
def test_conventions_do_not_tell_texts_apart(case: dict) -> None:
    expected = case.get("tokens", tokenize(case["equal"][0]))
    for text in case["equal"]:
        assert tokenize(text) == expected, case["why"]
    for text in case.get("different", []):
        assert tokenize(text) != expected, case["why"]


@given(st.text())
def test_composition_never_tells_texts_apart(text: str) -> None:
    assert tokenize(unicodedata.normalize("NFD", text)) == tokenize(text)


@given(st.text())
def test_tokens_are_whole_words_and_tokenize_to_themselves(text: str) -> None:
    tokens = tokenize(text)
    assert all(token and not token.isspace() for token in tokens)
    assert tokenize(" ".join(tokens)) == tokens


@given(st.text(alphabet="ab1 .,'-", max_size=30))
def test_every_letter_and_digit_stands_in_a_token(text: str) -> None:
    kept = "".join(tokenize(text))
    for letter in "ab1":
        assert kept.count(letter) == text.count(letter)


@given(st.text())
def test_the_pattern_for_plain_texts_reads_them_as_the_full_one_does(text: str) -> None:
    plain = unicodedata.normalize("NFC", text).casefold()
    if not token_module._SPECIAL.search(plain):
        assert token_module._PLAIN.findall(plain) == token_module._pattern().findall(plain)
    if plain.isascii():
        assert token_module._PLAIN_ASCII.findall(plain) == token_module._pattern().findall(plain)


def test_every_mark_and_every_script_without_spaces_is_special() -> None:
    for code in range(sys.maxunicode):
        if unicodedata.category(chr(code)) in ("Mn", "Mc"):
            assert token_module._SPECIAL.match(chr(code))
    assert all(token_module._SPECIAL.match(letter) for letter in "กໂမកあア漢豈\U00020000")


def test_a_long_hostile_text_is_tokenized_in_time() -> None:
    assert tokenize("-LRB" * 50_000) and tokenize("1.," * 50_000)
    assert tokenize("a" + "\u0301" * 100_000)
