"""Requests -> lines for people: what was asked, what was written when, and how it ended. It must not know a server."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fakeserver.testing.requests import Request

_SHOWN = 20  # requests
_FIRST, _LAST = 4, 2  # writes of a request


def timeline(requests: Sequence[Request]) -> str:
    """The last requests, oldest first; times count from the first one shown, then from each request."""
    if not requests:
        return "No request has come."
    shown = requests[-_SHOWN:]
    rows = [row for request in shown for row in _rows(request, request.at - shown[0].at)]
    left = len(requests) - len(shown)
    return "\n".join([f"... {left} earlier requests"] * bool(left) + rows)


def _rows(request: Request, since: float) -> Iterator[str]:
    asked = f"{request.method} {re.sub('^/session/[^/]+', '', request.path)}"  # all are of one session
    yield f"#{request.number} +{since:.3f} s  {asked} -> {request.status or '-'} {_chosen(request)}"
    if request.unmatched:
        yield from (f"    {line}" for line in request.unmatched.splitlines())
    for at, said in sorted(_moments(request), key=lambda moment: moment[0]):
        yield f"    {at:9.3f} s  {said}"
    ended = "         - s" if request.ended_at is None else f"{request.ended_at:9.3f} s"
    yield f"    {ended:>11}  {request.how.rpartition(', at ')[0] or request.how}"


def _moments(request: Request) -> Iterator[tuple[float, str]]:
    writes = request.writes
    if len(writes) > _FIRST + _LAST:
        yield writes[_FIRST][1], f"... {request.write_count - _FIRST - _LAST} more writes"
        writes = (*writes[:_FIRST], *writes[-_LAST:])
    yield from ((actual, f"write{_late(actual - planned)}") for planned, actual in writes)
    yield from ((at, f"at gate {gate}") for gate, at in request.gates)


def _chosen(request: Request) -> str:
    if not request.scenario:
        return request.why
    return f"{request.scenario} ({request.why}), attempt {request.attempt}"


def _late(seconds: float) -> str:
    return f", {seconds * 1e3:.1f} ms late" if seconds >= 0.0005 else ""
