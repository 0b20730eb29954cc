"""A failing request was repeated without a delay, or with one that does not grow.

Rests on the delays of repeats, one after the other, of failures that did not say when to come again. One repeat at
once is common and is none. Two in a row that each came within NONE are no delay. SAME_COUNT in a row that differ by
less than SAME of the longest, which is under SLOW, do not grow: jitter differs by more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from fakeserver.verdict.evidence import Evidence
from fakeserver.verdict.finding import Finding
from fakeserver.verdict.repeats import Repeat

CODE = "no-back-off"
NONE = 0.05  # seconds
SLOW = 1.0  # seconds: to come every so often, and no oftener, is a way of waiting too
SAME = 0.05  # a share
SAME_COUNT = 4


def find(evidence: Evidence) -> Iterator[Finding]:
    for chain in evidence.chains:
        untold = [repeat for repeat in chain if repeat.before.chosen.retry_after is None]
        delays = [repeat.waited for repeat in untold]
        how = "at once" if _none(delays) else "after the same delay each time" if _same(delays) else ""
        if how:
            yield _finding(untold, how)


def _none(delays: Sequence[float]) -> bool:
    return any(max(pair) < NONE for pair in pairwise(delays))


def _same(delays: Sequence[float]) -> bool:
    rows = (delays[at : at + SAME_COUNT] for at in range(len(delays) - SAME_COUNT + 1))
    return any(max(row) < SLOW and max(row) - min(row) < SAME * max(row) for row in rows)


def _finding(repeats: Sequence[Repeat], how: str) -> Finding:
    first = repeats[0].before.number
    records = [first, *(repeat.after.number for repeat in repeats)]
    delays = [round(repeat.waited, 6) for repeat in repeats]
    told = ", ".join(f"{delay:.3f}" for delay in delays[:5]) + (", ..." if len(delays) > 5 else "")
    says = f"Request #{first} failed and was repeated {how} ({told} s)."
    return Finding(CODE, says, {"records": records, "delays": delays})
