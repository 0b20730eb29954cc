"""What a test has told a session to answer -> the selector for its next request: one-shot answers, then `use`.

It must not know scenarios: a selector is a text here, and is looked up when a request takes it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

LIMIT = 10_000  # answers in a queue, each of its times counted as one


class Full(Exception):
    """No more answers can be queued."""


@dataclass(slots=True)
class Queued:
    """An answer for the next `times` requests."""

    scenario: str
    times: int = 1


class Queue:
    """First in, first out. `use` answers whatever finds the queue empty."""

    def __init__(self) -> None:
        self._items: deque[Queued] = deque()
        self._left = 0
        self.use: str | None = None

    def __len__(self) -> int:
        """How many requests it has answers for."""
        return self._left

    def add(self, scenario: str, times: int = 1) -> None:
        """Raises Full."""
        if self._left + times > LIMIT:
            raise Full(f"A queue holds {LIMIT:,} answers at most; {self._left:,} are in it.")
        self._items.append(Queued(scenario, times))
        self._left += times

    def take(self) -> tuple[str, str]:
        """The selector for one request and where it came from; empty where neither has one."""
        if not self._items:
            return self.use or "", "use" if self.use else ""
        first = self._items[0]
        first.times -= 1
        self._left -= 1
        if not first.times:
            self._items.popleft()
        return first.scenario, "queue"

    def clear(self) -> int:
        """Empty it; how many answers were left. `use` stays."""
        left, self._left = self._left, 0
        self._items.clear()
        return left

    def waiting(self) -> tuple[Queued, ...]:
        return tuple(self._items)
