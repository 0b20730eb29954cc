"""An engine and an address -> a running server, and the way to stop it."""

from __future__ import annotations

import asyncio
import socket

from aiohttp import web

from fakeserver.engine import Engine
from fakeserver.http.bind import BACKLOG, bind, url_of
from fakeserver.http.guard import Guard
from fakeserver.http.quiet import AcceptErrors
from fakeserver.http.server import Server

_PATIENCE = 0.1  # seconds for handlers at a stop; 0 would wait for ever (aiohttp takes it for no limit)


class Served:
    """A server that accepts requests. `stop` it, or wait until someone has."""

    def __init__(self, server: Server, runner: web.ServerRunner, sock: socket.socket) -> None:
        self.url = url_of(sock)
        self.port: int = sock.getsockname()[1]
        self._server, self._runner = server, runner
        self._quiet = AcceptErrors(asyncio.get_running_loop())
        self._stopping: asyncio.Task[None] | None = None
        self._closed = asyncio.Event()

    @property
    def server(self) -> Server:
        return self._server

    async def stop(self) -> None:
        """Abort what is open and free the port: well within a second, however many streams hang."""
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop())
        await asyncio.shield(self._stopping)

    async def wait_closed(self) -> None:
        await self._closed.wait()

    async def _stop(self) -> None:
        for site in list(self._runner.sites):
            await site.stop()
        # Aborted first: with a stream open, the runner's cleanup waits its whole patience, twice.
        self._server.stop()
        await self._runner.cleanup()
        self._server.close()
        self._quiet.remove()
        self._closed.set()


async def serve(
    engine: Engine,
    host: str = "127.0.0.1",
    port: int = 0,
    sock: socket.socket | None = None,
    token: str | None = None,
) -> Served:
    """Answer requests from now on. `sock` is a listening socket to use instead. Raises OSError if it cannot bind.

    The control routes need the `token`, where there is one.
    """
    sock = sock or bind(host, port)
    server = Server(engine, Guard.of(sock, host, token))
    runner = web.ServerRunner(server, shutdown_timeout=_PATIENCE)
    await runner.setup()
    await web.SockSite(runner, sock, backlog=BACKLOG).start()
    return Served(server, runner, sock)
