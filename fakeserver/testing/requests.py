"""A record of the journal, as JSON -> what a test sees of one request and its answer. Times are seconds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

_SECOND = 1e9


class Lateness(NamedTuple):
    """By how many seconds writes were later than planned: half of them at most `p50`, 99 of 100 at most `p99`."""

    p50: float
    p99: float
    max: float

    def __str__(self) -> str:
        return f"p50 {self.p50 * 1e3:.2f} ms, p99 {self.p99 * 1e3:.2f} ms, max {self.max * 1e3:.2f} ms"


@dataclass(frozen=True, slots=True)
class Request:
    """One request and what became of its answer.

    `at` is when it had been read, in seconds since 1970; all other times count from there. Header names are lower-case,
    and secrets are redacted. `scenario` is the selector that answered ("" for none) and `why` says how it was chosen;
    `attempt` counts from 1. `unmatched` tells why nothing answered, nearest rules included. `writes` has (planned,
    actual) of the first and last 32 moments of writing, `write_count` counts all writes. `ended` is complete, ended (by
    the scripted end), gone (the client left), stopped, broken, or in flight; `how` says it in words. `retry_after` is
    for how many seconds a failure asked the client to wait.
    """

    number: int
    at: float
    method: str
    path: str
    headers: Mapping[str, str]
    body: str
    scenario: str
    why: str
    attempt: int
    status: int | None
    unmatched: str | None
    events: int
    bytes: int
    write_count: int
    writes: tuple[tuple[float, float], ...]
    gates: tuple[tuple[str, float], ...]
    ended: str
    ended_at: float | None
    how: str
    retry_after: float | None
    lateness: Lateness = field(repr=False)

    @property
    def json(self) -> Any:
        """The request's body. Raises ValueError if it is no JSON, or so long (64 KiB) that it was not kept whole."""
        return json.loads(self.body)

    @property
    def is_chat(self) -> bool:
        """Whether it asked for an answer of a model."""
        return self.path.partition("?")[0].endswith("/chat/completions")


def request_of(record: Mapping[str, Any]) -> Request:
    """From a record as the control API tells it."""
    asked, ending, late = record["request"], record["ending"], record["lateness_ns"]
    return Request(
        number=record["number"],
        at=record["at"] / _SECOND,
        method=asked["method"],
        path=asked["path"],
        headers=asked["headers"],
        body=asked["body"],
        scenario=record["scenario"],
        why=record["why"],
        attempt=record["attempt"],
        status=record["status"],
        unmatched=record["unmatched"] and record["unmatched"]["message"],
        events=record["events"],
        bytes=record["bytes"],
        write_count=record["writes"],
        writes=tuple((planned / _SECOND, actual / _SECOND) for planned, actual in record["times_ns"]),
        gates=tuple((each["gate"], each["at"] / _SECOND) for each in record["gates"]),
        ended=ending["how"] if ending else "in flight",
        ended_at=ending["at"] / _SECOND if ending else None,
        how=record["how"],
        retry_after=record.get("retry_after"),
        lateness=Lateness(*(late[name] / _SECOND for name in ("p50", "p99", "max"))),
    )


def lateness_of(requests: Iterable[Request]) -> Lateness:
    """Of all writes; of a long stream p50 knows the first and last ones only, and p99 is at most so large."""
    seen = tuple(requests)
    late = sorted(max(0.0, actual - planned) for request in seen for planned, actual in request.writes)
    long = [request.lateness.p99 for request in seen if request.write_count > len(request.writes)]
    worst = max((request.lateness.max for request in seen), default=0.0)
    return Lateness(_share(late, 0.5), max([_share(late, 0.99), *long]), worst)


def _share(late: Sequence[float], share: float) -> float:
    return late[min(len(late) - 1, int(len(late) * share))] if late else 0.0
