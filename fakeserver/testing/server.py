"""FakeServer: scenarios and a mode -> a running server, as a context manager. It is its own default session too."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import TracebackType
from typing import Literal

from fakeserver.testing.calls import Calls
from fakeserver.testing.errors import FakeServerError
from fakeserver.testing.hosts import LoopHost, ProcessHost, ThreadHost
from fakeserver.testing.options import Options, Path, Speed, options
from fakeserver.testing.requests import Lateness, lateness_of
from fakeserver.testing.session import Session

Mode = Literal["process", "thread", "loop"]
DEFAULT = "default"  # the session of requests whose base URL names none


class FakeServer(Session):
    """A fake OpenAI-compatible server on a free port of this machine, for `with` and `async with`.

    `paths` are files and folders of scenarios; without any, the built-in library is served. `mode`:

    - "process" (the default): its timing stays exact while the test is busy, and it dies with this process. Starts in
      about half a second, so share it.
    - "thread": starts in milliseconds once its modules are loaded, but shares the interpreter with the test.
    - "loop": in the loop of `async with`; whatever blocks the loop stops the streams too. Use `.aio` for all calls.

    `speed` 2 is twice as fast, "instant" waits for nothing but gates. `fallback` names the scenario for requests that
    nothing else answers; without it they are a 404. With `api_key`, any other key is a 401. Entering raises
    ScenarioError if a scenario has errors, FakeServerError if the server cannot start.
    """

    def __init__(
        self, *paths: Path, mode: Mode = "process", speed: Speed = 1.0, fallback: str | None = None,
        api_key: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(Calls(), DEFAULT, api_key)
        given = options(paths, speed, fallback, api_key)
        self.mode = mode
        self._host = _host(mode, given)

    @property
    def url(self) -> str:
        """The server's own address, without a path; empty while it does not run."""
        return self._calls.url

    @property
    def base_url(self) -> str:
        """What an OpenAI client takes as its base URL; `/v1` is at its end."""
        return f"{self.url}/v1"

    @property
    def pid(self) -> int | None:
        """The server's process; None while it does not run."""
        own = self._host.pid if isinstance(self._host, ProcessHost) else os.getpid()
        return own if self.url else None

    def session(self, id: str | None = None) -> Session:
        """A part of the server for one test. Without an id it gets one that nobody else has."""
        return Session(self._calls, id or os.urandom(8).hex(), self._key)

    def lateness(self) -> Lateness:
        """By how much writes of all sessions were later than planned, in seconds: p50, p99, max."""
        names = [each["id"] for each in self._calls.get("/sessions")["sessions"]]
        return lateness_of(request for name in names for request in Session(self._calls, name).requests)

    def start(self) -> None:
        """What `with` does first."""
        if isinstance(self._host, LoopHost):
            raise FakeServerError("A server in the caller's loop is entered with `async with`.")
        url = self._host.start()
        self._calls.begin(url, self._host.last_words if isinstance(self._host, ProcessHost) else str)

    def stop(self) -> None:
        """What `with` does last: open streams are cut off, and the port is free."""
        self._calls.end()
        if not isinstance(self._host, LoopHost):
            self._host.stop()

    def __enter__(self) -> FakeServer:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    async def __aenter__(self) -> FakeServer:
        if isinstance(self._host, LoopHost):
            self._calls.begin(await self._host.start(), in_this_loop=True)
        else:
            await _in_thread(self.start)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(self._host, LoopHost):
            self.stop()
            await self._host.stop()
        else:
            await _in_thread(self.stop)


def _host(mode: str, given: Options) -> ProcessHost | ThreadHost | LoopHost:
    if mode == "process":
        return ProcessHost(given)
    if mode == "thread":
        return ThreadHost(given)
    if mode == "loop":
        return LoopHost(given)
    raise ValueError(f"{mode!r} is no mode: process, thread or loop")


async def _in_thread(call: Callable[[], None]) -> None:
    from fakeserver.testing.twins import in_thread  # asyncio is loaded by those who have a loop

    await in_thread(call)
