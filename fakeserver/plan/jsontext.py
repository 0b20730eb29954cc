"""A JSON value -> its text, in which the tokens of blanks stay as they are. It must not know what they stand for."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def dumps(value: Any, indent: int | None, ascii_only: bool, sort: bool = False) -> str:
    """Compact where there is no indent. Python's own `ensure_ascii` would escape DEL too, of which tokens are made."""
    text = _encoder(indent, sort).encode(value)
    return _BEYOND_ASCII.sub(_escaped, text) if ascii_only else text


@cache
def _encoder(indent: int | None, sort: bool) -> json.JSONEncoder:
    """Made once: `json.dumps` makes one a call."""
    separators = (",", ": ") if indent else (",", ":")
    return json.JSONEncoder(indent=indent, separators=separators, ensure_ascii=False, sort_keys=sort)


def _escaped(found: re.Match[str]) -> str:
    """One character as one escape, or as two from U+10000 on; half of a pair is one like the rest."""
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
