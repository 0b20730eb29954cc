"""A valid request -> the Ask: the few facts of it that a plan may see, and no more, so that plans can be kept by it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

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
    )


def _said(request: Request) -> Iterator[str]:
    return (as_text(message["content"]) for message in request.messages if message.get("content") is not None)


def _text(name: str, request: Request) -> str:
    if name == "last_user":
        users = [message.get("content") for message in request.messages if message.get("role") == "user"]
        return as_text(users[-1]) if users else ""
    return as_text(_at(request.body, name.removeprefix(_POINTER)))


class _Missing:
    """What a pointer leads to when it leads nowhere: not null, which is a value."""


def _at(value: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        elif isinstance(value, dict) and key in value:
            value = value[key]
        else:
            return _Missing
    return value


def as_text(value: Any) -> str:
    """Text as it is; a message's parts: their texts; nothing: empty; any other JSON: compact."""
    if value is _Missing:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(part, dict) and "type" in part for part in value):
        return "".join(str(part["text"]) for part in value if isinstance(part.get("text"), str))
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
