"""Control routes about requests: the newest of all sessions in short, and one of them whole, with its plan."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from aiohttp import web

from fakeserver.engine.feed import as_row
from fakeserver.engine.showing import as_timeline, first_rows, planned
from fakeserver.http.control.routing import Call, Query, Refused, Route, reply
from fakeserver.http.control.schemas import COUNT, FLAG, TEXT, listed, made, maybe, of
from fakeserver.http.control.values import flag, text, up_to, whole
from fakeserver.journal import Record

_USUAL = 500
_MOST = 1000
_TURN = 128  # rows or records in one turn of the loop: streams have their moments in between


async def newest(call: Call) -> web.StreamResponse:
    """Only as many records are looked at as it takes to find so many."""
    query, journal, session = call.query, call.engine.journal, call.query.get("session")
    records = tuple(journal) if session is None else journal.of(session)
    limit, rows, more = query.get("limit", _USUAL), list[dict[str, object]](), False
    for seen, record in enumerate(_backwards(records, query.get("before"))):
        if not seen % _TURN:
            await asyncio.sleep(0)
        if not _wanted(record, query.get("unmatched", False), query.get("text", "").casefold()):
            continue
        if more := len(rows) == limit:
            break
        rows.append({**as_row(record), "gate": _gate(call, record)})
    dropped = journal.dropped if session is None else journal.dropped_of(session)
    return reply({"records": rows, "dropped": dropped, "total": len(records), "more": more})


def _backwards(records: tuple[Record, ...], before: int | None) -> Iterator[Record]:
    end = len(records) if before is None else bisect_left(records, before, key=attrgetter("number"))
    return (records[place] for place in range(end - 1, -1, -1))


def _wanted(record: Record, unmatched: bool, words: str) -> bool:
    if unmatched and record.chosen.unmatched is None:
        return False
    return not words or words in _told(record).casefold() or words.encode() in record.asked.body.lower()


def _told(record: Record) -> str:
    asked, chosen = record.asked, record.chosen
    return f"{record.session} {asked.method} {asked.path} {chosen.status} {chosen.scenario} {chosen.why} {record.how}"


async def one(call: Call) -> web.StreamResponse:
    record = kept(call)
    timeline = await _timeline(record)  # first: what else is told is of the moment after
    answer = call.engine.in_flight(record.number)
    state = {"gate": _gate(call, record), "held": answer is not None and answer.held}
    return reply({**record.as_dict(), **state, "timeline": timeline})


def _gate(call: Call, record: Record) -> str | None:
    answer = call.engine.in_flight(record.number)
    return answer.gate if answer else None


def kept(call: Call) -> Record:
    """The record that the path names. Raises Refused."""
    number = call.names["number"]
    record = call.engine.journal.get(int(number)) if number.isascii() and number.isdecimal() else None
    if record is None:
        raise Refused(404, "unknown-request", f"There is no request {number}, or it is no longer kept.")
    return record


async def _timeline(record: Record) -> dict[str, object] | None:
    """Made in the loop, a few rows a turn: a long plan shares what it is made from with the stream that plays it."""
    found = planned(record)
    if found is None:
        return None
    plan, rows = found[0], list[dict[str, Any] | None]()
    for row in first_rows(found[1]):
        rows.append(row)
        if not len(rows) % _TURN:
            await asyncio.sleep(0)
    return as_timeline(record.chosen.scenario, None, plan, rows)


_NUMBER = {"type": "string", "pattern": "^[0-9]{1,9}$"}
_QUERY = (
    Query("before", whole, _NUMBER, "Only requests of a lower number: the next page."),
    Query("limit", up_to(_MOST), {"type": "string", "pattern": "^([1-9][0-9]{0,2}|1000)$"},
          f"How many at most; {_USUAL} if it is not said, {_MOST} at most."),
    Query("session", text, {"type": "string"}, "Only those of this session."),
    Query("unmatched", flag, {"enum": ["0", "1"]}, "1: only the requests that nothing answered."),
    Query("text", text, {"type": "string"}, "Only those with this text in what is told of them, or in their body."),
)  # fmt: skip
_ROWS = made(records=listed(of("Row")), dropped=COUNT, total=COUNT, more=FLAG)
_MORE = made(open_=True, gate=maybe(TEXT), held=FLAG, timeline=maybe(of("Timeline")))

ROUTES = (
    Route("GET", "/journal", "The requests of all sessions, the newest first, in short.", newest, {200: _ROWS},
          query=_QUERY),
    Route("GET", "/requests/{number}", "One request: all that is known of it, and what was planned for it.", one,
          {200: {"allOf": [of("Record"), _MORE]}}, refusals=(404,)),
)  # fmt: skip
