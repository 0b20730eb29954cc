"""A million chunks, and a thousand scenarios."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.clients import load
from benchmarks.machine import SERVER, memory, pinned
from benchmarks.result import Figure, Line
from benchmarks.say import say
from benchmarks.scenes import long_one
from benchmarks.servers import TREE, Server, ours

TITLE = "A scenario of 1,000,000 chunks; 1,000 scenarios"
_MIB = 1 << 20
SCENARIO = """\
about: Number {n} of many.
tags: [bench, made]
timing: {{first: 50ms, every: 20ms}}
head: {{headers: {{x-number: {n}}}}}
stream:
  - role: assistant
  - say: [Hello, " there,", " this is", " scenario", " {n}."]
  - wait: 100ms
  - call: {{name: look_up, arguments: '{{"number": {n}}}'}}
  - {{finish: tool_calls, usage: {{prompt_tokens: 11, completion_tokens: 5}}}}
  - done
expect: {{outcome: complete, finish_reason: tool_calls}}
"""
# Read as `serve` reads them.
_LOAD = """\
import gc, json, sys, time
gc.disable()  # as `serve` does while it starts
from fakeserver.script.library import load
from fakeserver.script.loader import adapters
adapters()
begin = time.perf_counter()
library = load([sys.argv[1]])
print(json.dumps({"scenarios": len(library.scenarios), "load": time.perf_counter() - begin}))
"""


def measure(bench: Bench) -> Figure:
    began = time.perf_counter()
    with ours(long_one(bench.scenarios, "endless")) as server:
        ready = time.perf_counter() - began
        growth, rate = _million(server)
    say(f"  a million chunks: {growth / _MIB:.2f} MiB, {rate:,.0f} chunks/s, served after {ready:.1f} s")
    loads, starts = [], []
    with tempfile.TemporaryDirectory() as folder:
        for n in range(1000):
            Path(folder, f"number-{n}.yaml").write_text(SCENARIO.format(n=n))
        for _ in range(bench.rounds):
            loads.append(_loaded(folder))
            starts.append(_started(Path(folder)))
            say(f"  a thousand scenarios: loaded in {loads[-1]:.2f} s, served after {starts[-1]:.2f} s")
    return Figure(
        TITLE,
        [
            Line("growth over the last nine tenths of 1,000,000 chunks", (growth / _MIB,), "MiB", 1.0),
            Line("chunks of it a second", (rate,)),
            Line("`serve` of it: ready", (ready,), "s"),
            Line("1,000 scenarios loaded and checked", tuple(loads), "s", 1.0),
            Line("`serve` of 1,000 scenarios: ready", tuple(starts), "s"),
        ],
        notes=("Loaded is `script.library.load` without imports; `serve` also compiles each of them once for trial.",),
    )


def _million(server: Server) -> tuple[int, float]:
    """Bytes grown between a tenth of the stream and its end, and chunks a second."""
    samples: list[int] = []
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.1):
            samples.append(memory(server.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        one = load(server, "endless", 0.01, connections=1)
    finally:
        over.set()
        watcher.join()
    early = max(samples[: max(1, len(samples) // 10)])
    return max(0, max(samples) - early), one.events / one.seconds


def _loaded(folder: str) -> float:
    command = [sys.executable, "-P", "-c", _LOAD, folder]
    ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=TREE, preexec_fn=pinned(SERVER))
    said = json.loads(ran.stdout)
    assert said["scenarios"] == 1000, said
    return float(said["load"])


def _started(folder: Path) -> float:
    begin = time.perf_counter()
    with ours(folder):
        return time.perf_counter() - begin
