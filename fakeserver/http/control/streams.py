"""Control routes about one stream that is in flight: ended, held or stepped by hand, wherever it is."""

from __future__ import annotations

from typing import Literal

from aiohttp import web

from fakeserver.engine import Answer
from fakeserver.http.control.gates import ErrorEnd, Step, onward_of
from fakeserver.http.control.requests import kept
from fakeserver.http.control.routing import Call, Refused, Route, Shape, reply
from fakeserver.http.control.schemas import COUNT, FLAG, TEXT, made, maybe


class End(Shape):
    """How the stream ends, in the place of its plan."""

    end: Literal["reset", "close", "end"] | ErrorEnd


class Hold(Shape):
    """Whether it stops before its next event; false: it goes on to its end."""

    on: bool


async def end(call: Call) -> web.StreamResponse:
    answer, onward = _in_flight(call), onward_of(call, call.body.end)
    assert onward is not None
    answer.end(onward)
    return _state(answer)


async def hold(call: Call) -> web.StreamResponse:
    answer = _in_flight(call)
    answer.hold(call.body.on)
    return _state(answer)


async def step(call: Call) -> web.StreamResponse:
    answer = _in_flight(call)
    answer.step(call.body.events)
    return _state(answer)


def _in_flight(call: Call) -> Answer:
    """Raises Refused."""
    record = kept(call)
    answer = call.engine.in_flight(record.number)
    if answer is None:
        raise Refused(409, "over", f"The answer to request {record.number} is over: {record.how}.")
    return answer


def _state(answer: Answer) -> web.StreamResponse:
    record = answer.record
    return reply({"number": record.number, "how": record.how, "events": record.events, "held": answer.held,
                  "gate": answer.gate})  # fmt: skip


_STATE = made(number=COUNT, how=TEXT, events=COUNT, held=FLAG, gate=maybe(TEXT))

ROUTES = (
    Route("POST", "/requests/{number}/end", "End this stream now, wherever it is.", end, {200: _STATE}, body=End,
          refusals=(404, 409)),
    Route("POST", "/requests/{number}/hold", "Stop this stream before its next event, or let it go on to its end.",
          hold, {200: _STATE}, body=Hold, refusals=(404, 409)),
    Route("POST", "/requests/{number}/step", "Let this stream go on by so many events, and stop it then.", step,
          {200: _STATE}, body=Step, optional=True, refusals=(404, 409)),
)  # fmt: skip
