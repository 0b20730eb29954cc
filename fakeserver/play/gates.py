"""Named gates: streams that wait at them, and a release that lets them go.

One `Gates` is one session's. It must not know what a stream is: it keeps callbacks. A release that finds nobody waiting
is kept for the next one to arrive, once however often it was asked for, since a test that lets a stream go cannot know
that the stream has come so far; the answer to the release says which of the two happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from fakeserver.plan.model import Action, Plan
from fakeserver.play.watchers import Untell

# What a stream does instead of the rest of its plan; it is told whether a byte of the plan has been written.
Onward = Callable[[Plan, bool], Iterable[Action]]
Go = Callable[["Onward | None"], None]

_KEPT = 256  # releases in advance that a session can hold: names come from clients


@dataclass(frozen=True, slots=True)
class Released:
    """What a release did: how many streams it let go, and whether it is kept for the next one."""

    released: int
    kept: bool


@dataclass(frozen=True, slots=True)
class Pass:
    """What lets a stream go on: with the rest of its plan, or `onward`."""

    onward: Onward | None = None


@dataclass(slots=True)
class Gates:
    """The gates of one session, made as they are named."""

    _waiting: dict[str, list[Go]] = field(default_factory=dict)
    _watching: dict[str, list[Callable[[], None]]] = field(default_factory=dict)
    _kept: dict[str, Pass] = field(default_factory=dict)

    def arrive(self, name: str, go: Go) -> Pass | None:
        """Keep `go` until the gate's release. The answer is a release in advance; then nothing is kept."""
        kept = self._kept.pop(name, None)
        if kept is None:
            self._waiting.setdefault(name, []).append(go)
        for watcher in self._watching.pop(name, ()):
            watcher()
        return kept

    def forget(self, name: str, go: Go) -> None:
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

    def kept(self) -> list[str]:
        """The gates that were released in advance."""
        return list(self._kept)

    def when_reached(self, name: str, call: Callable[[], None]) -> Untell:
        """Call once a stream comes to the gate: at once if one waits there. The answer takes that back.

        The call must not release by itself: the stream is still on its way into the gate.
        """
        if self.waiting(name):
            call()
        else:
            self._watching.setdefault(name, []).append(call)
        return lambda: self._unwatch(name, call)

    def unkeep(self, name: str) -> None:
        """A release in advance no longer counts."""
        self._kept.pop(name, None)

    def release(self, name: str, onward: Onward | None = None) -> Released:
        """Let go all that wait, or keep the release for the next one to come."""
        waiting = self._waiting.pop(name, [])
        if not waiting and (name in self._kept or len(self._kept) < _KEPT):
            self._kept[name] = Pass(onward)
        for go in waiting:
            go(onward)
        return Released(len(waiting), not waiting and name in self._kept)

    def close(self) -> None:
        """Nobody will come any more: tell those who wait for a stream to."""
        watching, self._watching = self._watching, {}
        for watcher in [each for watchers in watching.values() for each in watchers]:
            watcher()

    def _unwatch(self, name: str, call: Callable[[], None]) -> None:
        watching = self._watching.get(name, [])
        if call in watching:
            watching.remove(call)
        if not watching:
            self._watching.pop(name, None)
