"""The C clients on the client's core, and what they saw."""

from __future__ import annotations

import json
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.build import binary
from benchmarks.machine import CLIENT, cpu, pinned
from benchmarks.servers import Server

_ROW = struct.Struct("=IIq")


def body(model: str) -> str:
    """A small request; every peer takes it."""
    return json.dumps({"model": model, "stream": True, "messages": [{"role": "user", "content": "bench"}]})


def request(model: str) -> bytes:
    """The same as it goes over the wire."""
    said = body(model).encode()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {len(said)}\r\n"
    return head.encode() + b"content-type: application/json\r\n\r\n" + said


@dataclass(frozen=True)
class Load:
    """What a flood came to. `cpu` is the server's, in nanoseconds."""

    streams: int
    events: int
    bytes: int
    reads: int
    errors: int
    seconds: float
    cpu: int

    @property
    def per_second(self) -> float:
        return self.streams / self.seconds

    @property
    def cpu_an_event(self) -> float:
        """Microseconds."""
        return self.cpu / self.events / 1000 if self.events else float("inf")


def load(server: Server, model: str, seconds: float, connections: int = 16) -> Load:
    """Streams from it, flat out, for so long."""
    before = cpu(server.pid)
    with flood(server, model, seconds, connections) as process:
        said = process.communicate()[0]
    return Load(**json.loads(said), cpu=cpu(server.pid) - before)


@contextmanager
def flood(server: Server, model: str, seconds: float, connections: int) -> Iterator[subprocess.Popen[bytes]]:
    """The same beside something else; it is ended with the block."""
    command = [binary("load"), str(server.port), str(connections), str(seconds), body(model)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=pinned(CLIENT)) as process:
        try:
            yield process
        finally:
            process.kill()


def pace(server: Server, model: str, streams: int, spread_us: int, events: int) -> list[list[int]]:
    """For each stream, when each of its events arrived: nanoseconds since its request was sent."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "rows")
        subprocess.run(_pace(server, model, streams, spread_us, events, out), check=True, stdout=subprocess.DEVNULL,
                       preexec_fn=pinned(CLIENT))  # fmt: skip
        arrived: list[list[int]] = [[] for _ in range(streams)]
        for stream, _, at in _ROW.iter_unpack(out.read_bytes()):
            arrived[stream].append(at)
        return arrived


@contextmanager
def held(server: Server, model: str, streams: int, events: int = 1) -> Iterator[None]:
    """So many streams open, each with its first events read, for as long as the block takes."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*_pace(server, model, streams, streams * 500, events, Path(folder, "rows")), "hold"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=pinned(CLIENT)
        ) as client:
            assert client.stdout is not None
            assert client.stdin is not None
            client.stdout.readline()
            try:
                yield
            finally:
                client.stdin.close()


def _pace(server: Server, model: str, streams: int, spread_us: int, events: int, out: Path) -> list[str]:
    return [binary("pace"), str(server.port), str(streams), str(spread_us), str(events), body(model), str(out)]
