"""Control routes about what a session answers next: `use`, and the queue before it."""

from __future__ import annotations

from typing import Annotated

from aiohttp import web
from pydantic import Field

from fakeserver.engine.queue import LIMIT, Full
from fakeserver.http.control.routing import Call, Refused, Route, Shape, reply
from fakeserver.http.control.schemas import COUNT, TEXT, listed, made, maybe, of
from fakeserver.plan import Unknown

_SELECTOR = 2000  # characters

Selector = Annotated[str, Field(min_length=1, max_length=_SELECTOR, description="NAME or NAME+OVERLAY+OVERLAY")]


class Use(Shape):
    """null: nothing any more."""

    scenario: Selector | None


class Enqueue(Shape):
    """An answer for the next `times` requests that find none before it."""

    scenario: Selector
    times: Annotated[int, Field(ge=1, le=LIMIT)] = 1


async def use(call: Call) -> web.StreamResponse:
    selector = call.body.scenario if call.body else None
    if selector is not None:
        _check(call, selector)
    call.session.queue.use = selector
    return reply({"scenario": selector})


async def enqueue(call: Call) -> web.StreamResponse:
    _check(call, call.body.scenario)
    try:
        call.session.queue.add(call.body.scenario, call.body.times)
    except Full as full:
        raise Refused(409, "queue-full", str(full)) from None
    return reply(_told(call), 201)


async def look(call: Call) -> web.StreamResponse:
    return reply(_told(call))


async def clear(call: Call) -> web.StreamResponse:
    return reply({"removed": call.session.queue.clear()})


def _check(call: Call, selector: str) -> None:
    """Raises Refused for a name that there is not: now, not when a request meets it."""
    try:
        call.engine.repertoire(call.session).plans.choose(selector)
    except Unknown as unknown:
        raise Refused(404, "unknown-scenario", unknown.message) from None


def _told(call: Call) -> dict[str, object]:
    queue = call.session.queue
    waiting = [{"scenario": each.scenario, "times": each.times} for each in queue.waiting()]
    return {"queue": waiting, "left": len(queue), "use": queue.use}


_QUEUE = made(queue=listed(of("Queued")), left=COUNT, use=maybe(TEXT))

ROUTES = (
    Route("PUT", "/sessions/{id}/use", "Answer every request of the session with this scenario, or no longer.", use,
          {200: made(scenario=maybe(TEXT))}, body=Use, nullable=True, refusals=(404,)),
    Route("POST", "/sessions/{id}/queue", "Queue a one-shot answer: first in, first out, before `use`.", enqueue,
          {201: _QUEUE}, body=Enqueue, refusals=(404, 409)),
    Route("GET", "/sessions/{id}/queue", "What is queued.", look, {200: _QUEUE}),
    Route("DELETE", "/sessions/{id}/queue", "Empty the queue; `use` stays.", clear, {200: made(removed=COUNT)}),
)  # fmt: skip
