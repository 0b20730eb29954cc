"""A name that is not there -> what was meant, or what there is. It must not know what the names are of."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from fakeserver.script.problems import either

_LISTED = 12


def meant(word: str, names: Iterable[str]) -> str:
    """`did you mean 'hello'?`, or ""."""
    hits = get_close_matches(word.lower(), sorted(names), 3, 0.6)
    return f"did you mean {either([repr(hit) for hit in hits])}?" if hits else ""


def near_names(word: str, names: Iterable[str]) -> str:
    """The near names; all, where none is near and they are few."""
    known = sorted(names)
    return meant(word, known) or _all(known)


def _all(known: list[str]) -> str:
    if len(known) > _LISTED:
        return f"there are {len(known)}, and `fakeserver list` with the same paths names them."
    return f"there {'is' if len(known) == 1 else 'are'} {either(known, 'and') if known else 'none'}."
