"""A value that a condition refuses -> a few words on what it lacks, where more can be said than both of them show.

It must not know requests or rules. It is asked of the few nearest rules only, so it may try a pattern in several ways.
"""

from __future__ import annotations

import re
from typing import Any

from fakeserver.match.same import first_difference, parting
from fakeserver.match.seen import MISSING
from fakeserver.match.shorten import json_of
from fakeserver.match.wants import Equal, Glob, Offers, TextTest, Turn, Want, pattern_of

_LONG = 40  # characters up to which two texts are compared at a glance
_TRIED = 10_000  # characters of a text on which patterns are tried
_SHOWN = 20  # characters that are shown of what stands in its way
_PATTERN = 80  # characters of a pattern that is tried in parts
_CASE = "only case differs"
_FLAGS = (
    (re.I, "(?i)", "case is ignored"),
    (re.S, "(?s)", ". takes line ends"),
    (re.M, "(?m)", "^ and $ are a line's"),
)


def hint(want: Want, value: Any) -> str:
    """Empty where there is nothing to add."""
    if value is MISSING:
        return ""
    if isinstance(want, TextTest):
        return "; ".join(filter(None, (_of_part(part, value) for part in want.failing(value))))
    if isinstance(want, Glob):
        return _CASE if Glob(want.text.casefold()).holds(value.casefold()) else ""
    if isinstance(want, Offers):
        return f"lacks {', '.join(name for name in want.names if name not in value)}" if value else ""
    if isinstance(want, Turn):
        return "1 and the assistant messages so far"
    return _of_json(want.value, value) if isinstance(want, Equal) else ""


def _of_part(part: TextTest, value: str) -> str:
    if part.matches is not None:
        return _of_pattern(part.matches, value) if len(value) <= _TRIED else ""
    if part.contains is not None:
        return "it is there in another case" if part.contains.casefold() in value.casefold() else ""
    return _of_equals(part.equals or "", value)


def _of_equals(wanted: str, value: str) -> str:
    if wanted.casefold() == value.casefold():
        return _CASE
    if wanted.strip() == value.strip():
        return "only space around it differs"
    if min(len(wanted), len(value)) > _LONG:
        return f"they first differ at character {first_difference(wanted, value) + 1:,}"
    return ""


def _of_pattern(pattern: str, value: str) -> str:
    for flag, written, said in _FLAGS:
        if _found(pattern, value, flag):
            return f"it would match if {said}: begin with {written}"
    bare = re.sub(r"^(\^|\\A)|(?<!\\)(\$|\\Z)$", "", pattern)
    if bare != pattern and _found(bare, value):
        return "it would match without ^ and $"
    return _as_far(pattern, value) if len(pattern) <= _PATTERN else ""


def _as_far(pattern: str, value: str) -> str:
    """The longest beginning of the pattern that is a pattern, and takes some of the text."""
    for end in range(len(pattern) - 1, 2, -1):
        hit = _found(pattern[:end], value)
        if hit and len(hit[0]) > 2:
            then = value[hit.end() : hit.end() + _SHOWN]
            return (
                f"it matches as far as /{pattern[:end]}/, then {f'comes {json_of(then)}' if then else 'the text ends'}"
            )
    return ""


def _found(pattern: str, value: str, flags: int = 0) -> re.Match[str] | None:
    try:
        return pattern_of(pattern, flags).search(value)
    except re.error:
        return None


def _of_json(wanted: Any, value: Any) -> str:
    kinds = _kind(wanted), _kind(value)
    if kinds[0] != kinds[1]:
        return f"{kinds[0]} is wanted, not {kinds[1]}"
    place = parting(wanted, value)
    return f"they first differ at {place}" if place else ""


def _kind(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else "true or false"
    if isinstance(value, int | float):
        return "a number"
    return "a text" if isinstance(value, str) else "a list" if isinstance(value, list) else "a map"
