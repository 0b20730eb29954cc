"""What travels through the first stages: one thing to send, or to wait for, in the order of the script."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from fakeserver.plan.blanks import part
from fakeserver.plan.model import Hole

CueKind = Literal["chunk", "done", "event", "comment", "raw", "socket", "wait", "gate", "end"]
EVENTS = ("chunk", "done", "event", "comment", "raw")


@dataclass(slots=True)
class Cue:
    """One step's worth, or one chunk of it.

    `value` is the chunk's JSON, a text, the fields of an event, a number of nanoseconds, a gate's or an end's name.
    `paced`: `timing.every` stands before it. `gap`: the step's own `every`, between its pieces. `opening`: it goes out
    with the head. `group`: the write that it shares with others of that number. `named`: the made event name.
    """

    kind: CueKind
    value: Any = None
    step: Any = None
    paced: bool = False
    gap: int | None = None
    opening: bool = False
    group: int = 0
    named: str | None = None
    kinds: frozenset[str] = frozenset()
    said: dict[int, str] = field(default_factory=dict)
    layout: dict[str, Any] = field(default_factory=dict)  # fields, keep, cut, newline: what the last edit says
    owners: dict[str, Any] = field(default_factory=dict)  # and who says it
    data: bytes = b""
    holes: tuple[Hole, ...] = ()
    whole: bool = True  # no break took its rest away

    @property
    def is_event(self) -> bool:
        return self.kind in EVENTS

    def cut_off(self, size: int) -> None:
        """Only the first bytes of it."""
        self.data, self.holes = self.data[:size], part(self.holes, 0, size)
