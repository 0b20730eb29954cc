"""The app had given its call up, or had told its outcome, and the stream stayed open.

Rests on the moment that the report gives, and on how long after it the answer ended, or is in flight still. The call is
the last one that had begun by then. An answer whose end marker had been sent by then is none: the stream was over.
"""

from __future__ import annotations

from collections.abc import Iterator

from fakeserver.journal import Record
from fakeserver.verdict.evidence import Evidence
from fakeserver.verdict.finding import Finding
from fakeserver.verdict.repeats import end_of

CODE = "never-cancelled"
LONG = 1.0  # seconds for the news to travel


def find(evidence: Evidence) -> Iterator[Finding]:
    report = evidence.report
    for word, said in (("cancelled", report.cancelled_at), ("told its outcome", report.outcome_at)):
        if said is not None:
            yield from _after(round(said * 1e9), word, evidence)
            return


def _after(moment: int, word: str, evidence: Evidence) -> Iterator[Finding]:
    record = next((each for each in evidence.calls if each.at <= moment), None)
    if record is None or _was_over(record, moment):
        return
    end = evidence.now if record.ending is None else end_of(record)
    if end is not None and end - moment > LONG * 1e9:
        stayed = (end - moment) / 1e9
        says = f"The app {word}, but the stream of request #{record.number} was open for {stayed:.3f} s more."
        yield Finding(CODE, says, {"records": [record.number], "stayed": round(stayed, 6), "how": record.how})


def _was_over(record: Record, moment: int) -> bool:
    marked = record.end_marked_at
    return marked is not None and (record.manual or record.at + marked <= moment)
