"""A command -> a process in a group of its own, what it says, and its end.

Whatever it prints, little of it is kept. It must not know cases or outcomes.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from typing import cast

_STDERR_KEPT = 64 << 10
_LAST_WORDS = 0.5  # seconds for what others of its group hold open, once it has ended


class Tail:
    """The last bytes of a stream."""

    def __init__(self, size: int) -> None:
        self._size, self.data = size, bytearray()

    def __call__(self, data: bytes) -> None:
        self.data += data
        if len(self.data) > self._size:
            del self.data[: len(self.data) - self._size]


class Child(asyncio.SubprocessProtocol):
    """One process. `heard` is called with what it prints."""

    def __init__(self, heard: Callable[[bytes], None]) -> None:
        self._heard, self._errors = heard, Tail(_STDERR_KEPT)
        loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[None] = loop.create_future()
        self._silent: asyncio.Future[None] = loop.create_future()  # all that it could print on is closed too
        self._transport: asyncio.SubprocessTransport | None = None

    @classmethod
    async def start(
        cls, command: Sequence[str], env: Mapping[str, str], heard: Callable[[bytes], None], listens: bool = False
    ) -> Child:
        """`listens`: `say` can be used. Raises OSError."""
        loop = asyncio.get_running_loop()
        pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        started = asyncio.ensure_future(loop.subprocess_exec(
            lambda: cls(heard), *command, env=env, stdin=pipe if listens else null, start_new_session=True
        ))  # fmt: skip
        try:
            return (await asyncio.shield(started))[1]
        except asyncio.CancelledError:  # it may be there already, and nobody else would know
            await (await started)[1].end()
            raise

    def say(self, line: bytes) -> None:
        """One line on its stdin; nobody may be there to read it."""
        pipe = self._pipe()
        if pipe is not None and not pipe.is_closing():
            pipe.write(line + b"\n")

    def hang_up(self) -> None:
        """Its stdin ends."""
        pipe = self._pipe()
        if pipe is not None:
            pipe.close()

    @property
    def stderr(self) -> str:
        return self._errors.data.decode("utf-8", "replace")

    @property
    def how(self) -> str:
        """How it ended, in words."""
        code = self._transport.get_returncode() if self._transport else None
        if code is not None and code < 0:
            return f"it was ended by {_signal(-code)}"
        return f"it ended with code {code}"

    async def over(self) -> None:
        """It has ended, and said all."""
        await asyncio.shield(self.exited)
        await asyncio.wait({self._silent}, timeout=_LAST_WORDS)

    async def end(self) -> None:
        """Kill it and what it has started."""
        assert self._transport is not None
        if not self._silent.done():
            self._kill(self._transport.get_pid())
            await asyncio.wait({self._silent}, timeout=_LAST_WORDS)
        self._transport.close()

    def _kill(self, pid: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(pid, signal.SIGKILL)
            elif self._transport is not None:
                self._transport.kill()

    def _pipe(self) -> asyncio.WriteTransport | None:
        return cast("asyncio.WriteTransport | None", self._transport and self._transport.get_pipe_transport(0))

    # What asyncio tells.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        (self._heard if fd == 1 else self._errors)(data)

    def process_exited(self) -> None:
        if not self.exited.done():
            self.exited.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        for each in (self.exited, self._silent):
            if not each.done():
                each.set_result(None)


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
