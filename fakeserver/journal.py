"""What a server was asked and what became of it -> records, append-only and bounded. All that reports reads these.

It must not know who plays, nor any clock: moments are given to it, within a record as nanoseconds since its request was
read. A record is the player's `Notes`; a client that goes away is an ending here and never an exception anywhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from fakeserver.match.facts import SECRETS
from fakeserver.match.unmatched import Unmatched
from fakeserver.plan.model import Plan
from fakeserver.play.lateness import Lateness
from fakeserver.play.notes import Ending

LIMIT = 10_000  # records of one session
OVERALL = 20_000  # records of all sessions
SIZE = 64 << 20  # bytes of all requests that are remembered
BODY_KEPT = 64 * 1024  # bytes of a request's body; its true size is kept beside them
_GATES_KEPT = 64
_IDLES_KEPT = 256

What = Literal["start", "gate", "pass", "end"]


@dataclass(frozen=True, slots=True)
class Asked:
    """The request as it is remembered: secrets out, the body bounded."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    body_size: int
    weight: int  # about how many bytes it takes to remember it

    @classmethod
    def of(cls, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Asked:
        shown = {name: "[redacted]" if name in SECRETS else value for name, value in headers.items()}
        weight = min(len(body), BODY_KEPT) + len(path) + sum(map(len, shown.values()))
        return cls(method, path, shown, body[:BODY_KEPT], len(body), weight)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which answer it got, and why. `scenario` is the selector as asked for; attempts count from 1, 0 is none."""

    why: str
    scenario: str = ""
    attempt: int = 0
    status: int | None = None
    unmatched: Unmatched | None = None  # why nothing was chosen
    retry_after: float | None = None  # seconds for which a failure asks the client to wait
    retry_dated: bool = False  # it was told as a date: they count from the request, not from the answer's end
    may_retry: bool | None = None  # what a failure's x-should-retry says


@dataclass(slots=True, eq=False)
class Record:
    """One request and its answer. `at` is when the request was read, in nanoseconds of the epoch of 1970."""

    number: int
    session: str
    at: int
    asked: Asked
    chosen: Chosen
    writes: int = 0
    bytes: int = 0
    events: int = 0
    end_marked_at: int | None = None  # when the end marker went out
    stalled: int = 0  # how long the answer waited for a reader that did not read
    lateness: Lateness = field(default_factory=Lateness)
    lockstep: str = ""  # "unavailable (why)" once the peer's reads could not be followed
    gates: list[tuple[str, int]] = field(default_factory=list)
    idles: list[tuple[int, int]] = field(default_factory=list)
    ending: Ending | None = None
    manual: bool = False  # time passed when told: moments within it are no real ones
    key: str = field(default="", repr=False)  # what the blanks of its plan are filled by
    replan: Callable[[], Plan] | None = field(default=None, repr=False)  # makes the plan that it is played from again
    _tell: Callable[[What, Record, str, int], None] = field(default=lambda *told: None, repr=False)

    def wrote(self, planned: int, actual: int, writes: int, size: int, events: int, marks_end: bool) -> None:
        self.writes += writes
        self.bytes += size
        self.events = max(self.events, events)
        if marks_end and self.end_marked_at is None:
            self.end_marked_at = actual
        self.lateness.add(planned, actual)

    def idled(self, at: int, size: int) -> None:
        self.writes += 1
        self.bytes += size
        if len(self.idles) < _IDLES_KEPT:
            self.idles.append((at, size))

    def waited(self, length: int) -> None:
        self.stalled += length

    def unlocked(self, reach: str) -> None:
        self.lockstep = f"unavailable ({reach})"

    def reached(self, gate: str, at: int) -> None:
        if len(self.gates) < _GATES_KEPT:
            self.gates.append((gate, at))
        self._tell("gate", self, gate, at)

    def passed(self, gate: str, at: int) -> None:
        self._tell("pass", self, gate, at)

    def ended(self, ending: Ending) -> None:
        self.ending = ending
        self._tell("end", self, "", ending.at)

    @property
    def script(self) -> Callable[[], Plan] | None:
        """Makes the plan again, where a scenario has answered."""
        return self.replan if self.chosen.scenario else None

    @property
    def end_marked(self) -> bool:
        return self.end_marked_at is not None

    @property
    def how(self) -> str:
        """How it ended, in words; "in flight" while it is played."""
        return "in flight" if self.ending is None else told(self.ending, self.events, self.bytes)

    def as_dict(self) -> dict[str, object]:
        """The record as JSON can carry it."""
        asked, chosen, late = self.asked, self.chosen, self.lateness
        return {
            "number": self.number,
            "session": self.session,
            "at": self.at,
            "request": {
                "method": asked.method,
                "path": asked.path,
                "headers": dict(asked.headers),
                "body": asked.body.decode("utf-8", "replace"),
                "body_size": asked.body_size,
            },
            "scenario": chosen.scenario,
            "attempt": chosen.attempt,
            "why": chosen.why,
            "status": chosen.status,
            "retry_after": chosen.retry_after,
            "unmatched": chosen.unmatched and chosen.unmatched.as_json(),
            "writes": self.writes,
            "bytes": self.bytes,
            "events": self.events,
            "end_marked_at": self.end_marked_at,
            "stalled_ns": self.stalled,
            "lockstep": self.lockstep or None,
            "lateness_ns": {"p50": late.percentile(0.5), "p99": late.percentile(0.99), "max": late.worst},
            "times_ns": [list(stamp) for stamp in late.stamps()],
            "gates": [{"gate": gate, "at": at} for gate, at in self.gates],
            "how": self.how,
            "ending": None if self.ending is None else _ending_dict(self.ending),
        }


Follower = Callable[[What, Record, str, int], None]  # what happened, to which record, at which gate, when


class Journal:
    """The last records of a server: so many of each session, so many of all, and so many bytes of them."""

    def __init__(self, limit: int = LIMIT, overall: int = OVERALL, size: int = SIZE) -> None:
        self._limit, self._overall, self._most = limit, max(limit, overall), size
        self._records: dict[int, Record] = {}  # by number, the oldest first
        self._logs: dict[str, _Log] = {}
        self._watchers: list[Callable[[Record], None]] = []
        self._followers: list[Follower] = []
        self._opened = 0
        self._size = 0
        self.dropped = 0  # how many records were let go to keep the limits

    def __iter__(self) -> Iterator[Record]:
        return iter(tuple(self._records.values()))

    def __len__(self) -> int:
        return len(self._records)

    def of(self, session: str) -> tuple[Record, ...]:
        """The records of one session, the oldest first."""
        log = self._logs.get(session)
        return () if log is None else tuple(self._records[n] for n in log.numbers if n in self._records)

    @property
    def last(self) -> int:
        """The newest record's number, kept or not."""
        return self._opened

    def get(self, number: int) -> Record | None:
        """The record of this number, while it is kept."""
        return self._records.get(number)

    def dropped_of(self, session: str) -> int:
        """How many of this session's records were let go to keep the limits."""
        return self._logs[session].dropped if session in self._logs else 0

    def open(self, session: str, at: int, asked: Asked, chosen: Chosen) -> Record:
        """A request has been read, and its answer is about to be played."""
        self._opened += 1
        record = Record(self._opened, session, at, asked, chosen, _tell=self._told)
        self._keep(record)
        for follower in self._followers:
            follower("start", record, "", 0)
        return record

    def forget(self, session: str) -> None:
        """A session begins anew or is no more: its records go, and are not counted as dropped."""
        log = self._logs.pop(session, None)
        for number in log.numbers if log else ():
            self._remove(number)

    def forget_plans(self, number: int, session: str | None = None) -> None:
        """Records up to this one hold on to nothing any more that their plans were made from."""
        for record in self if session is None else self.of(session):
            if record.number > number:
                break
            record.replan = None

    def watch(self, call: Callable[[Record], None]) -> Callable[[], None]:
        """Call with each record as it ends; the answer stops that."""
        self._watchers.append(call)
        return lambda: self._watchers.remove(call)

    def follow(self, call: Follower) -> None:
        """Call when a record begins, when its stream comes to a gate and passes it, and when it ends."""
        self._followers.append(call)

    def _keep(self, record: Record) -> None:
        log = self._logs.get(record.session)
        if log is None:
            log = self._logs[record.session] = _Log()
        log.numbers.append(record.number)
        self._records[record.number] = record
        self._size += record.asked.weight
        if len(log.numbers) > self._limit:
            self._drop(log.numbers[0])
        while (len(self._records) > self._overall or self._size > self._most) and len(self._records) > 1:
            self._drop(next(iter(self._records)))

    def _drop(self, number: int) -> None:
        """To keep a limit. The oldest of all is the oldest of its session too."""
        record = self._remove(number)
        if record is not None:
            log = self._logs[record.session]
            log.numbers.popleft()
            log.dropped += 1
            self.dropped += 1

    def _remove(self, number: int) -> Record | None:
        record = self._records.pop(number, None)
        if record is not None:
            self._size -= record.asked.weight
        return record

    def _told(self, what: What, record: Record, gate: str, at: int) -> None:
        for follower in self._followers:
            follower(what, record, gate, at)
        if what == "end":
            for watcher in tuple(self._watchers):
                watcher(record)


@dataclass(slots=True, eq=False)
class _Log:
    """One session's: the numbers of its records, and how many are no longer there."""

    numbers: deque[int] = field(default_factory=deque)
    dropped: int = 0


def told(ending: Ending, events: int, size: int) -> str:
    """An ending in words, after so many events and bytes."""
    if ending.how == "gone":
        return f"client gone after event {events}, byte {size}, by {ending.by}, at {_seconds(ending.at)}"
    if ending.how == "ended":
        return f"ended: {ending.kind}" + (f" ({ending.detail})" if ending.detail else "")
    if ending.how == "stopped":
        return f"stopped: {ending.detail}" if ending.detail else "server stopped"
    if ending.how == "broken":
        return f"broken: {ending.detail}"
    return f"complete ({ending.detail})" if ending.detail else "complete"


def _ending_dict(ending: Ending) -> dict[str, object]:
    told = ("how", "at", "kind", "by", "acked", "detail")
    return {name: getattr(ending, name) for name in told}


def _seconds(nanoseconds: int) -> str:
    return f"{nanoseconds / 1e9:.3f} s"
