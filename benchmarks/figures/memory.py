"""What an open stream costs, and what a reader that reads nothing costs."""

from __future__ import annotations

import socket
import sys
import time

from benchmarks.bench import Bench
from benchmarks.clients import held, load, request
from benchmarks.machine import memory
from benchmarks.result import Figure, Line
from benchmarks.say import say
from benchmarks.scenes import long_one
from benchmarks.servers import Server, ours
from fakeserver.journal import Asked

TITLE = "Memory"
_FEW, _MANY = 500, 4500
_STALL = 3.0  # seconds
_MIB = 1 << 20


def measure(bench: Bench) -> Figure:
    each, grown = [], []
    for number in range(bench.rounds):
        with ours(bench.scenarios) as server:
            load(server, "flat", 0.5)
            each.append((_open_stream(server) - _stored()) / 1000)
        with ours(long_one(bench.scenarios, "long")) as server:
            growth, size = _stalled(server)
            grown.append(growth / _MIB)
        say(
            f"  {number + 1}/{bench.rounds}: {each[-1]:.1f} kB a stream, "
            f"{grown[-1]:.2f} MiB behind a stalled reader of {size / 1e6:.0f} MB"
        )
    return Figure(
        TITLE,
        [
            Line("an open idle stream, beyond its stored request", tuple(each), "kB", 16.0),
            Line("growth behind a stalled reader of 150,000 chunks", tuple(grown), "MiB", 1.0),
        ],
        notes=(
            f"Resident memory of a fresh server with {_MANY:,} hanging streams, less that with {_FEW}, a stream; "
            f"taken off are {_stored():,} bytes, what Python says that the record's copy of the request takes.",
            f"The stalled reader reads nothing for {_STALL:g} s; the stream was read once before, so that all that is "
            "made once has been made.",
        ),
    )


def _stored() -> int:
    """Bytes of the request as the journal keeps it: path, headers, body, and what holds them."""
    lines, _, said = request("open").partition(b"\r\n\r\n")
    fields = [line.partition(": ") for line in lines.decode().split("\r\n")[1:]]
    asked = Asked.of("POST", "/v1/chat/completions", {name: value for name, _, value in fields}, said)
    texts = [*asked.headers, *asked.headers.values(), asked.path, asked.body]
    return sum(map(sys.getsizeof, [asked, asked.headers, *texts]))


def _open_stream(server: Server) -> float:
    with held(server, "open", _FEW, events=2):
        few = memory(server.pid)
        with held(server, "open", _MANY - _FEW, events=2):
            return (memory(server.pid) - few) / (_MANY - _FEW)


def _stalled(server: Server) -> tuple[int, int]:
    """Bytes that the server grew by while nothing was read, and how many came once something was."""
    load(server, "long", 0.01, connections=1)
    before, most = memory(server.pid), 0
    with socket.create_connection(("127.0.0.1", server.port or 0)) as sock:
        sock.sendall(request("long"))
        until = time.monotonic() + _STALL
        while time.monotonic() < until:
            time.sleep(0.05)
            most = max(most, memory(server.pid))
        size, last = 0, b""
        while not last.endswith(b"0\r\n\r\n"):
            last = sock.recv(_MIB)
            size += len(last)
    return max(0, most - before), size
