"""From the command to an open port, and to the first byte of the first answer: ours and the peers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks import peers
from benchmarks.bench import Bench
from benchmarks.clients import request
from benchmarks.machine import SERVER, cpu, pinned
from benchmarks.result import Bars, Figure, Line, Table, shown
from benchmarks.say import say
from benchmarks.servers import Server, free_port
from benchmarks.stats import median

TITLE = "Start-up of `serve`"
_COMMAND = Path(sys.executable).with_name("fakeserver")
_COLUMNS = ("port ms", "first byte ms", "CPU ms at the port", "CPU ms at the first byte")


def measure(bench: Bench) -> Figure:
    makers: list[Callable[[], Server]] = [_ours, *peers.ALL]
    if bench.against is not None:
        makers.append(partial(_against, bench.against))
    found: dict[str, list[tuple[float, ...]]] = {}
    for number in range(bench.rounds):
        for make in makers:
            server = make()
            times = _timed(server)
            found.setdefault(server.name, []).append(times)
            say(f"  {number + 1}/{bench.rounds} {server.name}: port {times[0]:.0f} ms, first byte {times[1]:.0f} ms")
    ours = list(zip(*found["fakeserver"]))
    lines = [
        Line("port open", ours[0], "ms", 50.0),
        Line("first answer", ours[1], "ms", 500.0),
        Line("CPU used until the port was open", ours[2], "ms"),
        Line("CPU used until the first answer", ours[3], "ms"),
    ]
    rows: list[tuple[str, ...]] = []
    for name, each in found.items():
        rows.append((name, *(shown(median(column)) for column in zip(*each))))
    bars = {name: median([one[1] for one in each]) for name, each in found.items()}
    return Figure(
        TITLE,
        lines,
        [Table(("server", *_COLUMNS), rows)],
        [Bars("First byte of the first answer", "ms", bars)],
        ("`fakeserver serve` with the built-in library, on one core, its files in the page cache.",),
    )


def _ours() -> Server:
    port = free_port()
    return Server("fakeserver", [str(_COMMAND), "serve", "--port", str(port)], port)


def _against(tree: Path) -> Server:
    port = free_port()
    command = [sys.executable, "-P", "-c", "from fakeserver.cli import main; main()", "serve", "--port", str(port)]
    return Server("against", command, port, env={"PYTHONPATH": str(tree)})


def _timed(server: Server) -> tuple[float, ...]:
    """Milliseconds from the command to the port and to the first byte of an answer, and the CPU used until then."""
    begin = time.perf_counter()
    process = subprocess.Popen(server.command, env={**os.environ, **server.env}, preexec_fn=pinned(SERVER),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        while True:
            sock = socket.socket()
            if sock.connect_ex(("127.0.0.1", server.port)) == 0:
                break
            sock.close()
            time.sleep(0.0005)
        opened, used = time.perf_counter() - begin, cpu(process.pid)
        sock.sendall(request("hello"))
        sock.recv(1)
        sock.close()
        return opened * 1000, (time.perf_counter() - begin) * 1000, used / 1e6, cpu(process.pid) / 1e6
    finally:
        process.kill()
        process.wait()
