"""What a payload, or the body of a refused request, says went wrong -> one error map, in the sender's own keys.

It must not know when an error counts: that is the accumulator's to decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fakeserver.speech.reader.jsontext import Json, compact, items, loads, mapping, text
from fakeserver.speech.sse import events

EXCERPT = 200  # characters of a body that is no JSON: enough to know a proxy's page by


@dataclass(frozen=True, slots=True)
class Failure:
    """An error that was sent. `empty`: it was `error: {}`, which may mean nothing."""

    error: dict[str, Json]
    empty: bool = False


def failure(name: str, payload: dict[str, Json]) -> Failure | None:
    """The error of an event of this name. Null, false, "", 0 and [] in the place of an error are none."""
    told = payload.get("error")
    if told or name == "error" or "error" in (payload.get("type"), payload.get("object")):
        return Failure(_error(payload))
    if (text(payload.get("type")) or name) == "response.failed":
        return Failure(mapping(mapping(payload.get("response")).get("error")))
    return Failure({}, empty=True) if told == {} else None


def _error(payload: dict[str, Json]) -> dict[str, Json]:
    told = payload.get("error")
    return error_map(told, payload) if told else _flat(payload)


def error_map(told: Json, beside: Mapping[str, Json]) -> dict[str, Json]:
    """An error of any type as a map. A text is its message (case error-as-string); xAI writes the code beside it."""
    if isinstance(told, dict):
        return told
    code = {"code": beside["code"]} if beside.get("code") else {}
    return {"message": told if isinstance(told, str) else compact(told), **code}


def _flat(payload: dict[str, Json]) -> dict[str, Json]:
    """An error whose fields lie at the top (case event-error-top-level-fields), without the envelope's own."""
    envelope = {"error", "object", "sequence_number"} | ({"type"} if payload.get("type") == "error" else set())
    return {key: value for key, value in payload.items() if key not in envelope}


def message(error: Mapping[str, Json]) -> str:
    """What to tell people: the message or, without one, all that was sent (case error-without-message)."""
    return text(error.get("message")) or compact(error)


def body_error(body: bytes) -> dict[str, Json]:
    """The error of a reply that is none: JSON, else events (case error-status-with-sse-body), else the text's start."""
    told = body.decode(errors="replace").removeprefix("\ufeff").strip()
    return _said(told) or _streamed(body) or {"message": told[:EXCERPT]}


def _said(told: str) -> dict[str, Json] | None:
    """The error of a JSON body; Gemini wraps it in a list. A map that holds no error is one (FastAPI's `detail`)."""
    try:
        value = loads(told)
    except ValueError:
        return None
    return _error(next(map(mapping, items(value)), {}) or mapping(value))


def _streamed(body: bytes) -> dict[str, Json] | None:
    """The first event of a refused request that is an error, or is called one."""
    for event in events(body):
        error = _said(event.data)
        if error or event.name == "error":
            return error or {"message": event.data}
    return None
