"""Control routes that tell what happened in a session, and hold it against what a test expects."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from aiohttp import web
from pydantic import Field, field_validator

from fakeserver.engine.sessions import Session
from fakeserver.engine.verify import Wanted, verify
from fakeserver.http.control.routing import Call, Query, Refused, Route, Shape, reply
from fakeserver.http.control.schemas import COUNT, FLAG, TEXT, listed, made, of
from fakeserver.http.control.values import SECONDS_TEXT, Seconds, flag, nanoseconds_of_text
from fakeserver.http.control.waiting import until

_TURNS = 4  # of the loop: a request that was sent before this one may wait in another socket, not read yet

Count = Annotated[int, Field(ge=0, le=1_000_000)]


class Verify(Shape):
    """`body` maps JSON Pointers to values, as `when` does. Without an amount: at least 1."""

    scenario: Annotated[str, Field(max_length=2000)] | None = None
    count: Count | None = None
    at_least: Count | None = None
    at_most: Count | None = None
    body: dict[Annotated[str, Field(pattern="^(/.*)?$")], Any] | None = None
    ended: Literal["complete", "ended", "gone", "stopped", "broken", "in flight"] | None = None
    wait: Seconds | None = None

    @field_validator("count", "at_least", "at_most", mode="before")
    @classmethod
    def _number(cls, value: object) -> object:
        return int(value) if isinstance(value, float) and value.is_integer() else value


async def records(call: Call) -> web.StreamResponse:
    session, journal = call.session, call.engine.journal
    await settled(session, call.query.get("wait", 0))
    every = not call.query.get("unmatched")
    found = [record for record in journal.of(session.name) if every or record.chosen.unmatched]
    problems = [problem.as_json() for problem in call.engine.problems]
    return reply({"records": [each.as_dict() for each in found], "dropped": journal.dropped_of(session.name),
                  "problems": problems})  # fmt: skip


async def check(call: Call) -> web.StreamResponse:
    session, said = call.session, call.body
    least, most = _amount(said)
    await settled(session, said.wait or 0)
    wanted = Wanted(said.scenario, said.body, said.ended, least, most)
    verdict = verify(wanted, call.engine.journal.of(session.name))
    return reply({"ok": verdict.ok, "message": verdict.message, "records": list(verdict.records)})


def _amount(said: Verify) -> tuple[int, int | None]:
    if said.count is not None:
        if said.at_least is not None or said.at_most is not None:
            raise Refused(400, "bad-request", "count says it all: at_least and at_most do not go with it.")
        return said.count, said.count
    least = said.at_least if said.at_least is not None else 1 if said.at_most is None else 0
    return least, said.at_most


async def settled(session: Session, length: int) -> None:
    """Wait for what is in flight, so long at most."""
    if length:
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        await until(lambda: session.idle or session.over, session.when_idle, length)


_WAIT = Query("wait", nanoseconds_of_text, SECONDS_TEXT, "How long to wait for requests in flight before the answer.")
_UNMATCHED = Query("unmatched", flag, {"enum": ["0", "1"]}, "1: only the requests that nothing answered.")
_RECORDS = made(records=listed(of("Record")), dropped=COUNT, problems=listed(of("Problem")))

ROUTES = (
    Route("GET", "/sessions/{id}/journal", "What the session was asked, and what became of it.", records,
          {200: _RECORDS}, query=(_WAIT, _UNMATCHED)),
    Route("POST", "/sessions/{id}/verify", "Whether it was asked what a test expects.", check,
          {200: made(ok=FLAG, message=TEXT, records=listed(COUNT))}, body=Verify, optional=True),
)  # fmt: skip
