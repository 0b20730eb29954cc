"""The app took for complete what its server had cut, or had ended with a failure.

Rests on the report, and on the last call's answer as it was really sent: it came with a status of success and is over
by the script's doing, and in no right reading is it a whole one. A client that left by itself before the script's end
proves nothing: it may have had enough.
"""

from __future__ import annotations

from collections.abc import Iterator

from fakeserver.journal import Record
from fakeserver.verdict.evidence import Evidence
from fakeserver.verdict.finding import Finding
from fakeserver.verdict.sent import cut_by_server

CODE = "truncated-taken-for-complete"


def find(evidence: Evidence) -> Iterator[Finding]:
    record = next(evidence.calls, None)
    if evidence.report.outcome != "complete" or record is None or not _is_over(record):
        return
    if 200 <= (record.chosen.status or 0) < 300 and evidence.unfinished(record):
        was = evidence.readings(record)[0]
        says = (
            f"The app told that its answer is complete, but that of request #{record.number} is {was.outcome}:"
            f" {record.events} events, then {record.how}."
        )
        facts = {"outcome": was.outcome, "content": was.content, "events": record.events, "how": record.how}
        yield Finding(CODE, says, {"records": [record.number], **facts})


def _is_over(record: Record) -> bool:
    return cut_by_server(record) or (record.ending is not None and record.ending.how == "complete")
