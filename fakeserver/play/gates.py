"""Named gates: streams that wait at them, and a release that lets them go.

One `Gates` is one session's. It must not know what a stream is: it keeps callbacks. A release that finds nobody waiting
is kept for the next one to arrive, once however often it was asked for, since a test that lets a stream go cannot know
that the stream has come so far; the answer to the release says which of the two happened.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

_KEPT = 256  # releases in advance that a session can hold: names come from clients


@dataclass(frozen=True, slots=True)
class Released:
    """What a release did: how many streams it let go, and whether it is kept for the next one."""

    released: int
    kept: bool


@dataclass(slots=True)
class Gates:
    """The gates of one session, made as they are named."""

    _waiting: dict[str, list[Callable[[], None]]] = field(default_factory=dict)
    _watching: dict[str, list[Callable[[], None]]] = field(default_factory=dict)
    _kept: dict[str, None] = field(default_factory=dict)

    def hold(self, name: str, go: Callable[[], None]) -> bool:
        """Keep `go` until the gate's release. False: the gate was released in advance, and nothing is kept."""
        for watcher in self._watching.pop(name, ()):
            watcher()
        if name in self._kept:
            del self._kept[name]
            return False
        self._waiting.setdefault(name, []).append(go)
        return True

    def forget(self, name: str, go: Callable[[], None]) -> None:
        """A stream that waited has ended otherwise."""
        waiting = self._waiting.get(name, [])
        if go in waiting:
            waiting.remove(go)
        if not waiting:
            self._waiting.pop(name, None)

    def waiting(self, name: str) -> int:
        return len(self._waiting.get(name, ()))

    def held(self) -> dict[str, int]:
        """The gates at which streams wait now, and how many."""
        return {name: len(waiting) for name, waiting in self._waiting.items()}

    def when_reached(self, name: str, call: Callable[[], None]) -> None:
        """Call once a stream is at the gate: at once if one is."""
        if self.waiting(name):
            call()
        else:
            self._watching.setdefault(name, []).append(call)

    def release(self, name: str) -> Released:
        waiting = self._waiting.pop(name, [])
        if not waiting and len(self._kept) < _KEPT:
            self._kept[name] = None
        for go in waiting:
            go()
        return Released(len(waiting), name in self._kept)
