"""Records and a report -> what all findings look at: repeats, chains of them, and what was sent. Each is found once.

It must not know what is wrong with any of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from fakeserver.journal import Record
from fakeserver.verdict.finding import Report
from fakeserver.verdict.repeats import Repeat, chains, key, repeats
from fakeserver.verdict.sent import Reader, cut_by_server

_CHAT = "/chat/completions"
_WHOLE = ("complete", "refused")


class Evidence:
    """One session's records, oldest first. `now` is nanoseconds since 1970; None: what is in flight proves nothing."""

    def __init__(self, records: Iterable[Record], report: Report, now: int | None = None) -> None:
        self.records, self.report, self.now = tuple(records), report, now
        self.readings = Reader()

    @cached_property
    def repeats(self) -> tuple[Repeat, ...]:
        """Requests that ask again what had failed."""
        return tuple(repeats(self.records, self.failed))

    @cached_property
    def chains(self) -> tuple[tuple[Repeat, ...], ...]:
        """The same, those of one call together."""
        return tuple(chains(self.repeats))

    @property
    def calls(self) -> Iterator[Record]:
        """The requests for an answer of a model, the newest first."""
        return (each for each in reversed(self.records) if _is_chat(each))

    def earlier(self, record: Record) -> Iterator[Record]:
        """Those that asked the same before, the newest first."""
        wanted = key(record)
        older = (each for each in reversed(self.records) if each.number < record.number)
        return (each for each in older if wanted is not None and key(each) == wanted)

    def unfinished(self, record: Record) -> bool:
        """For certain: in no right reading is the answer a whole one."""
        found = self.readings(record)
        return bool(found) and all(reading.outcome not in _WHOLE for reading in found)

    def whole_text(self, record: Record) -> str:
        """The text of a whole answer that has one choice; empty where it is none, or right readings differ in it."""
        found = self.readings(record)
        whole = all(reading.outcome == "complete" and len(reading.choices) == 1 for reading in found)
        texts = {reading.content.strip() for reading in found}
        return texts.pop() if whole and len(texts) == 1 else ""

    def failed(self, record: Record) -> bool:
        """By the script: an error's status, or no whole answer before it was cut. A client that leaves is none."""
        status = record.chosen.status
        if status is not None and status >= 400:
            return record.ending is not None
        return cut_by_server(record) and (status is None or self.unfinished(record))


def _is_chat(record: Record) -> bool:
    return record.asked.method == "POST" and record.asked.path.partition("?")[0].endswith(_CHAT)
