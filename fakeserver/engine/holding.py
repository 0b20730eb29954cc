"""What a stream has yet to play -> the same, stopped before each event while its session, or a hand, says so.

It must not know who releases. A stop is a gate like any other, with a name that no scenario can give. What is due
behind it counts from its release, so a stream that has been held for an hour goes on at its own pace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from fakeserver.plan.model import Action, Burst, End, Gate, Write

STOP = "*"


@dataclass(slots=True)
class Holding:
    """A session's. `size` is how many events its next step lets a stream go on by: read by each as it is let go."""

    on: bool = False
    size: int = 1


class Stops:
    """One stream's. `own` None goes by its session; `allowed` is how many events may pass before the next stop.

    A player takes an action long before its moment, so what it has taken is given out anew when a hand says otherwise.
    """

    def __init__(self, session: Holding) -> None:
        self.session = session
        self.own: bool | None = None
        self.allowed = 0
        self._source: Iterator[Write | Gate | End] | None = None
        self._taken: Write | Gate | End | None = None  # as it is in the plan
        self._anew = self._at_stop = False  # it has yet to be given out: again, or behind its stop
        self._inside, self._events = False, 0  # an event that an earlier write has begun; how many are whole
        self._base = 0  # what the plan's moments count from

    @property
    def on(self) -> bool:
        return self.session.on if self.own is None else self.own

    def over(self, taken: Action | None, rest: Iterable[Action], inside: bool, events: int) -> Iterator[Action]:
        """What the player has `taken` and not played, and the rest. `inside` an event there is no stop."""
        if self._source is None:
            self._source = _flat(rest if taken is None else chain((taken,), rest))
        elif taken is None:
            return self  # it waits at a gate: what comes behind is as it was
        else:
            self._anew, self._at_stop = True, False
        self._inside, self._events = inside, events
        return self

    def __iter__(self) -> Iterator[Action]:
        return self

    def __next__(self) -> Action:
        if self._at_stop and self._taken is not None:
            self._at_stop = False
            self._base = self._taken.due
            self.allowed = self.allowed or self.session.size
            return self._given(self._taken)
        action = self._next()
        if self._is_event(action) and self.on and not self.allowed:
            self._at_stop = True
            return Gate(max(0, action.due - self._base), STOP)
        return self._given(action)

    def _next(self) -> Write | Gate | End:
        if self._anew and self._taken is not None:
            self._anew = False
            return self._taken
        if isinstance(self._taken, Gate):
            self._base = 0
        assert self._source is not None
        self._taken = next(self._source)
        return self._taken

    def _is_event(self, action: Action) -> bool:
        return isinstance(action, Write) and action.part == "body" and not self._inside

    def _given(self, action: Write | Gate | End) -> Action:
        if isinstance(action, Write) and action.part == "body":
            if not self._inside and self.allowed:
                self.allowed -= 1
            self._inside, self._events = action.events <= self._events, max(self._events, action.events)
        return replace(action, due=max(0, action.due - self._base))


def _flat(actions: Iterable[Action]) -> Iterator[Write | Gate | End]:
    for action in actions:
        if isinstance(action, Burst):
            yield from action.writes
        else:
            yield action
