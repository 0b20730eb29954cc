"""One byte a read, guaranteed: what a plain Python client in a process of its own sees, and how fast."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.clients import body
from benchmarks.machine import CLIENT, pinned
from benchmarks.result import Figure, Line
from benchmarks.say import say
from benchmarks.servers import ours

TITLE = "Lockstep: one byte a read"
_READER = Path(__file__).parents[1] / "reader.py"


def measure(bench: Bench) -> Figure:
    shares, speeds = [], []
    with ours(bench.scenarios) as server:
        for number in range(bench.rounds):
            command = [sys.executable, str(_READER), str(server.port), body("lockstep")]
            said = json.loads(
                subprocess.run(command, check=True, stdout=subprocess.PIPE, preexec_fn=pinned(CLIENT)).stdout
            )
            shares.append(said["single"] / said["reads"] * 100 if said["reads"] else 0.0)
            speeds.append(said["bytes"] / said["seconds"] / 1000)
            say(f"  {number + 1}/{bench.rounds}: {said['single']} of {said['reads']} reads hold one byte, "
                f"{speeds[-1]:.1f} kB/s")  # fmt: skip
    return Figure(
        TITLE,
        [
            Line("reads that hold exactly one byte of the body", tuple(shares), "%", 100.0, least=True),
            Line("speed to a Python client of its own process", tuple(speeds), "kB/s", 20.0, least=True),
        ],
        notes=("`wire: {cut: {size: 1B, lockstep: true}}`; the client is a plain socket that reads 64 KiB at a time.",),
    )
