"""Events -> the events before the break, and another end (section 5: 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile

from fakeserver.plan.cues import Cue
from fakeserver.plan.settle import Settled
from fakeserver.script.layers import Break
from fakeserver.script.problems import Broken
from fakeserver.script.scenario import RespondAttempt


def broken_off(settled: Settled, cues: Iterable[Cue], total: Callable[[], int]) -> Iterator[Cue]:
    """What comes after the break is gone, waits before it that nothing follows too; the end is replaced."""
    if settled.end is None:
        yield from cues
    else:
        yield from _until(settled, settled.end, cues, _limit(settled.end, total))


def _limit(end: Break, total: Callable[[], int]) -> int | None:
    """How many events come before it; None where a kind says so."""
    if isinstance(end.at, int):
        return end.at
    return total() * int(end.at[:-1]) // 100 if end.at.endswith("%") else None


def _until(settled: Settled, end: Break, cues: Iterable[Cue], limit: int | None) -> Iterator[Cue]:
    passed, held, found = 0, list[Cue](), False
    for cue in takewhile(lambda cue: cue.kind != "end", cues):
        held.append(cue)
        if not cue.is_event:
            continue
        found = passed == limit or end.at in cue.kinds
        if found:
            break
        passed += 1
        yield from held
        held.clear()
    if found and end.plus:
        held[-1].whole = end.plus >= len(held[-1].data)
        held[-1].cut_off(end.plus)
        yield from held
    if not found and passed != limit:
        if settled.end_strict:
            raise nowhere(settled, end, f"the stream has {passed} events; see `fakeserver show`")
        yield from held
    yield Cue("end", end.with_)


def nowhere(settled: Settled, end: Break, remedy: str) -> Broken:
    return settled.entry.broken(end, "break-nowhere", f"there is no place to break at: {end.at}", remedy, "at")


def share(settled: Settled, size: int, own: str) -> tuple[int, str]:
    """A break of one body of this size: how many of its bytes are kept, and the end in place of its `own`."""
    end = settled.end
    if end is None:
        return size, own
    if isinstance(end.at, str) and end.at.endswith("%"):
        return size * int(end.at[:-1]) // 100 + (end.plus or 0), end.with_
    if not settled.end_strict:
        return size, end.with_
    if isinstance(settled.body, RespondAttempt):
        raise nowhere(settled, end, "a respond has no events: break it at a share of its bytes, such as 50%")
    return size, own  # what is asked for without streaming has no events to break at
