"""Events -> the events before the break, and another end (section 5: 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from fakeserver.plan.blanks import part
from fakeserver.plan.cues import Cue
from fakeserver.plan.settle import Settled


def broken_off(settled: Settled, cues: Iterable[Cue], total: Callable[[], int]) -> Iterator[Cue]:
    """What comes after the break is gone, waits before it that nothing follows too; the end is replaced."""
    end = settled.end
    if end is None:
        yield from cues
        return
    at = end.at
    limit = (
        total() * int(at[:-1]) // 100
        if isinstance(at, str) and at.endswith("%")
        else at
        if isinstance(at, int)
        else None
    )
    passed, held, found = 0, list[Cue](), limit == 0
    for cue in cues:
        if cue.kind == "end":
            break
        if not cue.is_event:
            held.append(cue)
            continue
        if found or (limit is None and at in cue.kinds):
            found = True
            if end.plus:
                yield from held
                cue.data, cue.holes = cue.data[: end.plus], part(cue.holes, 0, end.plus)
                yield cue
            break
        yield from held
        held.clear()
        yield cue
        passed += 1
        found = limit is not None and passed >= limit
    if not found and settled.end_strict:
        raise settled.entry.broken(end, "break-nowhere", f"there is no place to break at: {at}",
                                   f"the stream has {passed} events; see `fakeserver show`", "at")  # fmt: skip
    if not found:
        yield from held
    yield Cue("end", end.with_)


def share(settled: Settled, data: bytes) -> tuple[int | None, str]:
    """A break of one body: how many of its bytes are kept (None: all), and the end."""
    end = settled.end
    if end is None:
        return None, "end"
    if isinstance(end.at, str) and end.at.endswith("%"):
        return len(data) * int(end.at[:-1]) // 100 + (end.plus or 0), str(end.with_)
    return None, str(end.with_)
