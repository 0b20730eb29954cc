"""One client's connection: aiohttp parses, and tells us at once when the peer leaves and how.

It says nothing that aiohttp would say by itself: no answer of its own, no traceback. It must not know scenarios.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

from aiohttp import web

from fakeserver.http.played import Played
from fakeserver.play import ending
from fakeserver.play.notes import Ending, Left
from fakeserver.play.player import Player

if TYPE_CHECKING:
    from fakeserver.http.server import Server

logger = logging.getLogger("fakeserver")


class Connection(web.RequestHandler):
    """`player` is the one at work on this connection, or the last one if it failed; None between answers."""

    __slots__ = ("_server", "left_by", "player")

    def __init__(self, server: Server, **limits: Any) -> None:
        super().__init__(server, access_log=None, **limits)  # type: ignore[arg-type]  # None: no access log
        self._server = server
        self.player: Player | None = None
        self.left_by: Left = ""

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.player is not None:
            self.player.pause()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.player is not None:
            self.player.resume()

    def eof_received(self) -> None:
        # A client that only closes its writing half looks the same: keeping the connection for it would cost knowing at
        # once that a client has left.
        self._gone("FIN")

    def connection_lost(self, exc: BaseException | None) -> None:
        # A broken pipe is what a reset looks like once a write has met it.
        self._gone("RST" if isinstance(exc, ConnectionResetError | BrokenPipeError) else "lost")
        super().connection_lost(exc)

    def stop(self) -> None:
        """The server stops: whatever is played ends here."""
        if self.player is not None:
            self.player.stop()
        if self.transport is not None:
            self.transport.abort()

    def cut(self) -> None:
        """The session to which the request belongs is over. A FIN could be taken for the end of an answer."""
        if self.player is not None:
            self.player.stop("session reset")
        if self.transport is not None:
            ending.reset(self.transport)

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """A request that does not parse, or a failure of our own: the error as JSON, if nothing was said before it."""
        if status >= 500:
            self.log_exception("%s %s failed here", request.method, request.path, exc_info=exc)
            message = "The server had an error while processing your request. Its log says more."
        if self.player is not None and self.player.started:
            self.player.fail(exc)
        elif self.transport is not None:
            self._answer(status, message or "Bad request")
        return Played(keep_alive=False)

    def log_exception(self, *args: Any, **kwargs: Any) -> None:
        """A failure of ours: one line, and the traceback for those who ask for it. A client's doing: nothing."""
        problem = kwargs.pop("exc_info", None)
        message = args[0] % args[1:] if args else "failed"
        # aiohttp reads on in a request's body behind our answer, and meets what we have answered already.
        if not isinstance(problem, web.RequestPayloadError | OSError):
            logger.error("%s: %r", message, problem)
        logger.debug("%s", message, exc_info=problem)

    def _gone(self, by: Left) -> None:
        if not self.left_by:
            self.left_by = by
        if self.player is not None:
            self.player.left(self.left_by)

    def _answer(self, status: int, message: str) -> None:
        answer = self._server.engine.unreadable(status, message, time.time_ns())
        for write in answer.plan.writes():
            if self.transport is not None:
                self.transport.write(write.data)
            answer.record.wrote(0, 0, 1, len(write.data), 0, False)
        answer.record.ended(Ending("complete", 0, "end"))
