"""A request -> who answers it: the engine, through the player, a control route, or the page's files.

No answer of an OpenAI route leaves in any other way, errors included.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

from aiohttp import web

from fakeserver.http import page
from fakeserver.http.played import Played, play
from fakeserver.http.reading import read_facts
from fakeserver.match.route import route_of

if TYPE_CHECKING:
    from fakeserver.http.connection import Connection
    from fakeserver.http.server import Server


async def handle(server: Server, request: web.BaseRequest) -> web.StreamResponse:
    server.clock.run_due()  # a burst of arriving requests must not hold timed streams up
    route = route_of(request.rel_url.raw_path)
    if route.kind in ("control", "unknown") and (shown := page.shown(request, route)) is not None:
        return shown
    if route.kind == "control":
        from fakeserver.http import control  # its shapes cost time that a start need not take

        return await control.handle(server, request, route.rest)
    session = server.engine.enter(route.session, time.time_ns())
    session.begun()
    try:
        facts = await read_facts(request, route)
    except OSError:
        return Played(keep_alive=False)  # gone before its request was whole: there is nobody to answer
    finally:
        session.read()
    connection = cast("Connection", request.protocol)
    if session.over:  # reset since: whoever has asked is of another test
        connection.cut()
        return Played(keep_alive=False)
    epoch = server.clock.now()
    answer = server.engine.answer(facts, time.time_ns(), session)
    stays = await play(connection, answer, epoch, server.clock, server.diagnosis)
    connection.player = None
    return Played(stays and request.keep_alive and facts.fault is None)
