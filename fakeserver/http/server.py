"""The server: makes a connection for each client, with limits set on purpose, and owns what all of them share.

It must not know scenarios. It is `web.Server`, not `web.Application`: the latter answers parser errors itself with a
logged traceback, appends a second response when a handler fails after our raw head, and has no hook at the moment when
a connection is lost while its socket can still be asked.
"""

from __future__ import annotations

import asyncio

from aiohttp import web

from fakeserver.engine import Engine
from fakeserver.http.connection import Connection
from fakeserver.http.guard import Guard
from fakeserver.http.routes import handle
from fakeserver.play.clock import WallClock
from fakeserver.play.peer import Diagnosis

LINE_LIMIT = 64 << 10  # of the request line, and of each header: aiohttp's own limit is 8 kB


class Server(web.Server):
    """One clock, one engine and one way to ask the kernel, for all connections."""

    def __init__(self, engine: Engine, guard: Guard) -> None:
        super().__init__(self._answer)
        self.engine, self.guard = engine, guard
        self.clock = WallClock(asyncio.get_running_loop())
        self.diagnosis = Diagnosis()

    def __call__(self) -> Connection:
        # An exception here is swallowed by asyncio: the client would see a dead connection and the log nothing.
        loop = asyncio.get_running_loop()
        return Connection(self, loop=loop, max_line_size=LINE_LIMIT, max_field_size=LINE_LIMIT)

    def stop(self) -> None:
        """End everything that is played, at once."""
        for connection in self.connections:
            if isinstance(connection, Connection):
                connection.stop()

    def close(self) -> None:
        self.clock.close()
        self.diagnosis.close()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        return await handle(self, request)
