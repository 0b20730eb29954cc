"""What a finished answer is: the head, the writes and gates with their moments, and one end.

A plan is a value. It can be printed, compared, counted, kept as a golden file and played any number of times.
It must not know who plays it, nor when: every moment is whole nanoseconds after its epoch, and the epoch is the
instant at which the request had been read or, behind a gate, the instant at which that gate was released.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

Part = Literal["head", "body", "socket", "idle"]
EndKind = Literal["end", "close", "reset", "reset-now", "hang"]

HELD = 4096  # a plan of more writes than this keeps its recipe instead of them
TAPED = 16 << 20  # bytes: actions of so many at most are kept after all, once the recipe is followed a second time
_WRITE = 200  # bytes that a write takes beside its own


@dataclass(frozen=True, slots=True)
class Blank:
    """A value that differs in each request and whose length does not: filled in when the plan is played.

    `kind` is "id" (the stream's, in the dialect's `form`), "request-id", or "time" (`offset` nanoseconds after the
    request was read, written `form`: "http-date", "epoch" or "epoch-ms").
    """

    kind: Literal["id", "request-id", "time"]
    size: int
    offset: int = 0
    form: str = ""


@dataclass(frozen=True, slots=True)
class Hole:
    """Bytes `at`.. of a write are bytes `start`..`stop` of the value of blank number `blank`."""

    at: int
    blank: int
    start: int
    stop: int


def _filled(data: bytes, holes: Iterable[Hole], values: Sequence[bytes]) -> bytes:
    out = bytearray(data)
    for hole in holes:
        out[hole.at : hole.at + hole.stop - hole.start] = values[hole.blank][hole.start : hole.stop]
    return bytes(out)


def _around(data: bytes, holes: Sequence[Hole], values: Sequence[bytes]) -> tuple[bytes, ...]:
    """What stands around the holes, if each is for the whole value of the same blank; else nothing."""
    blank = holes[0].blank
    if any((hole.blank, hole.start, hole.stop) != (blank, 0, len(values[blank])) for hole in holes):
        return ()
    edges = [0, *(edge for hole in holes for edge in (hole.at, hole.at + hole.stop)), len(data)]
    return tuple(data[start:stop] for start, stop in zip(edges[::2], edges[1::2]))


@dataclass(frozen=True, slots=True)
class Write:
    """One call of the transport's write.

    `due` counts from the epoch. `gap` is not 0 for a piece of a cut: the time since the piece before, which is kept
    even where all other waiting is switched off. `events` is how many events of the stream are whole once this is
    written (0: none yet). `marks_end` says that the end marker has gone out: a peer that leaves from here on has not
    cancelled. `part` "idle" is a keep-alive: it is skipped where waiting is switched off. `lockstep`: the next write
    waits until the peer has read this one, where the kernel can tell.
    """

    due: int
    data: bytes
    part: Part = "body"
    holes: tuple[Hole, ...] = ()
    gap: int = 0
    events: int = 0
    marks_end: bool = False
    lockstep: bool = False
    _around: tuple[bytes, ...] | None = field(default=None, init=False, repr=False, compare=False)  # see `said`

    def said(self, values: Sequence[bytes]) -> bytes:
        """The bytes alone, filled: asked for each write that is played, so the common case is one join."""
        if not self.holes:
            return self.data
        if self._around is None:  # the first time that this write is played
            object.__setattr__(self, "_around", _around(self.data, self.holes, values))
        if self._around:
            return values[self.holes[0].blank].join(self._around)
        return _filled(self.data, self.holes, values)

    def filled(self, values: Sequence[bytes]) -> Write:
        if not self.holes:
            return self
        return replace(self, data=_filled(self.data, self.holes, values), holes=())


@dataclass(frozen=True, slots=True)
class Burst:
    """Writes that are due at one moment: each its own call of write, with nothing between them."""

    due: int
    writes: tuple[Write, ...]
    kept: object = field(default=None, init=False, repr=False, compare=False)  # a player's, for the next time

    def filled(self, values: Sequence[bytes]) -> Burst:
        if not any(write.holes for write in self.writes):
            return self
        return Burst(self.due, tuple(write.filled(values) for write in self.writes))


@dataclass(frozen=True, slots=True)
class Gate:
    """Holds everything that follows until the gate of this name is released; moments count anew from there."""

    due: int
    name: str


@dataclass(frozen=True, slots=True)
class End:
    """How the answer ends, always the last action and the only one of its kind.

    end: `data` (the framing's terminator, maybe empty) is written, and the connection stays open if `keep_alive`, else
    FIN. close: FIN. reset: RST once the peer has every byte. reset-now: RST at once. hang: silence for good.
    """

    due: int
    kind: EndKind
    data: bytes = b""
    keep_alive: bool = True


@dataclass(frozen=True, slots=True)
class Idle:
    """What to say into silences whose length no plan can know (at gates, after hang): `data` each `every` ns."""

    every: int
    data: bytes
    holes: tuple[Hole, ...] = ()

    def filled(self, values: Sequence[bytes]) -> Idle:
        return Idle(self.every, _filled(self.data, self.holes, values)) if self.holes else self


Action = Write | Burst | Gate | End


class Recipe:
    """Makes the actions of a plan anew each time, while they are played.

    What is asked for again is kept, if it is not too long. The first time that it is followed to its end it is
    measured; the next time its actions are taped as they go by. So what is played once, or is long, takes no memory.
    """

    def __init__(self, make: Callable[[], Iterator[Action]]) -> None:
        self._make = make
        self._short = False
        self._tape: tuple[Action, ...] | None = None

    def __call__(self) -> Iterator[Action]:
        if self._tape is not None:
            return iter(self._tape)
        return self._taped() if self._short else self._measured()

    def _measured(self) -> Iterator[Action]:
        weight = 0
        for action in self._make():
            weight += _weight(action)
            if isinstance(action, End):  # the last one: whoever plays does not ask for more
                self._short = weight <= TAPED
            yield action

    def _taped(self) -> Iterator[Action]:
        tape: list[Action] = []
        for action in self._make():
            tape.append(action)
            if isinstance(action, End):
                self._tape = tuple(tape)
            yield action


def _weight(action: Action) -> int:
    """About how many bytes of memory an action takes."""
    return sum(_WRITE + len(write.data) for write in _writes(action)) if isinstance(action, Write | Burst) else _WRITE


def size(action: Action) -> int:
    """How many writes it holds, at least 1."""
    return len(action.writes) if isinstance(action, Burst) else 1


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole answer. `source` holds the actions, or makes them anew each time it is called."""

    source: tuple[Action, ...] | Callable[[], Iterator[Action]]
    status: int | None = 200
    blanks: tuple[Blank, ...] = ()
    idle: Idle | None = None
    sndbuf: int | None = None  # bytes of the socket's send buffer, where they are scripted
    spin: bool = False  # moments are kept to the microsecond, by busy waiting

    def __iter__(self) -> Iterator[Action]:
        return iter(self.source if isinstance(self.source, tuple) else self.source())

    @classmethod
    def of(cls, recipe: Callable[[], Iterator[Action]], **rest: object) -> Plan:
        """The same plan, held as a tuple where it is short and as its recipe where it is not."""
        held: list[Action] = []
        left = HELD
        for action in recipe():
            held.append(action)
            left -= size(action)
            if left < 0:
                return cls(recipe, **rest)  # type: ignore[arg-type]  # the keywords are this class's own fields
        return cls(tuple(held), **rest)  # type: ignore[arg-type]  # as above

    def actions(self, values: Sequence[bytes]) -> Iterator[Action]:
        """The actions with each hole filled from `values`, one value a blank."""
        if not self.blanks:
            return iter(self)
        return (action.filled(values) if isinstance(action, Write | Burst) else action for action in self)

    def writes(self) -> Iterator[Write]:
        """Every write in order, bursts taken apart."""
        return (write for action in self for write in _writes(action))


def _writes(action: Action) -> Iterable[Write]:
    if isinstance(action, Write):
        return (action,)
    return action.writes if isinstance(action, Burst) else ()
