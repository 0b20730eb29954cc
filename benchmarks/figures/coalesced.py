"""The same streams as one write each, which is what aimock does at zero delay: like against like."""

from __future__ import annotations

from benchmarks import peers, servers
from benchmarks.bench import Bench
from benchmarks.figures.throughput import against, table_of
from benchmarks.result import Bars, Figure, Line
from benchmarks.scenes import frames
from benchmarks.stats import median

TITLE = "Coalesced: a whole stream in one write (`wire: {buffer: all}`)"


def measure(bench: Bench) -> Figure:
    limit = servers.limit(frames(bench.scenarios, "whole"))
    loads = bench.flooded([limit, *bench.ours(), peers.aimock()], "whole")
    lines: list[Line] = []
    for name in [name for name in loads if name.startswith("fakeserver") or name == "against"]:
        lines += against(loads, name, "aimock", 10.0 if name == "fakeserver" else None)
    speeds = {name: median([one.per_second for one in each]) for name, each in loads.items()}
    return Figure(TITLE, lines, [table_of(loads)], [Bars("Streams", "a second", speeds)])
