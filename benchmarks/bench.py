"""What every figure is given: the scenarios, how long and how often, and which checkouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks import peers, servers
from benchmarks.clients import Load, load
from benchmarks.say import say
from benchmarks.servers import Server


@dataclass(frozen=True)
class Bench:
    """`against` is another checkout of this project that is measured beside this one."""

    scenarios: Path
    rounds: int
    seconds: float
    quick: bool = False
    against: Path | None = None

    def ours(self, *options: str) -> list[Server]:
        """This checkout, the other one if there is one, and this one on uvloop if it is installed."""
        out = [servers.ours(self.scenarios, *options)]
        if self.against is not None:
            out.append(servers.ours(self.scenarios, *options, tree=self.against, name="against"))
        if _has_uvloop():
            out.append(servers.ours(self.scenarios, *options, uvloop=True, name="fakeserver, uvloop"))
        return out

    def flooded(
        self, running: Sequence[Server], model: str, connections: int = 16, warm: float = 0.5
    ) -> dict[str, list[Load]]:
        """Every server's rounds, interleaved: one after the other, again and again."""
        loads: dict[str, list[Load]] = {server.name: [] for server in running}
        with ExitStack() as stack:
            for server in running:
                stack.enter_context(server)
                peers.prepare(server)
                load(server, model, warm, connections)  # its caches are filled, its code is warm
            for number in range(self.rounds):
                for server in running:
                    one = load(server, model, self.seconds, connections)
                    loads[server.name].append(one)
                    failed = f", {one.errors} errors" if one.errors else ""
                    say(
                        f"  {number + 1}/{self.rounds} {server.name}: {one.per_second:.0f} streams/s, "
                        f"{one.cpu / one.streams / 1000:.0f} us CPU a stream{failed}"
                    )
        return loads


def ratios(above: Sequence[Load], below: Sequence[Load], of: Callable[[Load], float]) -> tuple[float, ...]:
    """Round by round, so that what slows a whole round down is in both."""
    return tuple(of(one) / of(other) for one, other in zip(above, below))


def _has_uvloop() -> bool:
    from importlib.util import find_spec

    return find_spec("uvloop") is not None
