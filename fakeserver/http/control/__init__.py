"""The control routes, `/_fakeserver/...`: for tests and people, not for the client under test. No CORS here.

A handler turns a call into what the engine's sessions do. It must not know how answers are played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from fakeserver.http.control import clock, events, gates, journal, library, queue, requests, sessions, streams, verdict
from fakeserver.http.control.openapi import document
from fakeserver.http.control.routing import Call, Refused, Route, call_of, refusal, reply

if TYPE_CHECKING:
    from fakeserver.http.server import Server


async def _openapi(call: Call) -> web.StreamResponse:
    return reply(document(ROUTES))


ROUTES: tuple[Route, ...] = (
    *library.ROUTES,
    *sessions.ROUTES,
    *queue.ROUTES,
    *gates.ROUTES,
    *clock.ROUTES,
    *journal.ROUTES,
    *requests.ROUTES,
    *streams.ROUTES,
    *verdict.ROUTES,
    *events.ROUTES,
    Route("GET", "/openapi.json", "This document.", _openapi, {200: {"type": "object"}}),
)


async def handle(server: Server, request: web.BaseRequest, segments: tuple[str, ...]) -> web.StreamResponse:
    fault = server.guard.fault(request.headers, segments == ("health",))
    if fault is not None:
        return refusal(Refused(*fault))
    try:
        route, names = _route(request.method, segments)
        return await route.handler(await call_of(server, request, route, names))
    except Refused as refused:
        return refusal(refused, refused.more.pop("headers", None))


def _route(method: str, segments: tuple[str, ...]) -> tuple[Route, dict[str, str]]:
    """Raises Refused."""
    found = [(route, names) for route in ROUTES if (names := route.names(segments)) is not None]
    if not found:
        raise Refused(404, "unknown-route", f"There is no control route /_fakeserver/{'/'.join(segments)}.")
    for route, names in found:
        if route.method == method:
            return route, names
    methods = [route.method for route, _ in found]
    raise Refused(405, "wrong-method", f"{method} is not for this route, {' or '.join(methods)} is.",
                  headers={"allow": ", ".join(methods)})  # fmt: skip
