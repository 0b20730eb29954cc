"""The findings by name, each with the file that looks for it; and all of them over one session's records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from fakeserver.journal import Record
from fakeserver.verdict import (
    ignored_retry_after,
    never_cancelled,
    no_back_off,
    read_after_end_marker,
    retried_what_must_not_be,
    retry_storm,
    text_lost,
    text_shown_twice,
    truncated_taken_for_complete,
)
from fakeserver.verdict.evidence import Evidence
from fakeserver.verdict.finding import Finding, Report

Find = Callable[[Evidence], Iterator[Finding]]

_TABLE: Mapping[str, Find] = MappingProxyType({
    ignored_retry_after.CODE: ignored_retry_after.find,
    retried_what_must_not_be.CODE: retried_what_must_not_be.find,
    retry_storm.CODE: retry_storm.find,
    no_back_off.CODE: no_back_off.find,
    read_after_end_marker.CODE: read_after_end_marker.find,
    never_cancelled.CODE: never_cancelled.find,
    truncated_taken_for_complete.CODE: truncated_taken_for_complete.find,
    text_shown_twice.CODE: text_shown_twice.find,
    text_lost.CODE: text_lost.find,
})  # fmt: skip
CODES = tuple(_TABLE)


def verdict(records: Iterable[Record], report: Report | None = None, now: int | None = None) -> tuple[Finding, ...]:
    """Every finding, in the order of CODES and then of the records.

    `now` is in nanoseconds since 1970; without it nothing is found about answers in flight.
    """
    evidence = Evidence(records, report or Report(), now)
    return tuple(finding for find in _TABLE.values() for finding in find(evidence))
