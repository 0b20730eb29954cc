"""Durations, counts and flags as they are written in a query or a body -> values, and their JSON Schemas.

It must not know routes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

Json = dict[str, Any]
Read = Callable[[str], Any]

MOST = 86_400  # seconds
_TEXT = r"(?:[0-9]{1,4}(?:\.[0-9]{1,9})?(?:us|ms|s|m))"
_NUMBER = r"(?:[0-9]{1,4}(?:\.[0-9]{1,9})?)"
_UNITS = {"us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000, "": 1_000_000_000}

SECONDS: Json = {
    "description": "A number of seconds, or a text with a unit: 2s, 1.5s, 250ms, 1m.",
    "anyOf": [{"type": "number", "minimum": 0, "maximum": MOST}, {"type": "string", "pattern": f"^{_TEXT}$"}],
}
SECONDS_TEXT: Json = {
    "description": "Seconds: 2, 1.5s, 250ms, 1m. No wait is longer than five minutes.",
    "type": "string",
    "pattern": f"^(?:{_TEXT}|{_NUMBER})$",
}


def nanoseconds(value: object) -> int:
    """A number of seconds or a text -> whole nanoseconds. Raises ValueError."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST:
        return round(value * 1_000_000_000)
    if isinstance(value, str) and re.fullmatch(_TEXT, value):
        return _of_text(value)
    raise ValueError(f"a duration is a number of seconds up to {MOST}, or a text with a unit: 2s, 250ms")


def nanoseconds_of_text(text: str) -> int:
    """The same in a query, where numbers are texts."""
    if re.fullmatch(f"{_TEXT}|{_NUMBER}", text):
        return _of_text(text)
    raise ValueError("a duration is a number of seconds, or has a unit: 2, 2s, 250ms")


def _of_text(text: str) -> int:
    unit = text.lstrip("0123456789.")
    whole, _, places = text.removesuffix(unit).partition(".")
    return int(whole + places) * _UNITS[unit] // int("1" + "0" * len(places))


def flag(text: str) -> bool:
    """`1` or `0`. Raises ValueError."""
    if text not in ("0", "1"):
        raise ValueError("a flag is 1 or 0")
    return text == "1"


def whole(text: str) -> int:
    """A whole number. Raises ValueError."""
    if not re.fullmatch("[0-9]{1,9}", text):
        raise ValueError("a count is a whole number")
    return int(text)


def up_to(most: int) -> Read:
    """A whole number from 1."""

    def read(text: str) -> int:
        if not re.fullmatch("[1-9][0-9]{0,8}", text) or int(text) > most:
            raise ValueError(f"a whole number from 1 to {most} is needed")
        return int(text)

    return read


def names(text: str) -> tuple[str, ...]:
    """`a,b`: the ones that are not empty."""
    return tuple(filter(None, text.split(",")))


def text(value: str) -> str:
    return value


Seconds = Annotated[int, BeforeValidator(nanoseconds), WithJsonSchema(SECONDS)]
