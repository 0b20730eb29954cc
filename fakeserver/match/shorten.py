"""Values of any size -> what fits in a line: a text in quotes with its line ends as \\n, other JSON compact."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

WHOLE = 100  # characters up to which nothing is left out
_CONTROL = re.compile("[\x7f-\x9f\u2028\u2029]")  # JSON lets them stand, and terminals and lines break of them
_HEAD, _TAIL, _BEFORE = 60, 30, 30


def quoted(text: str, around: int | None = None) -> str:
    """A long text is cut to its beginning and end, or to the stretch around one place, and says how long it is."""
    if len(text) <= WHOLE:
        return json_of(text)
    if around is None or around < _HEAD:
        said = f"{text[:_HEAD]}…{text[-_TAIL:]}"
    else:
        said = f"…{text[around - _BEFORE : around + _HEAD]}{'…' if around + _HEAD < len(text) else ''}"
    return f"{json_of(said)} ({len(text):,} characters)"


def clipped(text: str) -> str:
    """A name as it is, in one line; of what is too long to be one, the beginning."""
    return json_of(text if len(text) <= WHOLE else f"{text[:_HEAD]}…")[1:-1]


def listed(names: Iterable[str], limit: int = 20) -> str:
    """Names by commas; of many the first ones."""
    known = list(names)
    return ", ".join([*map(clipped, known[:limit]), *(["..."] if len(known) > limit else [])])


def shortened(value: Any) -> str:
    """Any JSON value in a line."""
    if isinstance(value, str):
        return quoted(value)
    said = json_of(value)
    return said if len(said) <= WHOLE else f"{said[:_HEAD]}…{said[-_TAIL:]} ({len(said):,} characters)"


def bounded(value: Any, limit: int = 1000) -> Any:
    """The value itself where it is small, else its first characters: for what is kept."""
    said = value if isinstance(value, str) else json_of(value)
    return value if len(said) <= limit else f"{said[:limit]}…"


def json_of(value: Any) -> str:
    try:
        return _CONTROL.sub(lambda hit: f"\\u{ord(hit[0]):04x}", json.dumps(value, ensure_ascii=False, default=str))
    except RecursionError:
        return "JSON that is too deep"
