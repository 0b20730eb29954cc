"""Control routes that hold streams and let them go: gates, and the stop before each event."""

from __future__ import annotations

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from fakeserver.engine.holding import STOP
from fakeserver.engine.onward import EndName, ended
from fakeserver.engine.sessions import Session
from fakeserver.http.control.routing import Call, Query, Refused, Route, Shape, reply
from fakeserver.http.control.schemas import COUNT, FLAG, TEXT, listed, made, named, of
from fakeserver.http.control.values import SECONDS_TEXT, nanoseconds_of_text, text
from fakeserver.http.control.waiting import until
from fakeserver.match.route import DEFAULT_SESSION
from fakeserver.plan import Broken
from fakeserver.play.gates import Onward


class ErrorEnd(Shape):
    """The stream ends with this error, by its name in the scenario language."""

    error: Annotated[str, Field(min_length=1, max_length=100)]


class Release(Shape):
    """Without `end` the stream goes on with its plan."""

    end: Literal["reset", "close", "end"] | ErrorEnd | None = None


class Hold(Shape):
    """Whether each stream that begins from now on stops before each event."""

    all: bool


class Step(Shape):
    """By how many events each stopped stream goes on."""

    events: Annotated[int, Field(ge=1, le=1_000_000)] = 1


async def all_gates(call: Call) -> web.StreamResponse:
    gates = call.session.gates
    return reply({"gates": gates.held(), "kept": gates.kept()})


async def one_gate(call: Call) -> web.StreamResponse:
    session, name = call.session, call.names["name"]
    gates = session.gates
    if "wait" not in call.query:
        return reply({"reached": gates.waiting(name)})
    await until(lambda: gates.waiting(name) > 0 or session.over, lambda tell: gates.when_reached(name, tell),
                call.query["wait"])  # fmt: skip
    reached = gates.waiting(name)
    return reply({"reached": reached}, 200 if reached else 408)


async def release(call: Call) -> web.StreamResponse:
    session = call.session
    done = call.engine.release(session.name, call.names["name"], onward_of(call, call.body.end), call.now)
    return reply({"released": done.released, "kept": done.kept})


async def old_release(call: Call) -> web.StreamResponse:
    gate, session = call.names["name"], call.query.get("session") or DEFAULT_SESSION
    done = call.engine.release(session, gate, None, call.now)
    return reply({"gate": gate, "session": session, "released": done.released, "kept": done.kept})


async def hold(call: Call) -> web.StreamResponse:
    session = call.session
    session.holding.on = call.body.all
    session.gates.unkeep(STOP)
    for answer in list(session.playing.values()):
        answer.look_again()
    return reply({"all": call.body.all, "released": 0 if call.body.all else _let_all_go(session)})


async def step(call: Call) -> web.StreamResponse:
    session = call.session
    session.holding.size = call.body.events
    done = session.gates.release(STOP)
    return reply({"released": done.released, "kept": done.kept})


def _let_all_go(session: Session) -> int:
    return session.gates.release(STOP).released if session.gates.waiting(STOP) else 0


def onward_of(call: Call, end: EndName | ErrorEnd | None) -> Onward | None:
    """What a stream does instead of the rest of its plan. Raises Refused."""
    if not isinstance(end, ErrorEnd):
        return None if end is None else ended(end)
    try:
        return call.engine.failure(end.error, call.now)
    except Broken as broken:
        told, close = broken.problem, "" if broken.problem.remedy.endswith("?") else "."
        raise Refused(404, "unknown-error", f"{told.message}; {told.remedy}{close}") from None


_WAIT = Query("wait", nanoseconds_of_text, SECONDS_TEXT, "How long to wait for a stream to come to the gate.")
_SESSION = Query("session", text, {"type": "string"}, "Another session than `default`.")
_REACHED = made(reached=COUNT)

ROUTES = (
    Route("GET", "/sessions/{id}/gates", "The gates at which streams wait, and those released in advance.", all_gates,
          {200: made(gates=named(COUNT), kept=listed(TEXT))}),
    Route("GET", "/sessions/{id}/gates/{name}", "How many streams wait at the gate; with `wait`, once one does.",
          one_gate, {200: _REACHED, 408: _REACHED}, query=(_WAIT,)),
    Route("POST", "/sessions/{id}/gates/{name}/release", "Let go what waits there, or into another end.", release,
          {200: of("Released")}, body=Release, optional=True, refusals=(404,)),
    Route("POST", "/sessions/{id}/hold", "Stop each stream before each event, or no longer.", hold,
          {200: made(all=FLAG, released=COUNT)}, body=Hold),
    Route("POST", "/sessions/{id}/step", "Let each stopped stream go on by so many events.", step,
          {200: of("Released")}, body=Step, optional=True),
    Route("POST", "/gates/{name}/release", "The same as a release in a session.", old_release,
          {200: made(gate=TEXT, session=TEXT, released=COUNT, kept=FLAG)}, query=(_SESSION,)),
)  # fmt: skip
