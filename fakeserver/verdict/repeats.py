"""Records -> which of them repeat one that failed, and how long the client had waited. It must not judge.

Two requests are the same when session, method, path and body are; of a body that was not kept whole that is not known.
A request repeats the earliest failure of the same that nothing has repeated yet, so of several at once each is taken to
have waited as long as can be. What was asked before the failure had ended is no repeat.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fakeserver.journal import BODY_KEPT, Record

Key = tuple[str, str, str, bytes]

_SLACK = 1_000_000  # nanoseconds by which a request may seem to come before the end that it follows: two clocks
_SECOND = 1e9


@dataclass(frozen=True, slots=True)
class Repeat:
    """`waited` is how many seconds after the end of the failure `before` the request `after` came."""

    before: Record
    after: Record
    waited: float

    @property
    def numbers(self) -> list[int]:
        return [self.before.number, self.after.number]


def key(record: Record) -> Key | None:
    """What is the same in a repeat; None where that is not known."""
    asked = record.asked
    if not asked.method or asked.body_size > BODY_KEPT:
        return None
    return record.session, asked.method, asked.path, asked.body


def end_of(record: Record) -> int | None:
    """When its answer ended, in nanoseconds since 1970; None while it is in flight, or where no real time tells it.

    Under a manual clock only an answer that took no time, and waited at no gate, has a real end: its beginning.
    """
    ending = record.ending
    if ending is None or (record.manual and (ending.at or record.gates)):
        return None
    return record.at + ending.at


def repeats(records: Iterable[Record], failed: Callable[[Record], bool]) -> Iterator[Repeat]:
    """In the order in which they came."""
    groups: dict[Key, list[Record]] = defaultdict(list)
    for record in records:
        if (same := key(record)) is not None:
            groups[same].append(record)
    found = [each for group in groups.values() if len(group) > 1 for each in _paired(group, failed)]
    yield from sorted(found, key=lambda repeat: repeat.after.number)


def _paired(group: list[Record], failed: Callable[[Record], bool]) -> Iterator[Repeat]:
    ends = [(end, record) for record in group if (end := end_of(record)) is not None and failed(record)]
    open_ = deque(sorted(ends, key=lambda pair: (pair[0], pair[1].number)))
    for after in group:
        if open_ and open_[0][0] <= after.at + _SLACK and open_[0][1].number < after.number:
            end, before = open_.popleft()
            yield Repeat(before, after, max(0.0, (after.at - end) / _SECOND))


def chains(found: Iterable[Repeat]) -> Iterator[tuple[Repeat, ...]]:
    """Repeats of repeats together: those of one call."""
    by_last: dict[int, list[Repeat]] = {}
    whole: list[list[Repeat]] = []
    for repeat in found:
        chain = by_last.pop(repeat.before.number, None)
        if chain is None:
            whole.append(chain := [])
        chain.append(repeat)
        by_last[repeat.after.number] = chain
    yield from map(tuple, whole)
