"""The control routes, `/_fakeserver/...`: for tests and people, not for the client under test. No CORS here.

It must not know how answers are played: it asks the engine.
"""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from fakeserver import __version__
from fakeserver.engine import Engine
from fakeserver.match.route import DEFAULT_SESSION

Handler = Callable[[Engine, web.BaseRequest, tuple[str, ...]], web.Response]


async def handle(engine: Engine, request: web.BaseRequest, segments: tuple[str, ...]) -> web.StreamResponse:
    for pattern, methods, handler in _ROUTES:
        if len(pattern) == len(segments) and all(want in ("*", got) for want, got in zip(pattern, segments)):
            if request.method not in methods:
                allow = {"allow": ", ".join(methods)}
                return _error(405, f"{request.method} is not for this route, {' or '.join(methods)} is.", allow)
            return handler(engine, request, segments)
    return _error(404, f"There is no control route /_fakeserver/{'/'.join(segments)}.")


def _health(engine: Engine, request: web.BaseRequest, segments: tuple[str, ...]) -> web.Response:
    return web.json_response({"status": "ok", "version": __version__})


def _release(engine: Engine, request: web.BaseRequest, segments: tuple[str, ...]) -> web.Response:
    """How many streams were let go. With none at the gate, the release is kept for the next one to come."""
    gate = segments[1]
    session = request.rel_url.query.get("session", DEFAULT_SESSION)
    done = engine.release(session, gate)
    return web.json_response({"gate": gate, "session": session, "released": done.released, "kept": done.kept})


def _error(status: int, message: str, headers: dict[str, str] | None = None) -> web.Response:
    return web.json_response({"error": {"message": message}}, status=status, headers=headers)


_ROUTES: tuple[tuple[tuple[str, ...], tuple[str, ...], Handler], ...] = (
    (("health",), ("GET", "HEAD"), _health),
    (("gates", "*", "release"), ("POST",), _release),
)
