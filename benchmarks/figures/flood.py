"""Fifty timed streams while eight connections stream flat out on the same server: who waits for whom."""

from __future__ import annotations

from contextlib import ExitStack

from benchmarks.bench import Bench
from benchmarks.clients import flood
from benchmarks.late import Late, late, watched
from benchmarks.result import Curves, Figure, Line
from benchmarks.say import say

TITLE = "Timed streams beside a flood"


def measure(bench: Bench) -> Figure:
    with ExitStack() as stack:
        running = [stack.enter_context(server) for server in watched(bench)]
        found: dict[str, list[Late]] = {server.name: [] for server in running}
        for number in range(bench.rounds):
            for server in running:
                with flood(server, "flat", 60, connections=8):
                    one = late(bench, server, "every-20", 50, 20_000)
                found[server.name].append(one)
                say(f"  {number + 1}/{bench.rounds} {server.name}: {one}")
    lines = []
    for name, each in found.items():
        for what in ("p50", "p99", "max"):
            target = 0.5 if (name, what) == ("fakeserver", "p99") else None
            lines.append(
                Line(f"{what} of 50 timed streams, {name}", tuple(getattr(one, what) for one in each), "ms", target)
            )
    sample = {"50 streams, every 20 ms, flooded": list(found["fakeserver"][-1].sample)}
    curve = Curves("Lateness at the server, last round", "ms", sample)
    return Figure(TITLE, lines, plots=[curve], notes=("As the server's own record tells it.",))
