"""JSON values -> the words in which the real API names their types."""

from __future__ import annotations

from typing import Any

from fakeserver.match.facts import Fault


def kind_of(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "decimal"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def article(kind: str) -> str:
    """`an integer`, `a string`, and `null` alone."""
    if kind == "null":
        return kind
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def wrong_type(place: str, expected: str, value: Any) -> Fault:
    message = f"Invalid type for '{place}': expected {expected}, but got {article(kind_of(value))} instead."
    return Fault("bad-request", message, place, "invalid_type")
