"""Planned and actual moments -> a small memory of them: the first and last ones whole, all of them as a histogram.

It must not know what was written. A stream of a million writes costs as much as one of a hundred.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

KEPT = 32  # first ones, and as many last ones
_FINE = 2  # bits: each power of two is told in four steps, so a percentile is at most a fifth too high
_BUCKETS = 64 << _FINE


class Lateness:
    """`add` for each write, or for each slice of a burst: nanoseconds, planned and actual."""

    __slots__ = ("_first", "_histogram", "_last", "count", "worst")

    def __init__(self) -> None:
        self.count = 0
        self.worst = 0
        self._first = array("q")
        self._last = array("q")  # a ring
        self._histogram: array[int] | None = None

    def add(self, planned: int, actual: int) -> None:
        late = max(0, actual - planned)
        self.worst = max(self.worst, late)
        if self.count < KEPT:
            self._first.extend((planned, actual))
        else:
            self._remember(planned, actual, late)
        self.count += 1

    def stamps(self) -> Iterator[tuple[int, int]]:
        """(planned, actual) of the first and the last ones, in order. All of them where there are few."""
        yield from zip(self._first[::2], self._first[1::2])
        start = 2 * (self.count % KEPT) if len(self._last) == 2 * KEPT else 0
        ring = self._last[start:] + self._last[:start]
        yield from zip(ring[::2], ring[1::2])

    def percentile(self, share: float) -> int:
        """So late or less late was this share of the writes: exact for few, rounded up for many."""
        if not self.count:
            return 0
        rank = min(self.count - 1, int(self.count * share))
        if self._histogram is None:
            late = sorted(max(0, actual - planned) for planned, actual in self.stamps())
            return late[rank]
        return min(self.worst, _edge(next(n for n, total in enumerate(_running(self._histogram)) if total > rank)))

    def _remember(self, planned: int, actual: int, late: int) -> None:
        if self._histogram is None:
            self._histogram = array("I", bytes(array("I").itemsize * _BUCKETS))
            for first_planned, first_actual in zip(self._first[::2], self._first[1::2]):
                self._histogram[_bucket(max(0, first_actual - first_planned))] += 1
        self._histogram[_bucket(late)] += 1
        if len(self._last) < 2 * KEPT:
            self._last.extend((planned, actual))
        else:
            place = 2 * (self.count % KEPT)
            self._last[place], self._last[place + 1] = planned, actual


def _bucket(late: int) -> int:
    if late < 1 << _FINE:
        return late
    shift = late.bit_length() - 1 - _FINE
    return min(_BUCKETS - 1, ((shift + 1) << _FINE) + (late >> shift) - (1 << _FINE))


def _edge(bucket: int) -> int:
    """The largest lateness that falls into the bucket."""
    if bucket < 1 << _FINE:
        return bucket
    shift = (bucket >> _FINE) - 1
    return (((bucket & ((1 << _FINE) - 1)) + (1 << _FINE) + 1) << shift) - 1


def _running(counts: array[int]) -> Iterator[int]:
    total = 0
    for count in counts:
        total += count
        yield total
