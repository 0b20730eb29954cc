"""Frames of one byte each, back to back: what the finest cut costs against the machine's limit."""

from __future__ import annotations

from benchmarks import servers
from benchmarks.bench import Bench
from benchmarks.clients import Load
from benchmarks.result import Bars, Figure, Line, Table, shown
from benchmarks.scenes import frames, plan_of
from benchmarks.stats import median, spread

TITLE = "One-byte frames, no gaps"


def measure(bench: Bench) -> Figure:
    limit = servers.limit(frames(bench.scenarios, "bytes"))
    writes = sum(1 for _ in plan_of(bench.scenarios, "bytes").writes()) + 1
    loads = bench.flooded([limit, *bench.ours()], "bytes", connections=1, warm=2)

    def cost(one: Load) -> float:
        return one.cpu / (one.streams * writes) / 1000

    lines = []
    for name in [name for name in loads if name != "C limit"]:
        values = tuple(cost(least) / cost(one) for least, one in zip(loads["C limit"], loads[name]))
        lines.append(
            Line(f"CPU a frame, C limit / {name}", values, "x", 0.75 if name == "fakeserver" else None, least=True)
        )
    rows: list[tuple[str, ...]] = []
    for name, each in loads.items():
        middle, low, high = spread([cost(one) for one in each])
        speed = median([one.streams * writes / one.seconds for one in each])
        rows.append((name, shown(middle), f"{shown(low)} .. {shown(high)}", shown(speed)))
    table = Table(("server", "us CPU a frame", "least .. most", "frames/s"), rows)
    bars = Bars("CPU a frame", "us", {name: median([cost(one) for one in each]) for name, each in loads.items()})
    return Figure(
        TITLE,
        lines,
        [table],
        [bars],
        (f"{writes:,} frames a stream, one connection; our plan of them is kept from the third stream on.",),
    )
