"""Moments and callbacks -> each callback at its moment: the one scheduler of all streams of a server.

It must not know what the callbacks do. Moments are nanoseconds of `now()`. Two callbacks of one moment run in the order
in which they were given. A callback that is late moves no other: each waits for a moment, none for a delay.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from heapq import heapify, heappop, heappush
from typing import Protocol

from fakeserver.play.timer import best_timer

LEAD = 300_000  # a timer fires up to 0.25 ms late on a virtual machine: what is exact begins to wait this much early
_FEW = 64  # so many cancelled entries may lie in the heap before anyone looks at their share


class Ticket:
    """A callback that waits for its moment; `Schedule.cancel` takes it back."""

    __slots__ = ("call",)

    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call


class Clock(Protocol):
    """What a player needs: the time, a call at a moment, a call in the next turn, and a look at what is due."""

    def now(self) -> int: ...

    def at(self, due: int, call: Callable[[], None], exact: bool = False) -> Ticket: ...

    def cancel(self, ticket: Ticket) -> None: ...

    def soon(self, call: Callable[[], None]) -> None: ...

    def run_due(self) -> None: ...


class Schedule:
    """The heap of (due, sequence): who waits for which moment. Knows no loop, so that a manual clock can own one."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Ticket]] = []
        self._sequence = 0
        self._cancelled = 0

    def __len__(self) -> int:
        return len(self._heap) - self._cancelled

    @property
    def next_due(self) -> int | None:
        return self._heap[0][0] if self._heap else None

    def add(self, due: int, call: Callable[[], None]) -> Ticket:
        ticket = Ticket(call)
        self._sequence += 1
        heappush(self._heap, (due, self._sequence, ticket))
        return ticket

    def cancel(self, ticket: Ticket) -> None:
        if ticket.call is None:
            return
        ticket.call = None
        self._cancelled += 1
        # A client that leaves in an hour's silence must not be remembered for an hour.
        if self._cancelled > _FEW and self._cancelled * 2 > len(self._heap):
            self._heap = [entry for entry in self._heap if entry[2].call is not None]
            heapify(self._heap)
            self._cancelled = 0

    def pop_due(self, now: int) -> Callable[[], None] | None:
        """The next callback whose moment has come, taken off the heap."""
        while self._heap and self._heap[0][0] <= now:
            ticket = heappop(self._heap)[2]
            if ticket.call is not None:
                call, ticket.call = ticket.call, None
                return call
            self._cancelled -= 1
        return None


class WallClock:
    """The real time: time.monotonic_ns, and one kernel timer armed for the earliest moment."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._schedule = Schedule()
        self._timer = best_timer(loop, self._wake, time.monotonic_ns)
        self._armed: int | None = None
        self._running = False
        self.now = time.monotonic_ns

    def at(self, due: int, call: Callable[[], None], exact: bool = False) -> Ticket:
        """`exact`: to the microsecond, by a busy wait before the moment, during which nothing else runs."""
        if exact:
            due, call = due - LEAD, partial(self._spin, due, call)
        ticket = self._schedule.add(due, call)
        if not self._running and (self._armed is None or due < self._armed):
            self._arm(due)
        return ticket

    def cancel(self, ticket: Ticket) -> None:
        self._schedule.cancel(ticket)

    def soon(self, call: Callable[[], None]) -> None:
        self._loop.call_soon(call)

    def run_due(self) -> None:
        """Whatever is due, now: asked between the writes of a flood too, so that a flood holds no timed stream up.

        A callback that asks again from inside finds the outer call at work and goes on, so the stack stays flat.
        """
        due = self._schedule.next_due
        if due is None or self._running or due > self.now():
            return
        self._running = True
        try:
            while (call := self._schedule.pop_due(self.now())) is not None:
                call()
        finally:
            self._running = False
            self._rearm()

    def _spin(self, due: int, call: Callable[[], None]) -> None:
        while self.now() < due:
            pass
        call()

    def close(self) -> None:
        self._timer.close()

    def _wake(self) -> None:
        self._armed = None
        self.run_due()
        if self._armed is None:
            self._rearm()  # uvloop's timers fire early: nothing was due yet

    def _rearm(self) -> None:
        due = self._schedule.next_due
        if due is not None and due != self._armed:
            self._arm(due)

    def _arm(self, due: int) -> None:
        self._armed = due
        self._timer.arm(due)
