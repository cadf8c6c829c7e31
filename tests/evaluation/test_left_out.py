"""What tuning left out, in words."""

from pipeline.evaluation.left_out import (
    ROLE_REPORT,
    WITHHELD,
    is_withheld,
    left_out_words,
)


def test_what_was_left_out_comes_with_what_helps() -> None:
    words = left_out_words({WITHHELD: 3, ROLE_REPORT: 1200})
    assert words.startswith("; left out: 1,200 of role report")
    assert "judge sample --role tune" in words and "--all-roles" in words
    assert "3 with hashes in place of texts (import them without --hash-texts)" in words


def test_nothing_left_out_is_nothing_said() -> None:
    assert left_out_words({}) == ""


def test_a_hash_of_any_text_withholds_the_pair() -> None:
    assert is_withheld(["It is long.", "sha1:0123456789abcdef"])
    assert not is_withheld(["It is long.", None])
