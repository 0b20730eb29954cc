"""Requests -> what is wrong with them, in a sentence; nothing where all is well. It must not know how they are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from fakeserver.testing.requests import Request, lateness_of

_EARLY = 0.005  # seconds by which a client's timer may round down


def not_cancelled(requests: Sequence[Request], within: float) -> str:
    """The last request's client has left before the end."""
    if not requests:
        return "A cancelled request was expected, but no request has come."
    last = requests[-1]
    if last.ended == "gone":
        return ""
    wanted = f"The client of request #{last.number} was expected to leave within {within:g} s"
    return f"{wanted}, but what happened is: {last.how}."


def nothing_asked(session: str, base_url: str) -> str:
    """Of nothing there is nothing to judge: most often the client asks elsewhere."""
    return f"Nothing was asked in session {session}; is the client's base URL {base_url}?"


def wrong_attempts(requests: Sequence[Request], count: int, patient: bool) -> str:
    """So many; where one was told when to come again, the next came no earlier."""
    problems = [] if len(requests) == count else [f"{_attempts(count)} expected, {len(requests)} found."]
    return "\n".join([*problems, *(_hasty(requests) if patient else ())])


def _attempts(count: int) -> str:
    return f"{count} attempt{'' if count == 1 else 's'}"


def _hasty(requests: Sequence[Request]) -> Iterator[str]:
    for before, after in pairwise(requests):
        wanted = before.retry_after
        waited = after.at - before.at - (before.writes[0][1] if before.writes else 0.0)
        if wanted is not None and waited < wanted - _EARLY:
            yield (f"Request #{after.number} came {waited:.3f} s after #{before.number} was answered, which asked for"
                   f" {wanted:g} s (retry-after).")  # fmt: skip


def late(requests: Sequence[Request], p99: float) -> str:
    """99 of 100 writes went out in time."""
    found = lateness_of(requests)
    return "" if found.p99 <= p99 else f"Writes were expected to be at most {p99 * 1e3:g} ms late (p99), but: {found}."
