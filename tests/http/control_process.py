"""A server in a thread of its own, for clients that are not asynchronous."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from types import TracebackType

from fakeserver.engine import Engine
from fakeserver.http.serve import Served, serve
from tests.http.control_stand_ins import library_in


class Background:
    """Within `with`, it serves."""

    def __init__(self, folder: Path) -> None:
        self.engine = Engine(library_in(folder))
        self.url = ""
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    async def _run(self) -> None:
        served: Served = await serve(self.engine)
        self.url, self._loop, self._stop = served.url, asyncio.get_running_loop(), asyncio.Event()
        self._ready.set()
        await self._stop.wait()
        await served.stop()

    def __enter__(self) -> Background:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)
