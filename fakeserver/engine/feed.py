"""What happens -> events with numbers, the last ones kept, so that a listener that was away can go on where it was.

It must not know how events are sent. An event holds no request's body: what is kept here is small.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from fakeserver.journal import Chosen, Record, What, told
from fakeserver.play.lateness import Lateness
from fakeserver.play.notes import Ending
from fakeserver.play.watchers import Untell, Watchers

KEPT = 10_000


@dataclass(slots=True, eq=False)
class Event:
    """`facts` are few and small, and become words only when they are asked for: most events are never read."""

    number: int
    kind: str
    session: str
    facts: Any
    told: Callable[[Any], Mapping[str, object]]

    def as_dict(self) -> dict[str, object]:
        return {"session": self.session, **self.told(self.facts)}


class Feed:
    """The last events of a server, and who wants to hear of the next."""

    def __init__(self, kept: int = KEPT) -> None:
        self._events: deque[Event] = deque(maxlen=kept)
        self._waiting = Watchers()
        self.last = 0  # the newest event's number

    def since(self, number: int) -> list[Event]:
        """The events after this number that are still kept, the oldest first."""
        return list(islice(reversed(self._events), max(0, self.last - number)))[::-1]

    def lost(self, number: int) -> int:
        """How many events after this number are no longer kept."""
        return max(0, self.last - len(self._events) - number)

    def when_told(self, call: Callable[[], None]) -> Untell:
        """Call once, at the next event."""
        return self._waiting.add(call)

    def tell(self, kind: str, session: str, facts: Any, told: Callable[[Any], Mapping[str, object]] = dict) -> None:
        self.last += 1
        self._events.append(Event(self.last, kind, session, facts, told))
        if self._waiting:
            self._waiting.tell()

    def follow(self, what: What, record: Record, gate: str, at: int) -> None:
        """What the journal tells: a request begins, its stream comes to a gate and passes it, it ends."""
        if what == "start":
            asked = record.asked
            self.tell(what, record.session, (record.number, record.at, asked.method, asked.path, record.chosen), _start)
        elif what != "end":
            self.tell(what, record.session, {"number": record.number, "gate": gate, "at": at})
        else:
            self.tell(
                what, record.session, (record.number, record.ending, record.events, record.bytes, record.lateness), _end
            )


def _start(facts: tuple[int, int, str, str, Chosen]) -> dict[str, object]:
    number, at, method, path, chosen = facts
    return {
        "number": number, "at": at, "method": method, "path": path, "scenario": chosen.scenario,
        "attempt": chosen.attempt, "why": chosen.why, "status": chosen.status,
        "unmatched": chosen.unmatched is not None,
    }  # fmt: skip


def _end(facts: tuple[int, Ending, int, int, Lateness]) -> dict[str, object]:
    number, ending, events, size, late = facts
    return {"number": number, "at": ending.at, **ended(ending, events, size, late)}


def as_row(record: Record) -> dict[str, object]:
    """A record in short: what its `start` and its `end` tell, as far as it has come."""
    asked = record.asked
    begun = _start((record.number, record.at, asked.method, asked.path, record.chosen))
    return {"session": record.session, **begun, **ended(record.ending, record.events, record.bytes, record.lateness)}


def ended(ending: Ending | None, events: int, size: int, late: Lateness) -> dict[str, object]:
    """How it ended and in which time; how far it has come while it is in flight."""
    return {
        "how": told(ending, events, size) if ending else "in flight",
        "ended": ending.how if ending else "in flight",
        "end": ending.kind if ending else None,
        "by": (ending.by or None) if ending else None,
        "events": events,
        "bytes": size,
        "took_ns": ending.at if ending else None,
        "lateness_p99_ns": late.percentile(0.99),
    }
