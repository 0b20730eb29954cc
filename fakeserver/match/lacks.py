"""What a request lacks -> what it has instead, in a few words. It must not know rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

from fakeserver.match.seen import MISSING, Seen, pointed
from fakeserver.match.shorten import listed

_NAMED = 8  # keys of a map that are listed


def no_message(role: str) -> Callable[[Seen], str]:
    return lambda seen: f"the request has no {role} message"


def other_headers(seen: Seen, name: str) -> str:
    close = get_close_matches(name, list(seen.headers), 1, 0.75)
    return f"the request has {close[0]}" if close else ""


def nothing_at(body: Any, steps: Sequence[str]) -> str:
    """How far a pointer leads, and what stands there."""
    there = next(n for n in range(len(steps), -1, -1) if pointed(body, steps[:n]) is not MISSING)
    place = "/" + "/".join(steps[:there]) if there else "the body"
    found = pointed(body, steps[:there])
    if isinstance(found, dict):
        return f"{place} has {listed(sorted(found), _NAMED)}" if found else f"{place} is an empty map"
    if isinstance(found, list):
        return f"{place} is a list of {len(found)}"
    return f"{place} is no map"
