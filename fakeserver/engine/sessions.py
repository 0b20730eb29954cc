"""Session ids -> what each test has of its own on a shared server. Made at first use, bounded, forgotten when idle.

A Session is one generation: what is in flight holds on to the Session that it began in, and a reset puts a new one in
its place, so nothing of the old one can be seen in the new one. It must not know requests, nor what is counted.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING

from fakeserver.engine.holding import Holding
from fakeserver.engine.queue import Queue
from fakeserver.match.route import DEFAULT_SESSION
from fakeserver.play.gates import Gates
from fakeserver.play.manual import ManualClock
from fakeserver.play.watchers import Untell, Watchers

if TYPE_CHECKING:
    from fakeserver.engine.answer import Answer
    from fakeserver.engine.repertoire import Own

LIMIT = 1000
IDLE = 3600 * 10**9  # a session that nobody has used for so long is forgotten


@dataclass(slots=True, eq=False)
class Session:
    """Counters count from 1. `playing` has its answers in flight, by record."""

    name: str
    generation: int = 1
    used: int = 0  # when a request or a test last named it
    gates: Gates = field(default_factory=Gates)
    queue: Queue = field(default_factory=Queue)
    holding: Holding = field(default_factory=Holding)
    clock: ManualClock | None = None  # None: the server's, which is the real time
    speed: float | None = 0.0  # 0: the server's
    dialect: str = ""  # which its answers speak in the place of their scenarios' own, if one
    own: Own | None = None
    reading: int = 0  # requests whose bodies are on their way
    playing: dict[int, Answer] = field(default_factory=dict)
    over: bool = False
    _counts: Counter[str] = field(default_factory=Counter)
    _waiting: Watchers = field(default_factory=Watchers)

    def count(self, what: str) -> int:
        """One more of these; how many there are now."""
        self._counts[what] += 1
        return self._counts[what]

    @property
    def counts(self) -> dict[str, int]:
        return dict(self._counts)

    @property
    def idle(self) -> bool:
        """Nothing is in flight."""
        return not (self.playing or self.reading)

    def when_idle(self, call: Callable[[], None]) -> Untell:
        """Call once, when next nothing is in flight."""
        return self._waiting.add(call)

    def begun(self) -> None:
        """The head of a request is there; its body may be on its way."""
        self.reading += 1

    def read(self) -> None:
        """The body is there too, or will never be."""
        self.reading -= 1
        self._look()

    def ended(self, number: int) -> None:
        """One of its answers is no longer in flight."""
        self.playing.pop(number, None)
        self._look()

    def end(self) -> None:
        """This generation is over: end what is in flight."""
        self.over = True
        for answer in list(self.playing.values()):
            answer.stop()
        self.gates.close()
        self._waiting.tell()

    def _look(self) -> None:
        if self._waiting and self.idle:
            self._waiting.tell()


class Sessions:
    """The sessions in use, least recent first. Over the limit the oldest ones with nothing in flight are forgotten."""

    def __init__(self, limit: int = LIMIT, forget: Callable[[str], None] = lambda name: None) -> None:
        """`forget` is called with the name of each session that goes."""
        self._limit, self._forget = limit, forget
        self._held: OrderedDict[str, Session] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[Session]:
        return iter(tuple(self._held.values()))

    def __contains__(self, name: str) -> bool:
        return name in self._held

    def get(self, name: str, now: int = 0) -> Session:
        """`now` in nanoseconds since 1970."""
        session = self._held.get(name)
        if session is None:
            session = self._held[name] = Session(name, used=now)
            self._make_room(now)
        session.used = max(session.used, now)
        self._held.move_to_end(name)
        return session

    def renew(self, name: str, now: int) -> Session:
        """End this generation, and begin the next."""
        old = self._held.get(name)
        if old is None:
            return self.get(name, now)
        old.end()
        self._forget(name)
        new = self._held[name] = Session(name, old.generation + 1, now)
        self._held.move_to_end(name)
        return new

    def drop(self, name: str) -> bool:
        """End it and forget it; whether there was one."""
        session = self._held.pop(name, None)
        if session is not None:
            session.end()
            self._forget(name)
        return session is not None

    def tidy(self, now: int) -> None:
        """Forget those that nobody has used for long."""
        old = takewhile(lambda session: session.used <= now - IDLE, self._held.values())
        for session in list(old):
            if session.idle and session.name != DEFAULT_SESSION:  # what a person has set up at the desk stays
                self.drop(session.name)

    def _make_room(self, now: int) -> None:
        self.tidy(now)
        spare = len(self._held) - self._limit
        if spare > 0:
            *older, _ = self._held.values()
            for session in [each for each in older if each.idle][:spare]:
                self.drop(session.name)
