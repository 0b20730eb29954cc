"""Events -> the same with their moments, in whole nanoseconds (section 5: 7). No clock; jitter is drawn by a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fakeserver.plan.cues import Cue
from fakeserver.plan.model import Hole, Idle
from fakeserver.script.layers import Timing


@dataclass(slots=True)
class Timed:
    """Body bytes, bytes beside the framing, a gate, a keep-alive or the end, and its moment."""

    kind: str  # body, socket, gate, idle, end
    due: int
    data: bytes = b""
    holes: tuple[Hole, ...] = ()
    name: str = ""
    group: int = 0
    events: int = 0  # the number of the event that this is, or of the last one before it
    whole: bool = True
    marks_end: bool = False
    layout: dict[str, Any] = field(default_factory=dict)
    owners: dict[str, Any] = field(default_factory=dict)


class Times:
    """The running S and E: start and end of the last event, counted from the last epoch."""

    def __init__(self, timing: Timing, seed: str, span: Callable[[Cue], int], idle: Idle | None):
        self.timing = timing
        self.span = span  # how long an event's own cut takes
        self.idle = idle
        self.jitter = random.Random(seed) if timing.jitter else None
        self.start = self.stop = timing.head
        self.last = timing.head  # of the last event, head or keep-alive
        self.first_due = timing.head + timing.first
        self.begun = False  # the first chunk has its moment
        self.waited = False
        self.group = 0
        self.events = 0

    def timed(self, cues: Iterable[Cue]) -> Iterator[Timed]:
        for cue in cues:
            if cue.kind == "wait":
                self.start = self.stop = self.stop + cue.value
                self.waited = True
            elif cue.kind == "gate":
                yield from self._silence(self.stop)
                yield Timed("gate", self.stop, name=cue.value)
                self.start = self.stop = self.last = self.first_due = 0
                self.waited = True
            elif cue.kind == "end":
                yield from self._silence(self.stop)
                yield Timed("end", self.stop, name=cue.value)
            else:
                yield from self._event(cue)

    def _event(self, cue: Cue) -> Iterator[Timed]:
        due = self._due(cue)
        yield from self._silence(due)
        self.start = due
        self.stop = self.last = due if cue.group else due + self.span(cue)
        self.events += cue.is_event
        yield Timed("socket" if cue.kind == "socket" else "body", due, cue.data, cue.holes, group=cue.group,
                    events=self.events, whole=cue.whole, marks_end=cue.kind == "done" and b"[DONE]" in cue.data,
                    layout=cue.layout, owners=cue.owners)  # fmt: skip

    def _due(self, cue: Cue) -> int:
        waited, self.waited = self.waited, False
        joins, self.group = bool(cue.group) and cue.group == self.group, cue.group
        if cue.opening:
            return self.stop
        first = not self.begun and (cue.paced or cue.kind == "chunk")
        self.begun = self.begun or first
        if joins:
            return self.start  # one write, at its first event's moment
        if waited:
            return self.stop
        if first:
            return max(self.first_due, self.stop)
        return max(self.start + self._gap(cue), self.stop) if cue.paced else self.stop

    def _gap(self, cue: Cue) -> int:
        gap = self.timing.every if cue.gap is None else cue.gap
        if self.jitter is None or not gap:
            return gap
        return max(0, gap + self.jitter.randint(-self.timing.jitter, self.timing.jitter))

    def _silence(self, until: int) -> Iterator[Timed]:
        """The keep-alives of a silence whose length is known. Where something is due at that very moment, none."""
        if self.idle is None:
            return
        while self.last + self.idle.every < until:
            self.last += self.idle.every
            yield Timed("idle", self.last, self.idle.data, self.idle.holes, events=self.events)
