"""An answer: its plan, what else is needed to play it, and what a hand can do with it while it is in flight.

It must not know how it was found, nor players: a stream is what can be held, let go and ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from fakeserver.engine.holding import STOP, Holding, Stops
from fakeserver.journal import Record
from fakeserver.plan.model import Action, Plan
from fakeserver.play.gates import Gates, Onward
from fakeserver.play.manual import ManualClock

Stop = Callable[[], None]


class Stream(Protocol):
    """The answer as it is played."""

    @property
    def gate(self) -> str | None: ...

    def let_go(self) -> None: ...

    def amend(self, change: Callable[[Action | None, Iterator[Action], bool], Iterator[Action]]) -> None: ...

    def leave(self, onward: Onward) -> None: ...


@dataclass(slots=True, eq=False)
class Answer:
    """`clock` None: the server's. `holding` is its session's."""

    plan: Plan
    values: tuple[bytes, ...]
    record: Record
    gates: Gates
    speed: float | None
    clock: ManualClock | None
    holding: Holding
    _stop: Stop | None = None
    _stream: Stream | None = None
    _stops: Stops | None = None

    def plays(self, stop: Stop, stream: Stream) -> None:
        """It is on its way; `stop` ends it before its end, as nothing of the answer would."""
        self._stop, self._stream = stop, stream
        if self.holding.on:
            self._stops = Stops(self.holding)
            self.look_again()

    def stop(self) -> None:
        if self._stop is not None:
            self._stop()

    @property
    def gate(self) -> str | None:
        """The gate at which it waits now."""
        return self._stream.gate if self._stream else None

    @property
    def held(self) -> bool:
        """Whether it stops before its next event, or the one after those that a step has allowed."""
        return self._stops is not None and self._stops.on

    def hold(self, on: bool) -> None:
        """Stop before the next event; or go on to the end, whatever the session says."""
        stops = self._stops = self._stops or Stops(self.holding)
        stops.own, stops.allowed = on, 0
        self.look_again()
        if not on:
            self._let_go()

    def step(self, events: int) -> None:
        """Go on by so many events, and stop then."""
        stops = self._stops = self._stops or Stops(self.holding)
        if not stops.on:
            stops.own = True
        stops.allowed = events
        self.look_again()
        self._let_go()

    def look_again(self) -> None:
        """Whether it is held may be another. A stream that nobody has ever held pays nothing for all this."""
        stops, events = self._stops, self.record.events
        if stops is not None and self._stream is not None:
            self._stream.amend(lambda taken, rest, inside: stops.over(taken, rest, inside, events))

    def end(self, onward: Onward) -> None:
        """End it in this way now, wherever it is."""
        if self._stream is not None:
            self._stream.leave(onward)

    def _let_go(self) -> None:
        if self._stream is not None and self._stream.gate == STOP:
            self._stream.let_go()
