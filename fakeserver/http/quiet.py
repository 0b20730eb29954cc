"""asyncio's report that no descriptor is left -> one line in the log instead of hundreds a second."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

logger = logging.getLogger("fakeserver")

# asyncio reports this once for each connection it could not accept, `backlog` times a second (CPython's
# BaseSelectorEventLoop._accept_connection goes on after the first).
_MESSAGE = "socket.accept() out of system resource"
_PAUSE = 10.0


class AcceptErrors:
    """The loop's exception handler while a server runs; whatever else is reported goes where it went before."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._before = loop.get_exception_handler()
        self._told: float | None = None
        loop.set_exception_handler(self)

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if context.get("message") == _MESSAGE:
            self._tell(context)
        elif self._before is not None:
            self._before(loop, context)
        else:
            loop.default_exception_handler(context)

    def remove(self) -> None:
        if self._loop.get_exception_handler() is self:
            self._loop.set_exception_handler(self._before)

    def _tell(self, context: dict[str, Any]) -> None:
        now = self._loop.time()
        if self._told is None or now - self._told > _PAUSE:
            self._told = now
            logger.error("cannot accept a connection: %s. Raise the limit of open files.", context.get("exception"))
