"""The product as users start it: a process of its own, found by its readiness line, ended by a signal.

It must not import the product: what happens here could happen in any language.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import quote
from urllib.request import Request, urlopen

COMMAND = (sys.executable, "-m", "fakeserver")
SERVE = ("serve", "--port", "0", "--json", "--speed", "instant")
PATIENCE = 30.0  # seconds until a server must be ready, on however slow a machine


def environment() -> dict[str, str]:
    """This process's own, without the twins of the product's options."""
    return {name: value for name, value in os.environ.items() if not name.startswith("FAKESERVER_")}


@dataclass
class Running:
    """A server that accepts requests."""

    process: subprocess.Popen[bytes]
    url: str
    port: int
    log: IO[bytes]

    def base_url(self, session: str = "", scenario: str = "") -> str:
        """What a client is given as its base URL."""
        parts = [("session", session), ("scenario", scenario)]
        return self.url + "".join(f"/{word}/{quote(value)}" for word, value in parts if value) + "/v1"

    def release(self, gate: str, session: str) -> dict[str, object]:
        """Let go what waits at the gate; with nothing there, the next one to come."""
        return self._post(self.release_url(gate, session))

    def release_url(self, gate: str, session: str) -> str:
        return f"{self.url}/_fakeserver/gates/{quote(gate)}/release?session={quote(session)}"

    def stderr(self) -> str:
        """All that the server has said there until now."""
        return os.pread(self.log.fileno(), 1 << 20, 0).decode()

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        """Its exit code, and after how many seconds."""
        start = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        return code, time.monotonic() - start

    def _post(self, url: str) -> dict[str, object]:
        with urlopen(Request(url, method="POST"), timeout=PATIENCE) as answer:
            value: dict[str, object] = json.load(answer)
        return value


@contextmanager
def running(arguments: Sequence[str] = (), command: Sequence[str] = COMMAND) -> Iterator[Running]:
    """A server of its own, which is gone afterwards."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [*command, *SERVE, *arguments], stdout=subprocess.PIPE, stderr=log, env=environment()
        )
        with process:
            try:
                said = _readiness(process, log)
                yield Running(process, said["url"], said["port"], log)
            finally:
                if process.poll() is None:
                    process.kill()


def _readiness(process: subprocess.Popen[bytes], log: IO[bytes]) -> dict[str, Any]:
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
    line = process.stdout.readline() if ready else b""
    if not line:
        raise AssertionError(f"the server did not start: {os.pread(log.fileno(), 1 << 20, 0).decode()}")
    said: dict[str, Any] = json.loads(line)
    assert said.keys() - {"token"} == {"url", "port", "pid", "version"}, said  # the token where it was given one
    assert said["pid"] == process.pid, said
    return said
