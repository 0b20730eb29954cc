"""The control route that tells what happens while it happens: server-sent events, resumed by Last-Event-ID."""

from __future__ import annotations

import json
from contextlib import suppress

from aiohttp import web

from fakeserver.engine.feed import Event
from fakeserver.http.control.routing import Call, Query, Route
from fakeserver.http.control.values import text
from fakeserver.http.control.waiting import until

KEEP_ALIVE = 15_000_000_000
_HEADERS = {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
}


async def events(call: Call) -> web.StreamResponse:
    """Until the listener goes. Without Last-Event-ID: what happens from now on."""
    feed, session = call.engine.feed, call.query.get("session")
    place = _place(call, feed.last)
    response = web.StreamResponse(headers=_HEADERS)
    response.enable_chunked_encoding()
    await response.prepare(call.request)
    with suppress(ConnectionError):  # a listener that goes is no failure
        await response.write(b": here\n\n")
        while True:
            if lost := feed.lost(place):
                await response.write(b'event: lost\ndata: {"count":%d}\n\n' % lost)
            for event in feed.since(place):
                if session is None or event.session in ("", session):
                    await response.write(_said(event))
                place = event.number
            if not await until(lambda place=place: feed.last > place, feed.when_told, KEEP_ALIVE):  # type: ignore[misc]  # inferred
                await response.write(b": still here\n\n")
    return response


def _place(call: Call, last: int) -> int:
    """The number after which it goes on: no further than there are events."""
    said = call.request.headers.get("last-event-id", "")
    return min(last, int(said)) if said.isascii() and said.isdecimal() and len(said) < 19 else last


def _said(event: Event) -> bytes:
    told = json.dumps(event.as_dict(), separators=(",", ":"))
    return f"id: {event.number}\nevent: {event.kind}\ndata: {told}\n\n".encode()


_SESSION = Query("session", text, {"type": "string"}, "Only what happens in this session.")

ROUTES = (
    Route("GET", "/events", "What happens, as server-sent events: start, gate, pass, end, reset, library.", events,
          {200: {"type": "string"}}, query=(_SESSION,), content="text/event-stream"),
)  # fmt: skip
