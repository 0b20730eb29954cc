"""What a test expects of a session's records -> whether it is so, in words. It must not know how records are made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from fakeserver.journal import BODY_KEPT, Record
from fakeserver.match.same import same
from fakeserver.match.seen import pointed, steps_of

Ended = Literal["complete", "ended", "gone", "stopped", "broken", "in flight"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which records are meant, and how many of them there must be: `most` None is any number."""

    scenario: str | None = None
    body: Mapping[str, Any] | None = None
    ended: Ended | None = None
    least: int = 1
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """`records` are the numbers of those that were meant."""

    ok: bool
    message: str
    records: tuple[int, ...]


def verify(wanted: Wanted, records: Iterable[Record]) -> Verdict:
    seen = tuple(records)
    meant = tuple(record for record in seen if _meant(wanted, record))
    ok = wanted.least <= len(meant) and (wanted.most is None or len(meant) <= wanted.most)
    message = f"{_amount(wanted)} {_described(wanted)} expected, {len(meant)} of {len(seen)} found."
    if not ok:
        message = "\n".join([message, *(f"  {_row(record)}" for record in seen[-20:])])
    return Verdict(ok, message, tuple(record.number for record in meant))


def _meant(wanted: Wanted, record: Record) -> bool:
    selector = record.chosen.scenario
    return (
        (wanted.scenario is None or wanted.scenario in (selector, selector.partition("+")[0]))
        and (wanted.ended is None or wanted.ended == _ended(record))
        and (wanted.body is None or _holds(wanted.body, record))
    )


def _ended(record: Record) -> str:
    return record.ending.how if record.ending else "in flight"


def _holds(body: Mapping[str, Any], record: Record) -> bool:
    """A body that is remembered in part only holds nothing for certain."""
    if record.asked.body_size > BODY_KEPT:
        return False
    try:
        asked = json.loads(record.asked.body)
    except (ValueError, RecursionError):
        return False
    return all(same(value, pointed(asked, steps_of(pointer))) for pointer, value in body.items())


def _amount(wanted: Wanted) -> str:
    if wanted.least == wanted.most:
        return str(wanted.least)
    if wanted.most is None:
        return f"at least {wanted.least}"
    return f"{wanted.least} to {wanted.most}" if wanted.least else f"at most {wanted.most}"


def _described(wanted: Wanted) -> str:
    parts = [
        wanted.scenario and f"of {wanted.scenario}",
        wanted.ended and f"{'in flight' if wanted.ended == 'in flight' else f'ended as {wanted.ended}'}",
        wanted.body and f"with {json.dumps(dict(wanted.body), ensure_ascii=False)}",
    ]
    noun = "request" if wanted.least == 1 and wanted.most in (None, 1) else "requests"
    return " ".join([noun, *(part for part in parts if part)])


def _row(record: Record) -> str:
    chosen = record.chosen
    what = f"{record.asked.method} {record.asked.path} {chosen.status or '-'}"
    return f"#{record.number} {what} {chosen.scenario or '-'} ({chosen.why}): {record.how}"
