"""Timed streams against a server that tells how late its writes were: one measurement, as values."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks import servers
from benchmarks.bench import Bench
from benchmarks.clients import pace
from benchmarks.scenes import moments
from benchmarks.servers import Server
from benchmarks.stats import percentile


@dataclass(frozen=True)
class Late:
    """Milliseconds, at the server; `seen` is the p99 of the arrivals at the client, `sample` a thinned-out curve."""

    p50: float
    p99: float
    p999: float
    max: float
    count: int
    sample: tuple[float, ...]
    seen: float

    def __str__(self) -> str:
        return f"p50 {self.p50:.3f}, p99 {self.p99:.3f}, max {self.max:.3f} ms ({self.count} writes)"


def late(bench: Bench, server: Server, name: str, streams: int, spread_us: int, which: str = "all") -> Late:
    """So many streams of one scenario, asked for over `spread_us`; `which` is "all" or "steady" (see inside.py)."""
    due = moments(bench.scenarios, name)
    arrived = pace(server, name, streams, spread_us, len(due))
    seen = [at - when for stream in arrived for at, when in zip(stream, due)]
    told = server.ask(f"{which} {name}")
    return Late(
        told["p50"] / 1e6,
        told["p99"] / 1e6,
        told["p999"] / 1e6,
        told["max"] / 1e6,
        told["count"],
        tuple(max(value / 1e6, 0.001) for value in told["sample"]),
        percentile(seen, 0.99) / 1e6,
    )


def watched(bench: Bench) -> list[Server]:
    """This checkout and the other one, if there is one."""
    out = [servers.watched(bench.scenarios)]
    if bench.against is not None:
        out.append(servers.watched(bench.scenarios, tree=bench.against, name="against"))
    return out
