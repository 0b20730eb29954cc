"""A text -> the pieces it is sent in. It must not know chunks."""

from __future__ import annotations

import re

# The default cut: a word's start with the space before it, six letters or digits at most; else one character.
_TOKEN = re.compile(r" ?[^\W_]{1,6}|.", re.DOTALL)
_WORD = re.compile(r"\s*\S+")


def tokens(text: str) -> list[str]:
    """The pieces that stand for a model's tokens; usage is counted in them."""
    return _TOKEN.findall(text)


def words(text: str) -> list[str]:
    """Words with the space before them; space at the very end goes with the last."""
    found = _WORD.findall(text)
    if not found:
        return [text] if text else []
    found[-1] += text[sum(map(len, found)) :]
    return found


def chars(text: str) -> list[str]:
    """What people see as characters (UAX 29 grapheme clusters): an emoji of several code points is one."""
    if text.isascii() and "\r\n" not in text:
        return list(text)
    import regex  # late: only a text beyond ASCII needs its tables

    return list(regex.findall(r"\X", text))


def cut(text: str, by: str) -> list[str]:
    """The pieces of a text by `token`, `word`, `char` or `whole`; an empty text is one empty piece."""
    pieces = {"token": tokens, "word": words, "char": chars}.get(by, lambda whole: [whole])(text)
    return pieces or [text]
