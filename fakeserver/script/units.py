"""Texts with a meaning of their own: durations, sizes, pointers, selectors, places, cuts' points. Text -> value."""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, WithJsonSchema

from fakeserver.script.problems import near
from fakeserver.script.shapes import NotNull, kind, wanted, wrong

T = TypeVar("T")
Maybe = Annotated[T | None, NotNull()]

_NS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000}
_BYTES = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}
DURATION = r"^\d+(\.\d+)?(us|ms|s|m)$"
SIZE = r"^\d+(B|KiB|MiB)$"

KINDS = ("role", "content", "reasoning", "refusal", "call", "call-rest", "finish", "usage", "error", "done")
SELECTORS = ("all", "first", "last", "rest", *KINDS)
PLACES = ("utf8", "data-prefix", "lines", "blank-line", "crlf", "json-escape", "frame-size", "frame-end")


def duration(value: object) -> int:
    """`20ms`, `1.5s`, `2m`, `300us` -> whole nanoseconds."""
    hit = isinstance(value, str) and re.fullmatch(r"(\d+)(?:\.(\d+))?(us|ms|s|m)", value)
    if not hit:
        unit = f"a duration has a unit: {value}ms" if _number(value) else "write a duration such as 20ms, 1.5s or 2m"
        raise wrong("duration", f"expected a duration, got {_shown(value)}", unit)
    # Not by float: 0.1ms is 100000 ns exactly.
    places = hit[2] or ""
    return int(hit[1] + places) * _NS[hit[3]] // 10 ** len(places)


def size(value: object) -> int:
    """`40B`, `16KiB`, `1MiB` -> bytes."""
    hit = isinstance(value, str) and re.fullmatch(r"(\d+)(B|KiB|MiB)", value)
    if not hit:
        unit = f"a size has a unit: {value}B" if _number(value) else "write a size such as 1B, 16KiB or 1MiB"
        raise wrong("size", f"expected a size, got {_shown(value)}", unit)
    return int(hit[1]) * _BYTES[hit[2]]


def signed_size(value: object) -> int:
    """`40B` (the first 40 bytes) or `-2B` (all but the last two)."""
    if isinstance(value, str) and value.startswith("-"):
        return -size(value[1:])
    return size(value)


def text(value: object) -> str:
    """A text as it is written."""
    if isinstance(value, str):
        return value
    raise wrong("type", f"expected a text, got {kind(value)}", wanted(value, True))


def count(value: object) -> int:
    """A plain whole number from 0 up."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise wrong("type", f"expected a whole number, got {_shown(value)}", "write a plain count such as 3")


def integer(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise wrong("type", f"expected a whole number, got {_shown(value)}", wanted(value, False))


def flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    hint = {"yes": "write true", "on": "write true", "no": "write false", "off": "write false"}
    raise wrong("type", f"expected true or false, got {_shown(value)}", hint.get(str(value), "write true or false"))


def pointer(value: object) -> str:
    """A JSON Pointer from the chunk (`/choices/0/delta`), or from each of its choices (`delta/content`)."""
    said = text(value)
    if not said or re.search(r"~(?![01])", said):
        raise wrong("pointer", f"'{said}' is no pointer", "write /a/b (from the chunk) or a/b (from each choice); ~ is ~0")
    return said


def absolute(value: object) -> str:
    """A JSON Pointer as RFC 6901 writes it."""
    said = text(value)
    if said and (not said.startswith("/") or re.search(r"~(?![01])", said)):
        raise wrong("pointer", f"'{said}' is no JSON Pointer", f"it begins with a slash: /{said}")
    return said


def selector(value: object) -> object:
    """One selector, or a list of them, as `only` and `break.at` take them."""
    if isinstance(value, list | tuple):
        return tuple(_one_selector(each) for each in value)
    return _one_selector(value)


def _one_selector(value: object) -> int | str:
    if isinstance(value, int) and not isinstance(value, bool) and value != 0:
        return value
    said = value if isinstance(value, str) else ""
    if said in SELECTORS or re.fullmatch(r"[1-9]\d*\.\.", said) or re.fullmatch(r"response\.[a-z_.]+", said):
        return said
    raise wrong("selector", f"unknown selector {_shown(value)}", near(said, SELECTORS, "a number from 1, n.., or one of"))


def break_at(value: object) -> int | str:
    """After n events (3), after half of them (50%), or before the first of a kind."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    said = value if isinstance(value, str) else ""
    if re.fullmatch(r"(100|\d{1,2})%", said) or said in KINDS or re.fullmatch(r"response\.[a-z_.]+", said):
        return said
    raise wrong("selector", f"no place to break at: {_shown(value)}", near(said, KINDS, "a count, a share such as 50%, or"))


