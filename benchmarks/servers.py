"""A command -> a running server on the server's core: its port, its process, its end."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.build import binary
from benchmarks.machine import SERVER, pinned

TREE = Path(__file__).parents[1]
# uvloop is no dependency, so the figures that count are those of the loop that everyone has.
_PLAIN_LOOP = "import sys; sys.modules['uvloop'] = None; from fakeserver.cli import main; main()"
_ANY_LOOP = "from fakeserver.cli import main; main()"


@dataclass
class Server:
    """`port` None: the server chooses one and says so as a line of JSON."""

    name: str
    command: Sequence[str]
    port: int | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    keys: bool = False  # whether it is told commands on its standard input
    process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE if self.keys else subprocess.DEVNULL,
            stdout=subprocess.PIPE if self.port is None else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL if self.port else None,
            env={**os.environ, **self.env},
            preexec_fn=pinned(SERVER),
            start_new_session=True,
        )
        if self.port is None:
            self.port = int(self.told()["port"])
        else:
            wait_for(self.port, self.process)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)  # its own session: this process's children, and no one else's
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def told(self) -> dict[str, Any]:
        """The next line of JSON that it says. Raises RuntimeError if it says nothing more."""
        assert self.process is not None
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended before it was ready")
        return dict(json.loads(line))

    def ask(self, command: str) -> dict[str, Any]:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(f"{command}\n".encode())
        self.process.stdin.flush()
        return self.told()


def ours(scenarios: Path, *options: str, tree: Path = TREE, uvloop: bool = False, name: str = "fakeserver") -> Server:
    """`fakeserver serve` of a checkout, as a user's command runs it."""
    code = _ANY_LOOP if uvloop else _PLAIN_LOOP
    command = [sys.executable, "-P", "-c", code, "serve", str(scenarios), "--port", "0", "--json", *options]
    return Server(name, command, env={"PYTHONPATH": str(tree)})


def watched(scenarios: Path, tree: Path = TREE, name: str = "fakeserver", uvloop: bool = False) -> Server:
    """The same server with a journal that keeps every moment, and tells them when asked (see inside.py)."""
    options = ["uvloop"] if uvloop else []
    command = [sys.executable, str(Path(__file__).with_name("inside.py")), str(scenarios), *options]
    return Server(name, command, env={"PYTHONPATH": str(tree)}, keys=True)


def limit(frames: Path, name: str = "C limit") -> Server:
    return Server(name, [binary("limit"), str(frames)])


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def wait_for(port: int, process: subprocess.Popen[bytes], patience: float = 30.0) -> None:
    """Until the port accepts. Raises RuntimeError if the process ends before it does."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"{process.args!r} ended with {process.returncode}")
        with socket.socket() as sock:
            if sock.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise RuntimeError(f"nothing listens on port {port}")
