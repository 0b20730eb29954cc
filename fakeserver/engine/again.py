"""The head of an answer that is no success -> how long it asks the client to wait. It must not read a clock."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from itertools import takewhile

from fakeserver.plan import Plan


def retry_after(plan: Plan, values: Sequence[bytes], now: int) -> float | None:
    """Seconds from `now` (nanoseconds since 1970) until it may come again; None where nothing is said of it.

    `retry-after-ms` goes first, as the official clients read it.
    """
    writes = takewhile(lambda write: write.part == "head", plan.writes())
    head = b"".join(write.said(values) for write in writes).partition(b"\r\n\r\n")[0].decode("latin-1")
    rows = (row.partition(":") for row in head.split("\r\n")[1:])
    said = {name.strip().lower(): value.strip() for name, _, value in rows}
    milliseconds = _number(said.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    return _seconds(said.get("retry-after", ""), now)


def _seconds(value: str, now: int) -> float | None:
    """A number of seconds or an HTTP date."""
    with suppress(ValueError):
        return _number(value) if _number(value) is not None else parsedate_to_datetime(value).timestamp() - now / 1e9
    return None


def _number(value: str) -> float | None:
    return float(value) if value.replace(".", "", 1).isdecimal() else None
