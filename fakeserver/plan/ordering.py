"""A chunk -> the same with its keys in a provider's order: those that are named first, the others as they were."""

from __future__ import annotations

from typing import Any, Literal

from fakeserver.script.dialect import KeyOrder
from fakeserver.speech.chat import leading

Json = Any
Keys = Literal["openai", "sorted"] | KeyOrder


def ordered(chunk: Json, order: KeyOrder) -> Json:
    """The chunk, its choices, their deltas and calls. Usage has its order already, and so has what copies it."""
    if not isinstance(chunk, dict):
        return chunk
    out = leading(chunk, order.chunk)
    if isinstance(out.get("choices"), list):
        out["choices"] = [_choice(each, order) for each in out["choices"]]
    return out


def _choice(choice: Json, order: KeyOrder) -> Json:
    if not isinstance(choice, dict):
        return choice
    out = leading(choice, order.choice)
    if isinstance(out.get("delta"), dict):
        out["delta"] = _delta(out["delta"], order)
    return out


def _delta(delta: dict[str, Json], order: KeyOrder) -> Json:
    out = leading(delta, order.delta)
    calls = out.get("tool_calls")
    if order.call and isinstance(calls, list):
        out["tool_calls"] = [leading(call, order.call) if isinstance(call, dict) else call for call in calls]
    return out
