"""What of a file's data is left to check when the parts that are wrong are set aside.

A neutral part takes the place of each, so that all others keep their places. It must not know what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any

from fakeserver.script.problems import Loc

# A list whose entries can be checked without each other, and what says nothing wrong in the place of one.
_NEUTRAL = {"stream": {"comment": ""}, "patch": {"drop": True}, "attempts": {"reply": ""}}
_BODIES = ("reply", "stream", "respond", "attempts")


def remains(data: dict[str, Any], wrong: Iterable[Loc], answers: bool) -> dict[str, Any]:
    """A copy of a file's (or an attempt's) data without its parts at these places; `answers`: it must have a body."""
    out = copy(data)
    for loc in wrong:
        _set_aside(out, loc)
    if answers and not any(body in out for body in _BODIES):
        out["reply"] = ""
    return out


def _set_aside(out: dict[str, Any], loc: Loc) -> None:
    key = str(loc[0]) if loc else ""
    entries = out.get(key)
    if key not in _NEUTRAL or len(loc) < 2 or not isinstance(entries, list):
        out.pop(key, None)
        return
    i = int(loc[1])
    out[key] = copy(entries)
    inner = key == "attempts" and len(loc) > 2 and isinstance(entries[i], dict)
    out[key][i] = remains(entries[i], [loc[2:]], answers=True) if inner else _NEUTRAL[key]
