"""How many libraries back a request's plan can be made again: each of them would be kept for that, with all its files.

It must not know libraries: an edition begins behind the last record of the one before.
"""

from __future__ import annotations

from collections import deque

KEPT = 8  # of the files that are served, changed while they are
OWN_KEPT = 64  # of one session's own scenarios: a test may put in one after the other


class Editions:
    """The last ones, by the number of the last record of each."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._ends: deque[int] = deque()

    def begin(self, last: int) -> int:
        """A new one begins behind this record. Up to the number that is told, plans are to be forgotten."""
        self._ends.append(last)
        return self._ends.popleft() if len(self._ends) > self._kept else 0
