"""A chat request's body -> the parsed request, or the fault that the real API would name.

It must not know routes, keys or scenarios. Wording and order are the real API's where reference/wire.md section 5 knows
them; a fault without a message has its name's usual one. Keys that the real API does not know are let through: clients
of other providers send their own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fakeserver.match.facts import Fault
from fakeserver.match.ranges import range_fault
from fakeserver.match.words import article, kind_of, wrong_type

ROLES = ("system", "assistant", "user", "function", "tool", "developer")
_NEEDS_TEXT = frozenset({"system", "user", "developer"})


@dataclass(frozen=True, slots=True)
class Request:
    """A request that may be answered. Its stream tells `usage`; its chunks may be padded (`padding`)."""

    body: Mapping[str, Any]
    model: str
    stream: bool
    usage: bool
    padding: bool = True

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body["messages"])


def read_request(body: bytes, model: str = "") -> Request | Fault:
    """`model` is what the path names; it stands where the body names none."""
    parsed = _parsed(body)
    if isinstance(parsed, Fault):
        return parsed
    if model and parsed.get("model") in (None, ""):
        parsed["model"] = model
    fault = _model_fault(parsed) or _messages_fault(parsed) or _stream_fault(parsed) or range_fault(parsed)
    if fault is not None:
        return fault
    options = parsed.get("stream_options") or {}
    usage, padding = options.get("include_usage") is True, options.get("include_obfuscation") is not False
    return Request(parsed, parsed["model"], parsed.get("stream") is True, usage, padding)


def _parsed(body: bytes) -> dict[str, Any] | Fault:
    try:
        text = body.decode("utf-8")
        parsed = _DECODER.decode(text)
        if "\\u" in text:
            # Half a surrogate pair is legal JSON and no text: nothing that echoes it could be sent.
            json.dumps(parsed, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):  # UnicodeError and JSONDecodeError are ValueErrors
        return Fault("bad-json")
    if not isinstance(parsed, dict):
        message = f"Invalid type for request body: expected an object, but got {article(kind_of(parsed))} instead."
        return Fault("bad-request", message, None, "invalid_type")
    return parsed


def _no_constant(name: str) -> None:
    raise ValueError(name)  # NaN and Infinity are not JSON


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def _model_fault(body: Mapping[str, Any]) -> Fault | None:
    model = body.get("model")
    if model is None or model == "":
        return Fault("missing-model")
    return None if isinstance(model, str) else wrong_type("model", "a string", model)


def _messages_fault(body: Mapping[str, Any]) -> Fault | None:
    messages = body.get("messages")
    if messages is None:
        return Fault("missing-messages")
    if not isinstance(messages, list):
        return wrong_type("messages", "an array of objects", messages)
    if not messages:
        return Fault("empty-messages")
    faults = (_message_fault(f"messages[{number}]", message) for number, message in enumerate(messages))
    return next((fault for fault in faults if fault is not None), None)


def _message_fault(place: str, message: Any) -> Fault | None:
    if not isinstance(message, dict):
        return wrong_type(place, "an object", message)
    role = message.get("role")
    if role is None:
        name = f"{place}.role"
        return Fault("bad-request", f"Missing required parameter: '{name}'.", name, "missing_required_parameter")
    if not isinstance(role, str):
        return wrong_type(f"{place}.role", _one_of_roles(), role)
    if role not in ROLES:
        supported = ", ".join(f"'{name}'" for name in ROLES[:-1]) + f", and '{ROLES[-1]}'"
        return Fault("bad-role", f"Invalid value: '{role}'. Supported values are: {supported}.", f"{place}.role")
    return _content_fault(f"{place}.content", role, message.get("content"))


def _one_of_roles() -> str:
    return "one of " + ", ".join(f"'{name}'" for name in ROLES[:-1]) + f", or '{ROLES[-1]}'"


def _content_fault(place: str, role: str, content: Any) -> Fault | None:
    if content is None:
        return wrong_type(place, _CONTENT, None) if role in _NEEDS_TEXT else None
    if not isinstance(content, str | list):
        return wrong_type(place, _CONTENT, content)
    parts = enumerate(content) if isinstance(content, list) else ()
    wrong = next(((n, part) for n, part in parts if not isinstance(part, dict)), None)
    return None if wrong is None else wrong_type(f"{place}[{wrong[0]}]", "an object", wrong[1])


_CONTENT = "one of a string or array of objects"


def _stream_fault(body: Mapping[str, Any]) -> Fault | None:
    stream, options = body.get("stream"), body.get("stream_options")
    if not isinstance(stream, bool | None):
        return wrong_type("stream", "a boolean", stream)
    if options is None:
        return None
    if not isinstance(options, dict):
        return wrong_type("stream_options", "an object", options)
    if not stream:
        return Fault("stream-options")
    names = (name for name in _FLAGS if not isinstance(options.get(name), bool | None))
    return next((wrong_type(f"stream_options.{name}", "a boolean", options[name]) for name in names), None)


_FLAGS = ("include_usage", "include_obfuscation")
