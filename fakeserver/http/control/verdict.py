"""The control route that judges the client: a session's journal, and what a test says of its app -> findings."""

from __future__ import annotations

import time
from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from fakeserver.http.control.journal import settled
from fakeserver.http.control.routing import BODY_LIMIT, Call, Route, Shape, reply
from fakeserver.http.control.schemas import COUNT, FLAG, listed, made, of
from fakeserver.http.control.values import Seconds
from fakeserver.verdict import Report, verdict

Moment = Annotated[float, Field(ge=0, le=1e11, description="Seconds since 1970.")]


class Reported(Shape):
    """What the app told, showed and did about its last call. What is left out says nothing."""

    outcome: Literal["complete", "refused", "truncated", "failed"] | None = None
    shown: Annotated[str, Field(max_length=BODY_LIMIT)] | None = None
    cancelled_at: Moment | None = None
    outcome_at: Moment | None = None
    wait: Seconds | None = None


async def judge(call: Call) -> web.StreamResponse:
    session, said = call.session, call.body
    await settled(session, said.wait or 0)
    report = Report(said.outcome, said.shown, said.cancelled_at, said.outcome_at)
    records = call.engine.journal.of(session.name)
    found = verdict(records, report, time.time_ns())
    findings = [finding.as_dict() for finding in found]
    return reply({"ok": not found, "requests": len(records), "findings": findings})


ROUTES = (
    Route("POST", "/sessions/{id}/verdict", "What the client did wrong, as far as the journal proves it.", judge,
          {200: made(ok=FLAG, requests=COUNT, findings=listed(of("Finding")))}, body=Reported, optional=True),
)  # fmt: skip
