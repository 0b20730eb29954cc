"""Control routes about sessions as a whole: made, looked at, reset, forgotten; scenarios and a speed of their own."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated, Literal
from urllib.parse import quote

from aiohttp import web
from pydantic import Field

from fakeserver.engine.repertoire import OWN_SIZE, TooMuch
from fakeserver.engine.sessions import Session
from fakeserver.engine.showing import load_own
from fakeserver.http.control.library import known_dialect
from fakeserver.http.control.routing import LONGEST_NAME, Call, Refused, Route, Shape, reply
from fakeserver.http.control.schemas import FLAG, TEXT, listed, made, of


class NewSession(Shape):
    """Any ID will do; without one, one is made that nobody else has."""

    id: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern="^[A-Za-z0-9._~-]+$")] | None = None


class Speed(Shape):
    """2 is twice as fast, "instant" waits for nothing but gates, null is the server's own."""

    speed: Annotated[float, Field(gt=0, le=1_000_000)] | Literal["instant"] | None


class Spoken(Shape):
    """A dialect's name; null: the scenarios' own."""

    dialect: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)] | None


async def make(call: Call) -> web.StreamResponse:
    name = call.body.id or secrets.token_hex(8)
    new = name not in call.engine.sessions
    call.engine.enter(name, call.now)
    return reply({"id": name, "base_url": _base_url(call, name)}, 201 if new else 200)


async def everyone(call: Call) -> web.StreamResponse:
    call.engine.sessions.tidy(call.now)
    return reply({"sessions": [_told(call, session) for session in call.engine.sessions]})


async def one(call: Call) -> web.StreamResponse:
    return reply(_told(call, call.known()))


async def forget(call: Call) -> web.StreamResponse:
    call.engine.sessions.drop(call.known().name)
    return reply({"deleted": True})


async def reset(call: Call) -> web.StreamResponse:
    return reply(_told(call, call.engine.reset(call.names["id"], call.now)))


async def put_scenario(call: Call) -> web.StreamResponse:
    try:
        text = call.body.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(400, "not-utf8", "The body is not UTF-8.") from None
    if len(text) > OWN_SIZE:
        raise Refused(413, "too-large", f"A scenario of a session's own has {OWN_SIZE:,} characters at most.")
    session, name = call.session, call.names["name"]
    # In a thread: to try a scenario of a million chunks takes seconds, in which other streams have their moments.
    entry, problems = await asyncio.to_thread(load_own, call.engine.repertoire(session).library, name, text)
    told = [problem.as_json() for problem in problems]
    if entry is None:
        words = "; ".join(f"{problem.line}:{problem.column} {problem.message}" for problem in problems[:3])
        raise Refused(422, "scenario-problems", f"The scenario '{name}' has problems: {words}", problems=told)
    try:
        call.engine.own(session, entry)
    except TooMuch as problem:
        raise Refused(409, "too-many-scenarios", str(problem)) from None
    return reply({"name": name, "problems": told})


async def pace(call: Call) -> web.StreamResponse:
    said = call.body.speed
    call.session.speed = {None: 0.0, "instant": None}.get(said, said)
    return reply(_told(call, call.session))


async def speak(call: Call) -> web.StreamResponse:
    name = known_dialect(call.engine.library, call.body.dialect or "")
    call.session.dialect = name
    return reply(_told(call, call.session))


def _told(call: Call, session: Session) -> dict[str, object]:
    engine, queue = call.engine, session.queue
    speed = engine.speed if session.speed == 0 else session.speed
    return {
        "id": session.name,
        "generation": session.generation,
        "base_url": _base_url(call, session.name),
        "in_flight": len(session.playing) + session.reading,
        "use": queue.use,
        "queue": [{"scenario": each.scenario, "times": each.times} for each in queue.waiting()],
        "scenarios": sorted(session.own.entries) if session.own else [],
        "gates": session.gates.held(),
        "hold": session.holding.on,
        "clock": "wall" if session.clock is None else "manual",
        "speed": "instant" if speed is None else speed,
        "dialect": session.dialect or None,
        "counts": session.counts,
        "records": len(engine.journal.of(session.name)),
    }


def _base_url(call: Call, name: str) -> str:
    """As the caller reaches us: it may be behind another port or name."""
    host = call.request.headers.get("host") or "localhost"
    host = host if host.isascii() else "localhost"
    return f"http://{host}/session/{quote(name, safe='')}/v1"


_PUT = made(name=TEXT, problems={**listed(of("Problem")), "description": "Warnings: errors are refused."})

ROUTES = (
    Route("POST", "/sessions", "Make a session, or find it again.", make,
          {200: made(id=TEXT, base_url=TEXT), 201: made(id=TEXT, base_url=TEXT)}, body=NewSession, optional=True),
    Route("GET", "/sessions", "The sessions in use.", everyone, {200: made(sessions=listed(of("Session")))}),
    Route("GET", "/sessions/{id}", "One session.", one, {200: of("Session")}, refusals=(404,)),
    Route("DELETE", "/sessions/{id}", "End what is in flight, and forget the session.", forget,
          {200: made(deleted=FLAG)}, refusals=(404,)),
    Route("POST", "/sessions/{id}/reset", "Begin the session anew: what is in flight is ended, all else forgotten.",
          reset, {200: of("Session")}),
    Route("PUT", "/sessions/{id}/scenarios/{name}",
          "Give the session a scenario of its own, in YAML. It goes before the library's of that name.", put_scenario,
          {200: _PUT}, body="application/yaml", refusals=(409, 422)),
    Route("PUT", "/sessions/{id}/speed", "How fast the session's next answers are played.", pace,
          {200: of("Session")}, body=Speed),
    Route("PUT", "/sessions/{id}/dialect", "The dialect that the session's next answers speak, or their own again.",
          speak, {200: of("Session")}, body=Spoken, refusals=(404,)),
)  # fmt: skip
