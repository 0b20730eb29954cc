"""How a text is cut: `(?: ?[^\\W_]{1,6})|.` repeated, `\\s*\\S+`, graphemes, whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakeserver.speech.pieces import chars, cut, tokens, words


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Hello there.", ["Hello", " there", "."]),
        ("international", ["intern", "ationa", "l"]),
        ("a_b", ["a", "_", "b"]),
        ("a  b\n", ["a", " ", " b", "\n"]),
        ("naïve 🌍", ["naïve", " ", "🌍"]),
        ("", []),
    ],
)
def test_tokens(text: str, pieces: list[str]) -> None:
    assert tokens(text) == pieces


@pytest.mark.parametrize(
    ("text", "pieces"),
    [("Hi you  there ", ["Hi", " you", "  there "]), (" \n", [" \n"]), ("", []), ("\na b", ["\na", " b"])],
)
def test_words(text: str, pieces: list[str]) -> None:
    assert words(text) == pieces


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("abc", ["a", "b", "c"]),
        ("a\r\nb", ["a", "\r\n", "b"]),
        ("👨‍👩‍👧é", ["👨‍👩‍👧", "é"]),
        ("e\u0301x", ["e\u0301", "x"]),
    ],
)
def test_a_char_is_what_people_see_as_one(text: str, pieces: list[str]) -> None:
    assert chars(text) == pieces


def test_an_empty_text_is_one_empty_piece() -> None:
    assert [cut("", by) for by in ("token", "word", "char", "whole")] == [[""]] * 4


@given(st.text(), st.sampled_from(["token", "word", "char", "whole"]))
def test_nothing_is_lost(text: str, by: str) -> None:
    assert "".join(cut(text, by)) == text
