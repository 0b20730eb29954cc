"""Control routes about a session's time: the real one, or one that passes when the test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

from aiohttp import web

from fakeserver.engine.sessions import Session
from fakeserver.http.control.routing import Call, Query, Refused, Route, Shape, reply
from fakeserver.http.control.schemas import NUMBER, made, of
from fakeserver.http.control.values import SECONDS_TEXT, Seconds, nanoseconds_of_text, whole
from fakeserver.http.control.waiting import until
from fakeserver.play.manual import ManualClock
from fakeserver.play.watchers import Untell

_SECOND = 1_000_000_000


class Mode(Shape):
    """Streams that begin from now on go by this time."""

    mode: Literal["manual", "wall"]


class Advance(Shape):
    """How much time passes."""

    by: Seconds


async def look(call: Call) -> web.StreamResponse:
    """With `streams`, once so many callbacks wait for a moment of the manual time."""
    session, wanted = call.session, call.query.get("streams", 0)
    there = await until(lambda: _waiting(session) >= wanted or session.over, lambda tell: _watch(session, tell),
                        call.query.get("wait", 0))  # fmt: skip
    return reply(_told(call, session), 200 if there else 408)


async def set_mode(call: Call) -> web.StreamResponse:
    session = call.session
    if call.body.mode == "manual":
        session.clock = session.clock or ManualClock(asyncio.get_running_loop())
    elif session.clock is not None and session.playing:
        count = len(session.playing)
        raise Refused(409, "clock-in-use", f"{count} answers are in flight: advance to their end, or reset.")
    else:
        session.clock = None
    return reply(_told(call, session))


async def advance(call: Call) -> web.StreamResponse:
    clock = call.session.clock
    if clock is None:
        raise Refused(409, "wall-clock", "The session goes by the real time: set its clock to manual first.")
    return reply({"now": await clock.advance(call.body.by) / _SECOND})


def _waiting(session: Session) -> int:
    return session.clock.waiting if session.clock else 0


def _watch(session: Session, tell: Callable[[], None]) -> Untell:
    return session.clock.when_waiting(tell) if session.clock else lambda: None


def _told(call: Call, session: Session) -> dict[str, object]:
    now = (session.clock or call.server.clock).now()
    return {"mode": "manual" if session.clock else "wall", "now": now / _SECOND, "waiting": _waiting(session)}


_STREAMS = Query("streams", whole, {"type": "string", "pattern": "^[0-9]{1,9}$"},
                 "Wait until so many streams wait for a moment of the manual time.")  # fmt: skip
_WAIT = Query("wait", nanoseconds_of_text, SECONDS_TEXT, "For how long.")

ROUTES = (
    Route("GET", "/sessions/{id}/clock", "The session's time, and how many streams wait for a moment of it.", look,
          {200: of("Clock"), 408: of("Clock")}, query=(_STREAMS, _WAIT)),
    Route("PUT", "/sessions/{id}/clock", "Let time pass by itself, or only when told.", set_mode,
          {200: of("Clock")}, body=Mode, refusals=(409,)),
    Route("POST", "/sessions/{id}/clock/advance",
          "Let time pass; answers when every stream waits for a later moment, a gate or its reader, or is over.",
          advance, {200: made(now=NUMBER)}, body=Advance, refusals=(409,)),
)  # fmt: skip
