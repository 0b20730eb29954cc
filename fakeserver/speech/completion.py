"""A reading -> the `chat.completion` object that a request without streaming gets: what the stream would have said.

Keys stand in the real API's order. It must not know where the reading, the id or the envelope come from.
"""

from __future__ import annotations

from collections.abc import Mapping

from fakeserver.speech.reader.jsontext import Json
from fakeserver.speech.reading import Choice, Reading, ToolCall

OWN = ("id", "object", "created", "model", "choices", "usage")


def completion(reading: Reading, *, id: str, created: int, model: str, envelope: Mapping[str, Json]) -> dict[str, Json]:
    """The object; `envelope` adds what a chunk's would, behind the usage. Usage that nobody sent is left out."""
    usage: dict[str, Json] = {} if reading.usage is None else {"usage": dict(reading.usage)}
    rest = {key: value for key, value in envelope.items() if key not in OWN}
    return {
        "id": id,
        "object": "chat.completion",
        "created": created,
        "model": model,
        "choices": [_choice(choice) for choice in reading.choices],
        **usage,
        **rest,
    }


def _choice(choice: Choice) -> dict[str, Json]:
    return {
        "index": choice.index,
        "message": _message(choice),
        "logprobs": None if choice.logprobs is None else dict(choice.logprobs),
        "finish_reason": choice.finish_reason,
    }


def _message(choice: Choice) -> dict[str, Json]:
    """Content is null, not "", where calls or a refusal stand in its place."""
    replaced = bool(choice.tool_calls or choice.refusal) or choice.outcome == "refused"
    reasoning: dict[str, Json] = {"reasoning_content": choice.reasoning} if choice.reasoning else {}
    return {
        "role": choice.role,
        "content": choice.content or (None if replaced else ""),
        "refusal": choice.refusal or None,
        "annotations": [*choice.annotations],
        **reasoning,
        **_calls(choice),
    }


def _calls(choice: Choice) -> dict[str, Json]:
    """A call that finished as `function_call` is told in that older form, which has no id."""
    if not choice.tool_calls:
        return {}
    if choice.finish_reason == "function_call":
        return {"function_call": _function(choice.tool_calls[0])}
    return {"tool_calls": [_call(call) for call in choice.tool_calls]}


def _call(call: ToolCall) -> dict[str, Json]:
    return {"id": call.id, "type": "function", "function": _function(call)}


def _function(call: ToolCall) -> dict[str, Json]:
    return {"name": call.name, "arguments": call.arguments}
