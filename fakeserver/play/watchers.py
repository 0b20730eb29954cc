"""Those who wait to be told once. It must not know of what."""

from __future__ import annotations

from collections.abc import Callable

Untell = Callable[[], None]


class Watchers:
    """`tell` calls each that was added since the last time."""

    __slots__ = ("_calls",)

    def __init__(self) -> None:
        self._calls: list[Callable[[], None]] = []

    def __bool__(self) -> bool:
        return bool(self._calls)

    def add(self, call: Callable[[], None]) -> Untell:
        """The answer takes it back."""
        self._calls.append(call)
        return lambda: self._calls.remove(call) if call in self._calls else None

    def tell(self) -> None:
        calls = self._calls[:]
        # In place: who takes itself back later looks into this list.
        self._calls.clear()
        for call in calls:
            call()
