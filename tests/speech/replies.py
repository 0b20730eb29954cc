"""Replies in few words: events from values, as a client receives them, and what is read from them."""

from __future__ import annotations

import json
from typing import Any

from fakeserver.speech.accumulator import read, readings
from fakeserver.speech.reading import Ended, Reading, Received

EVENTS = "text/event-stream"
DONE = "[DONE]"
STOP = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
USAGE = {"choices": [], "usage": {"total_tokens": 3}}
BOOM = {"error": {"message": "boom"}}


def delta(index: int = 0, finish: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": index, "delta": fields, "finish_reason": finish}]}


def say(text: Any) -> dict[str, Any]:
    return delta(content=text)


def received(*events: Any, end: Ended = "clean", **rest: Any) -> Received:
    """Events from values: a map is JSON, a text is data as it is, bytes are body bytes."""
    return Received(200, EVENTS, b"".join(map(event, events)), end, **rest)


def event(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    data = value if isinstance(value, str) else json.dumps(value)
    return f"data: {data}\n\n".encode()


def heard(*events: Any, **rest: Any) -> Reading:
    return read(received(*events, **rest))


def outcomes(*events: Any, end: Ended = "clean", **rest: Any) -> list[str]:
    return [reading.outcome for reading in readings(received(*events, end=end, **rest))]
