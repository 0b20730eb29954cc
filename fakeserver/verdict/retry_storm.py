"""One failing request was repeated too often: more than MOST times in all, or more than BURST times within a second.

Rests on repeats of failures, one after the other. A repeat that waited as it was told to is none of a burst. Requests
that are in flight at the same time are not repeats of each other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from fakeserver.verdict.evidence import Evidence
from fakeserver.verdict.finding import Finding
from fakeserver.verdict.repeats import Repeat

CODE = "retry-storm"
MOST = 10
BURST = 3
SECOND = 1_000_000_000


def find(evidence: Evidence) -> Iterator[Finding]:
    for chain in evidence.chains:
        burst = _burst(chain)
        if len(chain) > MOST or burst > BURST:
            first = chain[0].before.number
            amount = f"{len(chain)} times in all, at most {burst} of them within one second"
            records = [first, *(repeat.after.number for repeat in chain)]
            yield Finding(CODE, f"Request #{first} failed and was repeated {amount}.",
                          {"records": records, "repeats": len(chain), "within_a_second": burst})  # fmt: skip


def _burst(chain: Sequence[Repeat]) -> int:
    """The most repeats within one second that nobody had asked for."""
    moments = sorted(repeat.after.at for repeat in chain if repeat.before.chosen.retry_after is None)
    firsts = (bisect_right(moments, at - SECOND) for at in moments)
    return max((place + 1 - first for place, first in enumerate(firsts)), default=0)
