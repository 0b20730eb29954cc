"""The end marker had been sent, and the client was still there long after it: it waits for the end of the body.

Rests on what was sent up to the marker, by whose framing the body was not over; on when the marker went out; and on
when the answer ended: by the script, by the client that left at last, or not yet. Under a manual clock no real time has
passed, so it proves nothing there.
"""

from __future__ import annotations

from collections.abc import Iterator

from fakeserver.journal import Record
from fakeserver.verdict.evidence import Evidence
from fakeserver.verdict.finding import Finding
from fakeserver.verdict.sent import open_at_marker

CODE = "read-after-end-marker"
LONG = 1.0  # seconds


def find(evidence: Evidence) -> Iterator[Finding]:
    for record in evidence.records:
        stayed = _stayed(record, evidence.now)
        if stayed > LONG and open_at_marker(record):
            says = f"The client of request #{record.number} was still there {stayed:.3f} s after the end marker."
            yield Finding(CODE, says, {"records": [record.number], "stayed": round(stayed, 6), "how": record.how})


def _stayed(record: Record, now: int | None) -> float:
    """Seconds beyond the end marker; 0 where none are known."""
    if record.manual or record.end_marked_at is None:
        return 0.0
    if record.ending is not None:
        return (record.ending.at - record.end_marked_at) / 1e9
    return 0.0 if now is None else (now - record.at - record.end_marked_at) / 1e9
