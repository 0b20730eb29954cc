"""The same request came again after an answer that asking again cannot mend.

Such are: `x-should-retry: false`; a status of 400 to 499 but those of RETRYABLE, unless `x-should-retry: true`; a 429
for a quota that is used up. Rests on the repeat and on one of two proofs: its `x-stainless-retry-count` is one more
than the failure's, so the client itself says that it retries; or it came within SOON, sooner than a person asks again.
After a 401 only the first counts, since an app that has fetched a new key asks the same at once. An answer that was
whole and is asked for again is none: an app may ask the same twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from fakeserver.journal import Record
from fakeserver.verdict.evidence import Evidence
from fakeserver.verdict.finding import Finding
from fakeserver.verdict.repeats import Repeat

CODE = "retried-what-must-not-be"
RETRYABLE = (408, 409, 425, 429)
SOON = 2.0  # seconds
COUNT = "x-stainless-retry-count"


def find(evidence: Evidence) -> Iterator[Finding]:
    for repeat in evidence.repeats:
        why, proof = _why(repeat.before, evidence), _proof(repeat)
        if why and proof:
            before, after = repeat.numbers
            says = f"Request #{after} repeats #{before}, whose failure ({why}) asking again cannot mend ({proof})."
            status = repeat.before.chosen.status
            yield Finding(CODE, says, {"records": [before, after], "status": status, "why": why, "proof": proof,
                                       "waited": round(repeat.waited, 6)})  # fmt: skip


def _why(record: Record, evidence: Evidence) -> str:
    status, may = record.chosen.status or 0, record.chosen.may_retry
    if may is not None:
        return "" if may else "x-should-retry: false"
    if 400 <= status < 500 and status not in RETRYABLE:
        return f"status {status}"
    return "insufficient_quota" if status == 429 and _quota_is_used_up(record, evidence) else ""


def _quota_is_used_up(record: Record, evidence: Evidence) -> bool:
    errors = [reading.error or {} for reading in evidence.readings(record)]
    return any("insufficient_quota" in (error.get("code"), error.get("type")) for error in errors)


def _proof(repeat: Repeat) -> str:
    before, after = (_count(record) for record in (repeat.before, repeat.after))
    if after and after == (before or 0) + 1:
        return f"{COUNT}: {after}"
    soon = repeat.waited <= SOON and repeat.before.chosen.status != 401
    return f"{repeat.waited:.3f} s after it" if soon else ""


def _count(record: Record) -> int | None:
    told = record.asked.headers.get(COUNT, "")
    return int(told) if told.isascii() and told.isdecimal() and len(told) < 6 else None
