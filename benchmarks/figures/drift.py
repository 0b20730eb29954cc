"""A script of a minute: how far the last chunk is from where the first one and the script put it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks import peers
from benchmarks.bench import Bench
from benchmarks.clients import pace
from benchmarks.result import Bars, Figure, Line, Table, shown
from benchmarks.say import say
from benchmarks.servers import Server, ours
from benchmarks.stats import median

TITLE = "Drift at the end of a script of 20 ms steps"
STEP = 20_000_000
SETTLED = 50  # chunks
STREAMS = (100,)
_NOTE = (
    "From the arrival of the chunk after the first second to that of the last content chunk, at the client, less what "
    "the script says. The first second is left out: a plan is made when it is first asked for. "
    "mockllm has only a random lag, so it has no drift to measure. One run a cell, one server at a time."
)


def measure(bench: Bench) -> Figure:
    name, pieces = ("moment", 300) if bench.quick else ("minute", 3000)
    timed = (peers.aimock, peers.stubllm, peers.llmock)
    makers: list[Callable[[], Server]] = [
        partial(ours, bench.scenarios),
        *(partial(make, pieces, 20) for make in timed),
    ]
    lines: list[Line] = []
    rows: list[tuple[str, ...]] = []
    bars: dict[str, float] = {}
    for make in makers:
        with make() as server:
            peers.prepare(server, pieces)
            for streams in STREAMS:
                gone = _drifts(server, name, pieces, streams)
                middle, worst = median(gone), max(gone, key=abs)
                say(f"  {server.name}, {streams}: {middle:.2f} ms after {pieces * 0.02:.0f} s")
                if server.name == "fakeserver":
                    lines.append(Line(f"last chunk, {streams} streams, median", (abs(middle),), "ms", 1.0))
                    lines.append(Line(f"last chunk, {streams} streams, worst", (abs(worst),), "ms"))
                share = middle / (pieces * 20) * 100
                rows.append((server.name, str(streams), shown(middle), shown(worst), f"{share:.2f} %"))
                bars[f"{server.name}, {streams}"] = max(abs(middle), 0.001)
    head = ("server", "streams", "median ms", "worst ms", "of the script")
    return Figure(TITLE, lines, [Table(head, rows)], [Bars("Drift", "ms", bars)], (_NOTE,))


def _drifts(server: Server, name: str, pieces: int, streams: int) -> list[float]:
    """Milliseconds, a stream each. Every server is to send in equal steps."""
    arrived = pace(server, name, streams, 20_000 if streams > 1 else 0, pieces)
    whole = [times for times in arrived if len(times) >= pieces]
    return [(times[pieces - 1] - times[SETTLED] - (pieces - 1 - SETTLED) * STEP) / 1e6 for times in whole]
