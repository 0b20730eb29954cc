"""Streams of 200 pieces with no delays, a frame and a write each: ours, the machine's limit, the peers."""

from __future__ import annotations

from benchmarks import peers, servers
from benchmarks.bench import Bench, ratios
from benchmarks.clients import Load
from benchmarks.result import Bars, Figure, Line, Table, shown
from benchmarks.scenes import frames
from benchmarks.stats import median, spread

TITLE = "Throughput: 200 pieces, no delays, a frame and a write each"
_HEAD = ("server", "us CPU an event", "least .. most", "streams/s", "streams a CPU second", "events a stream",
         "reads a stream", "errors")  # fmt: skip
_NOTES = (
    "16 keep-alive connections ask again as soon as they are answered. The C server sends the very bytes of our plan. "
    "The journal is on. Ratios are taken round by round.",
    "aimock writes a whole zero-delay stream at once (one read a stream), so its row is no streaming by chunks.",
)
_PYTHON_PEERS = ("stubllm", "mockllm", "llmock")


def measure(bench: Bench) -> Figure:
    limit = servers.limit(frames(bench.scenarios, "flat"))
    loads = bench.flooded([limit, *bench.ours(), *(make() for make in peers.ALL)], "flat")
    best = max(_PYTHON_PEERS, key=lambda name: median([one.per_second for one in loads[name]]))
    lines: list[Line] = []
    for name in [name for name in loads if name.startswith("fakeserver") or name == "against"]:
        reach = (0.75, 2.5, 9.0) if name == "fakeserver" else (None, None, None)
        cost = ratios(loads["C limit"], loads[name], lambda one: one.cpu_an_event)
        lines.append(Line(f"CPU a chunk, C limit / {name}", cost, "x", reach[0], least=True))
        lines += against(loads, name, best, reach[1], " (best Python peer)")
        lines += against(loads, name, "llmock", reach[2])
    costs = {name: median([one.cpu_an_event for one in each]) for name, each in loads.items()}
    return Figure(TITLE, lines, [table_of(loads)], [Bars("CPU an event", "us", costs)], _NOTES)


def against(
    loads: dict[str, list[Load]], name: str, peer: str, target: float | None, remark: str = ""
) -> tuple[Line, Line]:
    """Streams a second, and the same by the server's own CPU time, which others on the machine do not distort."""
    speed = ratios(loads[name], loads[peer], lambda one: one.per_second)
    own = ratios(loads[name], loads[peer], lambda one: one.streams / one.cpu)
    return (
        Line(f"streams/s, {name} / {peer}{remark}", speed, "x", target, least=True),
        Line(f"streams a CPU second, {name} / {peer}{remark}", own, "x"),
    )


def table_of(loads: dict[str, list[Load]]) -> Table:
    rows: list[tuple[str, ...]] = []
    for name, each in loads.items():
        cost, low, high = spread([one.cpu_an_event for one in each])
        columns = (
            [one.per_second for one in each],
            [one.streams / one.cpu * 1e9 for one in each],
            [one.events / one.streams for one in each],
            [one.reads / one.streams for one in each],
        )
        middles = (shown(median(column)) for column in columns)
        errors = str(sum(one.errors for one in each))
        rows.append((name, shown(cost), f"{shown(low)} .. {shown(high)}", *middles, errors))
    return Table(_HEAD, rows)
