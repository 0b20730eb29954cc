"""Session ids -> what each test has of its own on a shared server: counters and gates. Made at first use, bounded.

It must not know requests, nor what is counted with its counters.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass, field

from fakeserver.play.gates import Gates

LIMIT = 1000


@dataclass(slots=True, eq=False)
class Session:
    """Counters count from 1. `playing` is how many of its answers are in flight."""

    name: str
    gates: Gates = field(default_factory=Gates)
    playing: int = 0
    _counts: Counter[str] = field(default_factory=Counter)

    def count(self, what: str) -> int:
        """One more of these; how many there are now."""
        self._counts[what] += 1
        return self._counts[what]


class Sessions:
    """The sessions in use, least recent first. Over the limit the oldest ones with nothing in flight are forgotten."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._held: OrderedDict[str, Session] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def get(self, name: str) -> Session:
        session = self._held.get(name)
        if session is None:
            session = self._held[name] = Session(name)
            self._make_room()
        self._held.move_to_end(name)
        return session

    def ended(self, name: str) -> None:
        """One of its answers is no longer in flight."""
        if name in self._held:
            self._held[name].playing -= 1

    def _make_room(self) -> None:
        spare = len(self._held) - self._limit
        if spare > 0:
            *older, _ = self._held.values()
            for session in [each for each in older if not each.playing][:spare]:
                del self._held[session.name]
