"""A clock that stands still until told, a transport in memory, notes that remember: the pump without a socket."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fakeserver.plan.model import Action, Idle, Plan
from fakeserver.play.clock import Schedule, Ticket
from fakeserver.play.gates import Gates
from fakeserver.play.notes import Ending
from fakeserver.play.peer import Peer
from fakeserver.play.player import Player
from fakeserver.play.stage import Stage

MS = 1_000_000


class StillClock:
    """Passes only by `advance`, and stops at each moment that someone waits for."""

    def __init__(self, begin: int = 1000 * MS) -> None:
        self.time = begin
        self.schedule = Schedule()
        self.turns: deque[Callable[[], None]] = deque()
        self.looks = 0

    def now(self) -> int:
        return self.time

    def at(self, due: int, call: Callable[[], None], exact: bool = False) -> Ticket:
        return self.schedule.add(due, call)

    def cancel(self, ticket: Ticket) -> None:
        self.schedule.cancel(ticket)

    def soon(self, call: Callable[[], None]) -> None:
        self.turns.append(call)

    def run_due(self) -> None:
        self.looks += 1
        while call := self.schedule.pop_due(self.time):
            call()

    def turn(self) -> None:
        """One turn of the loop."""
        for _ in range(len(self.turns)):
            self.turns.popleft()()

    def settle(self) -> None:
        while self.turns:
            self.turn()

    def advance(self, length: int) -> None:
        self.settle()
        end = self.time + length
        while (due := self.schedule.next_due) is not None and due <= end:
            self.time = max(self.time, due)
            self.run_due()
            self.settle()
        self.time = end


class MemoryTransport(asyncio.Transport):
    def __init__(self, clock: StillClock) -> None:
        super().__init__()
        self.clock = clock
        self.said: list[tuple[int, bytes]] = []
        self.state = "open"
        self.on_write: Callable[[], None] = lambda: None

    def write(self, data: Any) -> None:
        assert self.state == "open", "a write to a transport that is closing: asyncio logs a warning for it"
        self.said.append((self.clock.time, bytes(data)))
        self.on_write()

    def is_closing(self) -> bool:
        return self.state != "open"

    def close(self) -> None:
        self.state = "closed"

    def abort(self) -> None:
        self.state = "aborted"

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def get_write_buffer_size(self) -> int:
        return 0


@dataclass
class Remembered:
    """Notes: each call a tuple."""

    writes: list[tuple[int, int, int, int, int, bool]] = field(default_factory=list)
    idles: list[tuple[int, int]] = field(default_factory=list)
    stalled: int = 0
    gates: list[tuple[str, int]] = field(default_factory=list)
    passes: list[tuple[str, int]] = field(default_factory=list)
    endings: list[Ending] = field(default_factory=list)

    def wrote(self, *told: Any) -> None:
        self.writes.append(told)  # type: ignore[arg-type]

    def unlocked(self, reach: str) -> None:
        self.calls.append(("unlocked", reach))

    def idled(self, at: int, size: int) -> None:
        self.idles.append((at, size))

    def waited(self, length: int) -> None:
        self.stalled += length

    def reached(self, gate: str, at: int) -> None:
        self.gates.append((gate, at))

    def passed(self, gate: str, at: int) -> None:
        self.passes.append((gate, at))

    def ended(self, ending: Ending) -> None:
        self.endings.append(ending)


class Show:
    """One plan played in memory. Moments in `said` are milliseconds since the request was read."""

    def __init__(
        self,
        *actions: Action,
        speed: float | None = 1.0,
        idle: Idle | None = None,
        clock: StillClock | None = None,
        gates: Gates | None = None,
        values: Sequence[bytes] = (),
        plan: Plan | None = None,
        paused: bool = False,
    ) -> None:
        self.clock = clock or StillClock()
        self.gates = gates or Gates()
        self.transport = MemoryTransport(self.clock)
        self.notes = Remembered()
        self.over: list[bool] = []
        self.began = self.clock.time
        stage = Stage(self.transport, self.clock, self.gates, self.notes, Peer(None), speed)
        plan = plan or Plan(actions, idle=idle)
        self.player = Player(plan, values, stage, self.began, self.over.append, paused)

    def start(self) -> Show:
        self.player.start()
        return self

    @property
    def said(self) -> list[tuple[float, bytes]]:
        return [((at - self.began) / MS, data) for at, data in self.transport.said]

    @property
    def bytes(self) -> bytes:
        return b"".join(data for _, data in self.transport.said)

    @property
    def how(self) -> str:
        return self.notes.endings[-1].how if self.notes.endings else "in flight"
