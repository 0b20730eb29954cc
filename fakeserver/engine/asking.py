"""A valid request -> the Ask: the few facts of it that a plan may see, and no more, so that plans can be kept by it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

from fakeserver.match.seen import MISSING, pointed, steps_of, text_of
from fakeserver.match.validate import Request
from fakeserver.plan.ask import Ask
from fakeserver.speech.pieces import tokens

_POINTER = "request."


def ask_of(request: Request, http: str, needs: Collection[str], number: int) -> Ask:
    """`needs` names what the scenario's templates use; `number` is the request's in its session."""
    counted = request.usage or not request.stream or "prompt_tokens" in needs
    texts = sorted(name for name in needs if name == "last_user" or name.startswith(_POINTER))
    return Ask(
        model=request.model,
        stream=request.stream,
        usage=request.usage,
        http=http,
        prompt_tokens=sum(len(tokens(text)) for text in _said(request)) if counted else 0,
        texts=tuple((name, _text(name, request)) for name in texts),
        number=number if "number" in needs else 0,
        padding=request.padding or "padding" not in needs,
    )


def _said(request: Request) -> Iterator[str]:
    return (as_text(message["content"]) for message in request.messages if message.get("content") is not None)


def _text(name: str, request: Request) -> str:
    if name == "last_user":
        users = [message for message in request.messages if message.get("role") == "user"]
        return text_of(users[-1]) if users else ""
    return as_text(pointed(request.body, steps_of(name.removeprefix(_POINTER))))


def as_text(value: Any) -> str:
    """Text as it is; a message's parts: their texts; nothing: empty; any other JSON: compact."""
    if value is MISSING:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(part, dict) and "type" in part for part in value):
        return "".join(str(part["text"]) for part in value if isinstance(part.get("text"), str))
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
