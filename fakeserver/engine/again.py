"""The head of an answer that is no success -> whether and when the client may come again. It must not read a clock."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from itertools import takewhile
from typing import NamedTuple

from fakeserver.plan import Plan


class Again(NamedTuple):
    """`after` is in seconds, from the answer's end or, `dated`, from the request; None where nothing is said of it."""

    after: float | None
    dated: bool
    may: bool | None


def again(plan: Plan, values: Sequence[bytes], now: int) -> Again:
    """What is said to a client whose request was read `now`, in nanoseconds since 1970.

    `retry-after-ms` goes first, as the official clients read it.
    """
    writes = takewhile(lambda write: write.part == "head", plan.writes())
    head = b"".join(write.said(values) for write in writes).partition(b"\r\n\r\n")[0].decode("latin-1")
    rows = (row.partition(":") for row in head.split("\r\n")[1:])
    said = {name.strip().lower(): value.strip() for name, _, value in rows}
    may = {"true": True, "false": False}.get(said.get("x-should-retry", ""))
    milliseconds, told = _number(said.get("retry-after-ms", "")), said.get("retry-after", "")
    if milliseconds is not None:
        return Again(milliseconds / 1000, False, may)
    seconds = _number(told)
    return Again(_until(told, now), True, may) if seconds is None else Again(seconds, False, may)


def _until(date: str, now: int) -> float | None:
    """Seconds until an HTTP date."""
    with suppress(ValueError):
        return parsedate_to_datetime(date).timestamp() - now / 1e9
    return None


def _number(value: str) -> float | None:
    return float(value) if value.replace(".", "", 1).isdecimal() else None
