"""Timed streams, many at once: how late each write was at the server, by its own record."""

from __future__ import annotations

from contextlib import ExitStack

from benchmarks import machine
from benchmarks.bench import Bench
from benchmarks.late import Late, late, watched
from benchmarks.result import Curves, Figure, Line, Table, shown
from benchmarks.say import say
from benchmarks.stats import median

TITLE = "Lateness of timed streams"
# Scenario, streams, requests spread over so many us, which writes count, target for the p99 in ms.
LOADS = (
    ("every-20", 100, 20_000, "all", 0.2),
    ("every-50", 1000, 50_000, "all", 0.5),
    ("every-250", 5000, 250_000, "steady", 0.5),
)
_NOTE = (
    "Late is the call of write after the plan's moment, counted from when the request was read. `all` has the burst of "
    "arriving requests in it, `steady` begins 0.3 s after the last one. The client's column is each arrival after the "
    "moment at which its request was sent, so the reading of the request and the client's own wake-up are in it."
)


def measure(bench: Bench) -> Figure:
    lines, rows, curves = [], [], {}
    for name, streams, spread_us, which, target in LOADS[: 2 if bench.quick else None]:
        label = f"{streams:,} streams, {name.replace('-', ' ')} ms, {which}"
        with machine.first(), ExitStack() as stack:
            running = [stack.enter_context(server) for server in watched(bench)]
            found: dict[str, list[Late]] = {server.name: [] for server in running}
            for number in range(bench.rounds):
                for server in running:
                    one = late(bench, server, name, streams, spread_us, which)
                    found[server.name].append(one)
                    say(f"  {number + 1}/{bench.rounds} {server.name}, {label}: {one}")
        for server_name, each in found.items():
            ours = server_name == "fakeserver"
            p99 = tuple(one.p99 for one in each)
            lines.append(Line(f"p99, {label}, {server_name}", p99, "ms", target if ours else None))
            rows.append((f"{server_name}: {label}", *_medians(each)))
            if ours:
                curves[label] = list(each[-1].sample)
    head = ("load", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "p99 at the client, all, ms")
    curve = Curves("Lateness at the server, last round", "ms", curves)
    return Figure(TITLE, lines, [Table(head, rows)], [curve], (_NOTE,))


def _medians(each: list[Late]) -> tuple[str, ...]:
    columns = ([getattr(one, name) for one in each] for name in ("p50", "p99", "p999", "max", "seen"))
    return tuple(shown(median(column)) for column in columns)