def turn(value: object) -> int | str:
    if (isinstance(value, int) and not isinstance(value, bool) and value > 0) or (
        isinstance(value, str) and re.fullmatch(r"[1-9]\d*\.\.", value)
    ):
        return value  # type: ignore[return-value]  # just seen: a number or a text
    raise wrong("turn", f"expected a turn, got {_shown(value)}", "write a number from 1, or n.. for the n-th and later")


def regex(value: object) -> str:
    said = text(value)
    try:
        re.compile(said)
    except re.error as error:
        raise wrong("regex", f"not a regular expression: {error}", "Python's re syntax; quote it in single quotes") from None
    return said


def name(value: object) -> str:
    said = text(value)
    if re.fullmatch(r"[a-z0-9][a-z0-9._-]*", said):
        return said
    raise wrong("name", f"'{said}' is no name", "small letters, digits, dots, dashes and underscores, a letter or digit first")


def status(value: object) -> int:
    code = integer(value)
    if 100 <= code <= 999:
        return code
    raise wrong("status", f"no HTTP status: {code}", "three digits; a head of any bytes is head: {raw: ...}")


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value) if _number(value) else kind(value)


def _schema(**rest: Any) -> WithJsonSchema:
    return WithJsonSchema(rest)


Duration = Annotated[int, BeforeValidator(duration), _schema(type="string", pattern=DURATION)]
Size = Annotated[int, BeforeValidator(size), _schema(type="string", pattern=SIZE)]
SignedSize = Annotated[int, BeforeValidator(signed_size), _schema(type="string", pattern=r"^-?\d+(B|KiB|MiB)$")]
Text = Word = Annotated[str, BeforeValidator(text), _schema(type="string")]
Count = Annotated[int, BeforeValidator(count), _schema(type="integer", minimum=0)]
Int = Annotated[int, BeforeValidator(integer), _schema(type="integer")]
Flag = Annotated[bool, BeforeValidator(flag), _schema(type="boolean")]
Pointer = Annotated[str, BeforeValidator(pointer), _schema(type="string", minLength=1)]
Absolute = Annotated[str, BeforeValidator(absolute), _schema(type="string", pattern="^(/.*)?$")]
_ONE = {"anyOf": [{"enum": list(SELECTORS)}, {"type": "integer", "not": {"const": 0}},
                  {"type": "string", "pattern": r"^([1-9]\d*\.\.|response\.[a-z_.]+)$"}]}  # fmt: skip
Selector = Annotated[
    Any, BeforeValidator(selector), _schema(anyOf=[*_ONE["anyOf"], {"type": "array", "items": _ONE}])  # type: ignore[misc]
]
BreakAt = Annotated[
    Any,
    BeforeValidator(break_at),
    _schema(anyOf=[{"enum": list(KINDS)}, {"type": "integer", "minimum": 0},
                   {"type": "string", "pattern": r"^((100|\d{1,2})%|response\.[a-z_.]+)$"}]),
]  # fmt: skip
Status = Annotated[int, BeforeValidator(status), _schema(type="integer", minimum=100, maximum=999)]
Turn = Annotated[
    Any,
    BeforeValidator(turn),
    _schema(anyOf=[{"type": "integer", "minimum": 1}, {"type": "string", "pattern": r"^[1-9]\d*\.\.$"}]),
]
Regex = Annotated[str, BeforeValidator(regex), _schema(type="string", format="regex")]
Name = Annotated[str, BeforeValidator(name), _schema(type="string", pattern=r"^[a-z0-9][a-z0-9._-]*$")]

