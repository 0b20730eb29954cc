"""A path and a JSON body -> the control API's answer, over connections that are kept. The standard library only.

It must not know what the routes mean. Threads may call at the same time: each call has a connection to itself.
"""

from __future__ import annotations

import json
import select
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fakeserver.testing.errors import FakeServerError, Refused

if TYPE_CHECKING:
    from http.client import HTTPConnection

PATIENCE = 30.0  # seconds for an answer, beyond the time that the call itself asks the server to wait
WAITED_IN_VAIN = 408


class Calls:
    """The control routes of one server, while it runs."""

    def __init__(self) -> None:
        self.url = ""
        self._kept: list[HTTPConnection] = []
        self._loop_thread: int | None = None
        self._last_words: Callable[[], str] = str

    def begin(self, url: str, last_words: Callable[[], str] = str, in_this_loop: bool = False) -> None:
        """The server runs at this address. `last_words` tells why it no longer does, if that is known."""
        self.url, self._last_words = url, last_words
        self._loop_thread = threading.get_ident() if in_this_loop else None

    def end(self) -> None:
        """Close what is open; whoever calls from now on hears that there is no server."""
        self.url = ""
        while self._kept:
            self._kept.pop().close()

    def get(self, path: str, wait: float = 0) -> dict[str, Any]:
        return self("GET", path, wait=wait)

    def __call__(self, method: str, path: str, body: object = None, wait: float = 0) -> dict[str, Any]:
        """The answer's JSON; `waited_in_vain` is in it where the server's wait was. Raises FakeServerError."""
        status, data = self._exchanged(method, f"/_fakeserver{path}", body, wait)
        answer: dict[str, Any] = json.loads(data)
        if status == WAITED_IN_VAIN:
            return answer | {"waited_in_vain": True}
        if status >= 400:
            raise Refused(answer["error"])
        return answer

    def _exchanged(self, method: str, path: str, body: object, wait: float) -> tuple[int, bytes]:
        from http.client import HTTPException

        self._check()
        data = body.encode() if isinstance(body, str) else b"" if body is None else json.dumps(body).encode()
        try:
            connection = self._connection(wait + PATIENCE)
            connection.request(method, path, data, {"content-type": "application/json"})
            answer = connection.getresponse()
            said = answer.read()
        except (OSError, HTTPException) as problem:
            words = self._last_words() or str(problem) or type(problem).__name__
            raise FakeServerError(f"The fake server at {self.url} does not answer: {words}") from problem
        self._keep(connection)
        return answer.status, said

    def _check(self) -> None:
        if not self.url:
            raise FakeServerError("The fake server does not run: enter it with `with`, or call start().")
        if self._loop_thread == threading.get_ident():
            raise FakeServerError(
                "The server runs in this loop, which this call would block: await its twin in `.aio`."
            )

    def _connection(self, timeout: float) -> HTTPConnection:
        """One of the kept ones, if the server has not closed it since."""
        from http.client import HTTPConnection

        while self._kept:
            kept = self._kept.pop()
            if kept.sock is not None and not select.select([kept.sock], [], [], 0)[0]:
                kept.sock.settimeout(timeout)
                return kept
            kept.close()
        return HTTPConnection(self.url.removeprefix("http://"), timeout=timeout)

    def _keep(self, connection: HTTPConnection) -> None:
        if self.url and connection.sock is not None:
            self._kept.append(connection)
        else:
            connection.close()
