"""Records of a journal, made by hand: moments in seconds, answers as scripts whose bytes are what was sent."""

from __future__ import annotations

from functools import partial
from typing import Any

from fakeserver.journal import Asked, Chosen, Record
from fakeserver.plan import End, Plan
from fakeserver.play.notes import Ending
from fakeserver.verdict import Finding, Report, verdict
from tests.plan.making import plan

EPOCH = 1_770_000_000  # seconds since 1970: when the first request of each test is read
PATH = "/session/s/v1/chat/completions"
HI = b'{"model": "x", "messages": [{"role": "user", "content": "Hi"}]}'
_HOW = {"end": "complete", "close": "ended", "reset": "ended", "reset-now": "ended", "hang": "gone"}


def ns(seconds: float) -> int:
    return round(seconds * 1_000_000_000)


def asked(body: bytes = HI, path: str = PATH, method: str = "POST", retries: int | None = None) -> Asked:
    headers = {} if retries is None else {"x-stainless-retry-count": str(retries)}
    return Asked.of(method, path, headers, body)


def record(
    number: int, at: float, took: float | None = 0.001, *, how: Any = "complete", kind: Any = "end", by: Any = "",
    status: int | None = 200, ask: Asked | None = None, script: Plan | None = None, **more: Any,
) -> Record:  # fmt: skip
    """`took` is until its answer ended; None: it is in flight."""
    told = ("retry_after", "retry_dated", "may_retry")
    chosen = Chosen("use", "x", number, status, **{key: more.pop(key) for key in told if key in more})
    made = Record(number, more.pop("session", "s"), ns(EPOCH + at), ask or asked(), chosen)
    if took is not None:
        made.ending = Ending(how, ns(took), kind, by)
    if script is not None:
        made.replan = lambda: script
    for name, value in more.items():
        setattr(made, name, value)
    return made


failure = partial(record, status=429)


def told(number: int, at: float, seconds: float, **more: Any) -> Record:
    """A failure that says when to come again."""
    return failure(number, at, retry_after=seconds, **more)


def answer(number: int, at: float, text: str, took: float | None = 0.1, **more: Any) -> Record:
    """What this scenario sends, to its end; `events` if it was fewer."""
    script = plan(text)
    end = next(action for action in script if isinstance(action, End))
    events = max(write.events for write in script.writes())
    rest = {"how": _HOW[end.kind], "kind": end.kind, "events": events, "status": script.status, **more}
    return record(number, at, took, script=script, **rest)


def found(*records: Record, now: float | None = None, **report: Any) -> list[Finding]:
    """The findings; moments of the report and `now` are seconds after the first request."""
    moments = {key: EPOCH + report.pop(key) for key in ("cancelled_at", "outcome_at") if key in report}
    return [*verdict(records, Report(**report, **moments), None if now is None else ns(EPOCH + now))]


def codes(*records: Record, **rest: Any) -> list[str]:
    return [finding.code for finding in found(*records, **rest)]
