"""A request's numbers -> the fault of the first one outside its range, in the real API's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fakeserver.match.facts import Fault
from fakeserver.match.words import wrong_type

# Name: whole numbers only, least, most. From the published request types of chat completions.
RANGES: dict[str, tuple[bool, int, int]] = {
    "n": (True, 1, 128),
    "temperature": (False, 0, 2),
    "top_p": (False, 0, 1),
    "presence_penalty": (False, -2, 2),
    "frequency_penalty": (False, -2, 2),
    "top_logprobs": (True, 0, 20),
}


def range_fault(body: Mapping[str, Any]) -> Fault | None:
    faults = (_fault(name, body[name], *RANGES[name]) for name in RANGES if body.get(name) is not None)
    return next((fault for fault in faults if fault is not None), None)


def _fault(name: str, value: Any, whole: bool, least: int, most: int) -> Fault | None:
    kind = "integer" if whole else "decimal"
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        return wrong_type(name, "an integer" if whole else "a decimal", value)
    if value < least:
        return _outside(name, kind, "below_min_value", f"below minimum value. Expected a value >= {least}", value)
    if value > most:
        return _outside(name, kind, "above_max_value", f"above maximum value. Expected a value <= {most}", value)
    return None


def _outside(name: str, kind: str, code: str, said: str, value: float) -> Fault:
    return Fault("bad-request", f"Invalid '{name}': {kind} {said}, but got {value} instead.", name, f"{kind}_{code}")
