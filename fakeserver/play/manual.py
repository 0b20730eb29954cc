"""A time that passes only when it is told to: the clock of one session whose test says `advance`.

It must not know streams. Each callback runs at its own moment of this time, so a stall of 30 seconds takes none, and
what a record says of planned and actual moments is exact. Waiting for a peer (delivery, a slow reader) is no waiting
for this clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from fakeserver.play.clock import Schedule, Ticket
from fakeserver.play.watchers import Untell, Watchers

_TURN = 64  # moments in one turn of the loop: an hour of keep-alives must not hold the server up


class ManualClock:
    """Nanoseconds since it was made."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._schedule = Schedule()
        self._time = 0
        self._coming = 0  # callbacks that the loop's next turns will run
        self._parked: list[asyncio.Future[None]] = []
        self._one_by_one = asyncio.Lock()
        self._watching = Watchers()

    def now(self) -> int:
        return self._time

    @property
    def waiting(self) -> int:
        """How many callbacks wait for a moment that has not come."""
        return len(self._schedule)

    def at(self, due: int, call: Callable[[], None], exact: bool = False) -> Ticket:
        ticket = self._schedule.add(due, call)
        self._watching.tell()
        return ticket

    def cancel(self, ticket: Ticket) -> None:
        self._schedule.cancel(ticket)

    def soon(self, call: Callable[[], None]) -> None:
        self._coming += 1
        self._loop.call_soon(partial(self._turn, call))

    def run_due(self) -> None:
        while (call := self._schedule.pop_due(self._time)) is not None:
            call()

    def when_waiting(self, call: Callable[[], None]) -> Untell:
        """Call once, when something next begins to wait for a moment."""
        return self._watching.add(call)

    async def advance(self, length: int) -> int:
        """Let so much time pass, moment by moment; the new time, once everyone waits again or is over."""
        async with self._one_by_one:
            end = self._time + length
            await self._settled()
            steps = 0
            while (due := self._schedule.next_due) is not None and due <= end:
                self._time = max(self._time, due)
                self.run_due()
                await self._settled()
                steps += 1
                if not steps % _TURN:
                    await asyncio.sleep(0)
            self._time = end
            return end

    async def _settled(self) -> None:
        """Return when no callback is on its way."""
        while self._coming:
            parked = self._loop.create_future()
            self._parked.append(parked)
            await parked

    def _turn(self, call: Callable[[], None]) -> None:
        try:
            call()
        finally:
            self._coming -= 1
            if not self._coming:
                self._settle()

    def _settle(self) -> None:
        parked, self._parked = self._parked, []
        for each in parked:
            if not each.done():  # whoever asked has gone
                each.set_result(None)
