"""A scenario's `expect` and a reading -> what disagrees, one sentence each; none when the reading is as expected.

A map matches when the keys that it has match, a list matches whole. It must not know how the reading was made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from fakeserver.speech.reader.failure import message
from fakeserver.speech.reader.jsontext import loads
from fakeserver.speech.reading import Choice, Reading, ToolCall

View: TypeAlias = Mapping[str, object]
_DERIVED = ("complete", "content_size")
NONE: tuple[object, ...] = (None, "", [])  # null, empty and missing are the same


def matches(expectation: View, reading: Reading) -> list[str]:
    """Every disagreement, in the order of the expectation's keys."""
    wanted = expectation.get("choices")
    whole = {"outcome": reading.outcome, "error": reading.error, "usage": reading.usage}
    choices = _choices(reading, len(wanted) if isinstance(wanted, list) else 0)
    return _map("", expectation, {**_choice(reading.first), **whole, "choices": choices})


def _choices(reading: Reading, places: int) -> list[object]:
    """By index for this many places, then what lies beyond: an index may be any number, a list as long is no use."""
    by_index = [_choice(found) if (found := reading.choice(index)) else None for index in range(places)]
    return [*by_index, *(_choice(choice) for choice in reading.choices if choice.index >= places)]


def _choice(choice: Choice) -> dict[str, object]:
    return {
        "outcome": choice.outcome,
        "content": choice.content,
        # An unpaired half of a surrogate pair has no UTF-8; three bytes is what stands in its place on every wire.
        "content_size": len(choice.content.encode("utf-8", "surrogatepass")),
        "reasoning": choice.reasoning,
        "refusal": choice.refusal,
        "tool_calls": [_call(call) for call in choice.tool_calls],
        "finish_reason": choice.finish_reason,
        "error": choice.error,
    }


def _call(call: ToolCall) -> dict[str, object]:
    return {
        "index": call.index,
        "id": call.id,
        "name": call.name,
        "arguments": call.arguments,
        "complete": call.complete,
    }


def _map(path: str, expected: View, found: View) -> list[str]:
    return [line for key, value in expected.items() for line in _key(path, key, value, found)]


def _key(path: str, key: str, expected: object, found: View) -> list[str]:
    """One key: an error may be told by its message, arguments by the JSON that they must be equal to."""
    value = found.get(key)
    if key == "error" and isinstance(expected, str) and isinstance(value, Mapping):
        return _value(path + key, expected, message(value))
    if key == "arguments" and isinstance(expected, Mapping | list) and isinstance(value, str):
        return _arguments(path + key, expected, value)
    return _value(path + key, expected, value)


def _value(path: str, expected: object, found: object) -> list[str]:
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        return _map(f"{path}.", expected, found)
    if isinstance(expected, list) and isinstance(found, list):
        return _list(path, expected, found)
    same = _equal(expected, found) or (expected in NONE and found in NONE)
    return [] if same else [f"{path}: expected {expected!r}, read {found!r}"]


def _list(path: str, expected: Sequence[object], found: Sequence[object]) -> list[str]:
    """Place by place. A null entry stands for a place about which nothing is said."""
    if len(expected) != len(found):
        return [f"{path}: expected {len(expected)}, read {len(found)}: {[_said(each) for each in found]!r}"]
    pairs = [(place, *pair) for place, pair in enumerate(zip(expected, found)) if pair[0] is not None]
    return [line for place, wanted, value in pairs for line in _value(f"{path}[{place}]", wanted, value)]


def _said(value: object) -> object:
    """What was read itself: without what follows from it, and what never came."""
    if not isinstance(value, Mapping):
        return value
    return {key: each for key, each in value.items() if key not in _DERIVED and each not in NONE}


def _arguments(path: str, expected: object, found: str) -> list[str]:
    try:
        value: object = loads(found.strip() or "{}")
    except ValueError:
        return [f"{path}: expected {expected!r}, read {found!r}, which is not JSON"]
    return [] if _equal(expected, value) else [f"{path}: expected {expected!r}, read {value!r}"]


def _equal(expected: object, found: object) -> bool:
    """JSON's equality: 1 is 1.0 but not true, which Python takes for one."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        return expected.keys() == found.keys() and all(_equal(expected[key], found[key]) for key in expected)
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(map(_equal, expected, found))
    return isinstance(expected, bool) == isinstance(found, bool) and expected == found
