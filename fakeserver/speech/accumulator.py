"""The bytes of a reply -> what a correct client must make of it: the language's section 6, run.

`read` is the reading that each row names first; `readings` adds what the policies permit besides. Nothing here asks
what a scenario meant to say: only what arrived counts. It must not know a socket, a clock, or a plan.
"""

from __future__ import annotations

from fakeserver.speech import sse
from fakeserver.speech.reader import responses
from fakeserver.speech.reader.failure import body_error, failure
from fakeserver.speech.reader.jsontext import Json, items, loads, mapping
from fakeserver.speech.reader.policies import FIRST_NAMED, Judge, Policies
from fakeserver.speech.reader.stream import Stream
from fakeserver.speech.reading import Choice, Reading, Received

OBJECTS = ("chat.completion", "text_completion", "response")


def read(received: Received, policies: Policies = FIRST_NAMED) -> Reading:
    """The one reading under these policies; unless told otherwise, the one that comes first in each row."""
    return _read(received, Judge(policies))


def readings(received: Received) -> tuple[Reading, ...]:
    """Every reading that is right, each once: the first-named one, then the others, by how many policies they need."""
    found: dict[Policies, Reading] = {}
    waiting = [FIRST_NAMED]
    for policies in waiting:
        if policies not in found:
            judge = Judge(policies)
            found[policies] = _read(received, judge)
            waiting += judge.others()
    return tuple(_distinct([*found.values()]))


def _distinct(found: list[Reading]) -> list[Reading]:
    return [reading for place, reading in enumerate(found) if reading not in found[:place]]


def _read(received: Received, judge: Judge) -> Reading:
    if received.status is None:
        return _failed({"message": "no response came"})
    if not 200 <= received.status < 300:
        return _failed(body_error(received.body))
    return _stream(received, judge) if _is_stream(received) else _object(received, judge)


def _failed(error: dict[str, Json]) -> Reading:
    return Reading((Choice(0, "failed", error=error),))


def _is_stream(received: Received) -> bool:
    """By its content type, of which servers write the rest as they like, or by its look (case content-type-odd)."""
    announced = (received.content_type or "").strip().lower().startswith("text/event-stream")
    return announced or sse.looks_like_events(received.body)


def _stream(received: Received, judge: Judge) -> Reading:
    stream = Stream(judge)
    for event in sse.events(received.body):
        if not stream.take(event):
            break
    if received.broken:
        stream.broken()
    return stream.reading(received.end)


def _object(received: Received, judge: Judge) -> Reading:
    """A completion object is an answer in one piece (case json-body-for-stream-request); anything else is a failure."""
    answer = _answer(received.body)
    if answer is None:
        return _failed(body_error(received.body))
    if judge("object_fails"):
        return _failed({"message": "one object came where events were asked"})
    stream = Stream(judge)
    if answer.get("object") == "response":
        responses.absorb_object(stream.draft(0), answer)
    stream.absorb("message", answer)
    return stream.reading(received.end)


def _answer(body: bytes) -> dict[str, Json] | None:
    """The completion object that this body is, if it is one and says nothing of an error."""
    try:
        value = mapping(loads(body.decode(errors="replace").removeprefix("\ufeff")))
    except ValueError:
        return None
    has_message = any("message" in mapping(choice) for choice in items(value.get("choices")))
    is_answer = has_message or value.get("object") in OBJECTS
    return value if is_answer and failure("message", value) is None else None
