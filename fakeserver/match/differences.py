"""A condition that does not hold -> what it wants, what the request has instead, in words and for machines.

It must not know rules. Values of headers that carry secrets are masked, and long ones are shortened.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fakeserver.match.access import masked
from fakeserver.match.conditions import Condition
from fakeserver.match.facts import SECRETS
from fakeserver.match.hints import hint
from fakeserver.match.same import first_difference
from fakeserver.match.seen import MISSING, Seen
from fakeserver.match.shorten import bounded, listed, quoted, shortened
from fakeserver.match.wants import Equal, Glob, Is, Offers, TextTest, Want


@dataclass(frozen=True, slots=True)
class Difference:
    """`wanted` and `got` are JSON; where `missing`, the request has nothing there and `got` is None."""

    field: str
    wanted: Any
    got: Any
    missing: bool
    said: str

    def as_json(self) -> dict[str, object]:
        return {"field": self.field, "wanted": self.wanted, "got": self.got, "missing": self.missing, "said": self.said}


def difference(condition: Condition, seen: Seen) -> Difference:
    place, want = condition.place, condition.want
    value = place.get(seen)
    if place.name.removeprefix("header ") in SECRETS and value is not MISSING:
        value, note = _masked(value), ""
    else:
        note = hint(want, value) or (place.lack(seen) if value is MISSING else "")
    said = f"{place.name}: must {_wanted(want, value)}, {_got(place.name, want, value)}{f' ({note})' if note else ''}"
    missing = value is MISSING
    got = None if missing else list(value) if place.name == "tools" else value
    return Difference(place.name, bounded(want.plain()), bounded(got), missing, said)


def _masked(value: str) -> str:
    """`Bearer sk-***1234`: the scheme may be the very thing that differs."""
    scheme = "Bearer " if value[:7].lower() == "bearer " else ""
    return scheme + masked(value[len(scheme) :])


def _wanted(want: Want, value: Any) -> str:
    if isinstance(want, TextTest):
        return " and ".join(_part(part, value) for part in want.failing(value))
    if isinstance(want, Offers):
        return f"offer {', '.join(want.names)}"
    if isinstance(want, Glob | Equal):
        return f"be {shortened(want.plain())}"
    return f"be {want.plain() if not isinstance(want, Is) else str(want.flag).lower()}"


def _part(part: TextTest, value: Any) -> str:
    if part.matches is not None:
        return f"match /{part.matches}/"
    if part.contains is not None:
        return f"contain {quoted(part.contains)}"
    equals = part.equals or ""
    return f"be {quoted(equals, first_difference(equals, value) if isinstance(value, str) else None)}"


def _got(name: str, want: Want, value: Any) -> str:
    if value is MISSING:
        return "is missing"
    if name == "tools":
        return f"the request offers {listed(value) or 'none'}"
    if isinstance(want, TextTest):
        return f"is {quoted(value, _around(want, value))}"
    return f"is {shortened(value)}"


def _around(want: TextTest, value: str) -> int | None:
    """The place in a long text that says most."""
    if want.equals is not None:
        return first_difference(want.equals, value)
    found = value.casefold().find((want.contains or "").casefold())
    return found if want.contains and found >= 0 else None
