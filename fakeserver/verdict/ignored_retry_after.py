"""A failure told the client to wait, and the same request came earlier.

Rests on: the answer's `retry-after-ms` or `retry-after` (seconds, which a client counts from the head; or a date, which
counts from the request that was answered), and on when the repeat came. A malformed header tells nothing, nor does one
whose time has passed.
"""

from __future__ import annotations

from collections.abc import Iterator

from fakeserver.verdict.evidence import Evidence
from fakeserver.verdict.finding import Finding
from fakeserver.verdict.repeats import Repeat

CODE = "ignored-retry-after"
EARLY = 0.01  # seconds by which a client's timer may round down


def find(evidence: Evidence) -> Iterator[Finding]:
    for repeat in evidence.repeats:
        told, waited = repeat.before.chosen.retry_after, _waited(repeat)
        if told is not None and waited < told - EARLY:
            before, after = repeat.numbers
            says = (
                f"Request #{after} came {waited:.3f} s after #{before} was answered, which asked for {told:g} s"
                f" (retry-after)."
            )
            yield Finding(CODE, says, {"records": [before, after], "told": told, "waited": round(waited, 6)})


def _waited(repeat: Repeat) -> float:
    before = repeat.before
    head = 0 if before.chosen.retry_dated else next((actual for _, actual in before.lateness.stamps()), None)
    return repeat.waited if head is None else max(repeat.waited, (repeat.after.at - before.at - head) / 1e9)
