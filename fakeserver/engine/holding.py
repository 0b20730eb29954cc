"""A plan -> the same plan, stopped before each event while its session says so: `hold` and `step`.

It must not know who releases. A stop is a gate like any other, with a name that no scenario can give. What is due
behind it counts from its release, so a stream that has been held for an hour goes on at its own pace.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fakeserver.plan.model import Action, Burst, End, Gate, Plan, Write

STOP = "*"


@dataclass(slots=True)
class Holding:
    """`size` is how many events the next step lets a stream go on by: read by each stream when it is let go."""

    on: bool = False
    size: int = 1


def stopping(plan: Plan, holding: Holding) -> Plan:
    """Events that the same step allows pass; once holding is off, all do."""
    return replace(plan, source=lambda: _stopped(plan, holding))


def _stopped(plan: Plan, holding: Holding) -> Iterator[Action]:
    base = events = allowed = 0
    inside = False  # of an event that an earlier write has begun
    for action in _flat(plan):
        if isinstance(action, Write) and action.part == "body":
            if not inside and holding.on:
                if not allowed:
                    yield Gate(action.due - base, STOP)
                    base, allowed = action.due, holding.size
                allowed -= 1
            inside, events = action.events <= events, max(events, action.events)
        yield replace(action, due=max(0, action.due - base))
        if isinstance(action, Gate):
            base = 0


def _flat(plan: Plan) -> Iterator[Write | Gate | End]:
    for action in plan:
        if isinstance(action, Burst):
            yield from action.writes
        else:
            yield action
