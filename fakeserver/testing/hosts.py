"""Where a server runs -> its address, and its end: a process of its own, a thread, or the caller's loop.

Each imports what it needs when it starts. It must not know sessions.
"""

from __future__ import annotations

import json
import os
import sys
from typing import IO, TYPE_CHECKING, Any

from fakeserver.testing.errors import FakeServerError, ScenarioError
from fakeserver.testing.options import Options

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future
    from subprocess import Popen
    from threading import Thread

    from fakeserver.http.serve import Served

_START = 60.0  # seconds: a busy machine imports slowly
_STOP = 5.0


class ProcessHost:
    """A child process that ends with this one, however this one ends."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._process: Popen[bytes] | None = None
        self._said: IO[bytes] | None = None

    def start(self) -> str:
        """Raises FakeServerError."""
        import subprocess
        import tempfile

        told = json.dumps(self._options._asdict() | {"parent": os.getpid()})
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # open as long as the child is
        # In a session of its own: a Ctrl-C is for the tests, which still have something to ask while they end.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "fakeserver.testing.child", told], start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said,
        )  # fmt: skip
        try:
            return self._address(self._process)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        import subprocess

        process, self._process = self._process, None
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
            try:
                process.wait(_STOP)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._said is not None:
            self._said.close()

    @property
    def pid(self) -> int | None:
        """The child's, while it runs."""
        return None if self._process is None else self._process.pid

    def last_words(self) -> str:
        """Why the child no longer runs; empty while it does."""
        code = self._process.poll() if self._process else None
        return "" if code is None else f"its process has ended with code {code}. {self._errors()}".strip()

    def _address(self, process: Popen[bytes]) -> str:
        import select

        assert process.stdout is not None
        there = select.select([process.stdout], [], [], _START)[0]
        line = process.stdout.readline() if there else b""
        if not line:
            why = f"it said nothing for {_START:g} s" if not there else f"its process has ended. {self._errors()}"
            raise FakeServerError(f"The fake server did not start: {why}")
        said = json.loads(line)
        if "error" in said:
            raise _as_raised(said)
        return str(said["url"])

    def _errors(self) -> str:
        assert self._said is not None
        self._said.seek(0)
        return self._said.read().decode("utf-8", "replace").strip()[-4000:]


def _as_raised(said: dict[str, Any]) -> FakeServerError:
    if said["problems"]:
        return ScenarioError(said["error"], said["problems"])
    return FakeServerError(said["error"], said["code"])


class LoopHost:
    """The caller's own loop."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._served: Served | None = None

    async def start(self) -> str:
        from fakeserver.http.serve import serve
        from fakeserver.testing.making import engine_of

        self._served = await serve(engine_of(self._options))
        return self._served.url

    async def stop(self) -> None:
        served, self._served = self._served, None
        if served is not None:
            await served.stop()


class ThreadHost:
    """A loop of its own in a thread of this process."""

    def __init__(self, options: Options) -> None:
        self._inner = LoopHost(options)
        self._thread: Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._over: asyncio.Event | None = None

    def start(self) -> str:
        """Raises FakeServerError."""
        import asyncio
        from concurrent.futures import Future
        from threading import Thread

        address: Future[str] = Future()
        self._thread = Thread(target=lambda: asyncio.run(self._serve(address)), name="fakeserver", daemon=True)
        self._thread.start()
        return address.result(_START)

    def stop(self) -> None:
        if self._loop is not None and self._over is not None:
            self._loop.call_soon_threadsafe(self._over.set)
        if self._thread is not None:
            self._thread.join(_STOP)
        self._thread = self._loop = self._over = None

    async def _serve(self, address: Future[str]) -> None:
        import asyncio

        try:
            url = await self._inner.start()
        except BaseException as problem:
            address.set_exception(problem)
            return
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        address.set_result(url)
        await self._over.wait()
        await self._inner.stop()
