"""What happens -> events with numbers, the last ones kept, so that a listener that was away can go on where it was.

It must not know how events are sent. An event holds no request's body: what is kept here is small.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fakeserver.journal import Record, What
from fakeserver.play.watchers import Untell, Watchers

KEPT = 2000


@dataclass(frozen=True, slots=True)
class Event:
    """`told` is what JSON can carry, or makes it: most events are never read."""

    number: int
    kind: str
    session: str
    told: Mapping[str, object] | Callable[[], dict[str, object]]

    def as_dict(self) -> dict[str, object]:
        told = self.told() if callable(self.told) else self.told
        return {"session": self.session, **told}


class Feed:
    """The last events of a server, and who wants to hear of the next."""

    def __init__(self, kept: int = KEPT) -> None:
        self._events: deque[Event] = deque(maxlen=kept)
        self._waiting = Watchers()
        self.last = 0  # the newest event's number

    def since(self, number: int) -> list[Event]:
        """The events after this number that are still kept, the oldest first."""
        first = self.last - len(self._events)
        skipped = max(0, number - first)
        return [event for place, event in enumerate(self._events) if place >= skipped]

    def lost(self, number: int) -> int:
        """How many events after this number are no longer kept."""
        return max(0, self.last - len(self._events) - number)

    def when_told(self, call: Callable[[], None]) -> Untell:
        """Call once, at the next event."""
        return self._waiting.add(call)

    def tell(self, kind: str, session: str, told: Mapping[str, object] | Callable[[], dict[str, object]]) -> None:
        self.last += 1
        self._events.append(Event(self.last, kind, session, told))
        if self._waiting:
            self._waiting.tell()

    def follow(self, what: What, record: Record, gate: str, at: int) -> None:
        """What the journal tells: a request begins, its stream comes to a gate, it ends."""
        if what == "start":
            self.tell(what, record.session, _Start(record))
        elif what == "gate":
            self.tell(what, record.session, {"number": record.number, "gate": gate, "at": at})
        else:
            self.tell(what, record.session, _End(record))


class _Start:
    """The small facts of a record, made into words when they are asked for."""

    __slots__ = ("_at", "_chosen", "_method", "_number", "_path")

    def __init__(self, record: Record) -> None:
        self._number, self._at, self._chosen = record.number, record.at, record.chosen
        self._method, self._path = record.asked.method, record.asked.path

    def __call__(self) -> dict[str, object]:
        chosen = self._chosen
        return {
            "number": self._number, "at": self._at, "method": self._method, "path": self._path,
            "scenario": chosen.scenario, "attempt": chosen.attempt, "why": chosen.why, "status": chosen.status,
            "unmatched": chosen.unmatched is not None,
        }  # fmt: skip


class _End:
    """The same of an ending."""

    __slots__ = ("_bytes", "_ending", "_events", "_number")

    def __init__(self, record: Record) -> None:
        self._number, self._bytes, self._events = record.number, record.bytes, record.events
        self._ending = record.ending

    def __call__(self) -> dict[str, object]:
        ended = self._ending
        return {
            "number": self._number, "ended": ended and ended.how, "end": ended and ended.kind,
            "by": (ended and ended.by) or None, "at": ended and ended.at, "events": self._events, "bytes": self._bytes,
        }  # fmt: skip
