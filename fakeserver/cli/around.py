"""What goes with a running server for those who started it: the ready file, the parent, the token."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fakeserver.cli.common import Refused
from fakeserver.cli.greeting import listening


@dataclass(frozen=True, slots=True)
class Around:
    """`beside` runs as long as the server does; `greeting` is what it says, of the object of --json, once it serves."""

    host: str = ""
    token: str | None = None
    ready_file: Path | None = None
    with_parent: bool = False
    beside: Callable[[], Coroutine[Any, Any, None]] | None = None
    greeting: Callable[[dict[str, Any]], str] = listening

    def clear(self) -> None:
        """A ready file of an earlier run would be believed."""
        if self.ready_file is not None:
            self.ready_file.unlink(missing_ok=True)

    def ready(self, said: dict[str, Any]) -> None:
        """Nobody finds a half-written file: it is put in place whole. Raises Refused."""
        if self.ready_file is None:
            return
        part = self.ready_file.with_name(f".{self.ready_file.name}.{os.getpid()}")
        try:
            part.touch(0o600)  # it may hold the token
            part.write_text(json.dumps(said) + "\n")
            part.replace(self.ready_file)
        except OSError as error:
            raise Refused(f"cannot write {self.ready_file}: {(error.strerror or str(error)).lower()}") from None


NOTHING = Around()


def token_for(sock: socket.socket, given: str | None) -> str | None:
    """The one that was given; where others than this machine can reach the server, a new one."""
    import secrets

    from fakeserver.http.guard import Guard

    return given or (secrets.token_urlsafe(18) if Guard.of(sock).wide else None)


def when_parent_ends(call: Callable[[], None]) -> None:
    """Call once stdin has ended: its other side is closed however whoever holds it ends."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        with contextlib.suppress(OSError):  # a stdin that is closed has ended
            while os.read(0, 65536):
                pass
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server has stopped before
            loop.call_soon_threadsafe(call)

    threading.Thread(target=read, name="stdin", daemon=True).start()
