"""Texts with a meaning of their own: durations, sizes, pointers, selectors, names. Text -> value, or what is wrong."""

from __future__ import annotations

import re
import warnings
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, WithJsonSchema

from fakeserver.script.problems import NAME, WRITTEN, near
from fakeserver.script.shapes import NotNull, kind, wanted, wrong

T = TypeVar("T")
Maybe = Annotated[T | None, NotNull()]

_NS = {"us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000}
_BYTES = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}
# Bounded, so that no number grows beyond what Python prints; nine digits are 30 years of seconds.
DURATION = r"[0-9]{1,9}(\.[0-9]{1,9})?(us|ms|s|m)"
SIZE = r"[0-9]{1,9}(B|KiB|MiB)"
_FROM = r"[1-9][0-9]{0,8}\.\."
_TYPE = r"response\.[a-z_.]+"
_SHARE = r"(100|[0-9]{1,2})%"

KINDS = ("role", "content", "reasoning", "refusal", "call", "call-rest", "finish", "usage", "error", "done")
SELECTORS = ("all", "first", "last", "rest", *KINDS)


def duration(value: object) -> int:
    """`20ms`, `1.5s`, `2m`, `300us` -> whole nanoseconds."""
    said = value if isinstance(value, str) else ""
    if not re.fullmatch(DURATION, said):
        unit = (
            f"a duration has a unit: {WRITTEN}ms"
            if _number(value)
            else _or(value, "write it with its unit: 20ms, 1.5s or 2m")
        )
        raise wrong("duration", f"expected a duration, got {shown(value)}", unit)
    unit = said.lstrip("0123456789.")
    whole, _, places = said.removesuffix(unit).partition(".")
    # Not by float: 0.1ms is 100000 ns exactly.
    return int(whole + places) * _NS[unit] // int("1" + "0" * len(places))


def size(value: object) -> int:
    """`40B`, `16KiB`, `1MiB` -> bytes."""
    said = value if isinstance(value, str) else ""
    if not re.fullmatch(SIZE, said):
        unit = (
            f"a size has a unit: {WRITTEN}B"
            if _number(value)
            else _or(value, "write it with its unit: 1B, 16KiB or 1MiB")
        )
        raise wrong("size", f"expected a size, got {shown(value)}", unit)
    unit = said.lstrip("0123456789")
    return int(said.removesuffix(unit)) * _BYTES[unit]


def signed_size(value: object) -> int:
    """`40B` (the first 40 bytes) or `-2B` (all but the last two)."""
    if isinstance(value, str) and value.startswith("-"):
        return -size(value[1:])
    return size(value)


def buffer(value: object) -> str:
    """`all`, a size or a duration, as written; `none` holds nothing back."""
    said = value if isinstance(value, str) else ""
    if re.fullmatch(f"none|all|{SIZE}|{DURATION}", said):
        return said
    raise wrong(
        "buffer", f"expected a size, a duration, all or none, got {shown(value)}", "write 4KiB, 200ms, all or none"
    )


def text(value: object) -> str:
    """A text as it is written."""
    if isinstance(value, str):
        return value
    raise wrong("type", f"expected a text, got {kind(value)}", wanted(value, "text"))


def integer(value: object) -> int:
    """A plain whole number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise wrong("type", f"expected a whole number, got {shown(value)}", _plain_number(value))


def count(value: object) -> int:
    """A plain whole number from 0 up."""
    number = integer(value)
    if number >= 0:
        return number
    raise wrong("type", f"expected a count, got {number}", "write a whole number from 0 up")


def flag(value: object) -> bool:
    """True or false."""
    if isinstance(value, bool):
        return value
    hint = {"yes": "write true", "on": "write true", "no": "write false", "off": "write false"}
    raise wrong(
        "type", f"expected true or false, got {shown(value)}", hint.get(str(value), _or(value, "write true or false"))
    )


def pointer(value: object) -> str:
    """A JSON Pointer from the chunk (`/choices/0/delta`), or from each of its choices (`delta/content`)."""
    said = text(value)
    if not said or re.search(r"~(?![01])", said):
        raise wrong("pointer", f"'{said}' is no pointer",
                    "write /a/b (from the chunk) or a/b (from each choice); a ~ in a key is ~0, a / is ~1")  # fmt: skip
    return said


def absolute(value: object) -> str:
    """A JSON Pointer as RFC 6901 writes it."""
    said = text(value)
    if said and not said.startswith("/"):
        raise wrong("pointer", f"'{said}' is no JSON Pointer", f"it begins with a slash: /{said}")
    if re.search(r"~(?![01])", said):
        raise wrong("pointer", f"'{said}' is no JSON Pointer", "a ~ in a key is written ~0, a / is ~1")
    return said


def selector(value: object) -> object:
    """One selector, or a list of them, as `only` takes it."""
    if value == []:
        raise wrong("empty", "nothing in it", "write a selector, or leave the key out: all is the default")
    if isinstance(value, list):
        return tuple(_one_selector(each, i) for i, each in enumerate(value))
    return _one_selector(value)


def _one_selector(value: object, *inside: int) -> int | str:
    if isinstance(value, int) and not isinstance(value, bool) and value != 0:
        return value
    said = value if isinstance(value, str) else ""
    if said in SELECTORS or re.fullmatch(f"{_FROM}|{_TYPE}", said):
        return said
    if value is None:
        raise wrong("type", "expected a selector, got nothing", wanted(value), *inside)
    known = near(said, SELECTORS, "a number (1 is the first, -1 the last), n.. or one of")
    raise wrong("selector", f"unknown selector {shown(value)}", known, *inside)


def break_at(value: object) -> int | str:
    """After n events (3), after half of them (50%), or before the first of a kind."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    said = value if isinstance(value, str) else ""
    if said in KINDS or re.fullmatch(f"{_SHARE}|{_TYPE}", said):
        return said
    known = near(said, KINDS, "a count of events, a share up to 100%, or one of")
    raise wrong("selector", f"no place to break at: {shown(value)}", known)


def turn(value: object) -> int | str:
    """The n-th turn of a conversation, or it and all later ones (`2..`)."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    if isinstance(value, str) and re.fullmatch(_FROM, value):
        return value
    raise wrong(
        "turn", f"expected a turn, got {shown(value)}", "write a number from 1, or 2.. for the second and later"
    )


def regex(value: object) -> str:
    """A regular expression of Python's."""
    said = text(value)
    try:
        with warnings.catch_warnings():  # what Python may change one day is no mistake
            warnings.simplefilter("ignore")
            re.compile(said)
    except (re.error, OverflowError, RecursionError) as error:
        raise wrong("regex", f"no regular expression: {error}",
                    "it follows Python's re; single quotes keep its backslashes")  from None  # fmt: skip
    return said


def name(value: object) -> str:
    """The name of a dialect or of an error."""
    said = text(value)
    if re.fullmatch(NAME, said):
        return said
    raise wrong(
        "name", f"'{said}' is no name", "a name has a-z, 0-9, dots, dashes, underscores; a letter or digit first"
    )


def status(value: object) -> int:
    """An HTTP status of three digits."""
    code = integer(value)
    if 100 <= code <= 999:
        return code
    raise wrong("status", f"no HTTP status: {code}", "it has three digits; for any other bytes write head: {raw: ...}")


def interim(value: object) -> int:
    """The status of an answer before the head."""
    code = integer(value)
    if 100 <= code <= 199:
        return code
    raise wrong("status", f"no interim status: {code}", "an early head has 100 to 199; 103 is Early Hints")


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _plain_number(value: object) -> str:
    quoted = isinstance(value, str) and value.isdecimal()
    return "take the quotes away" if quoted else _or(value, "write a whole number such as 3")


def _or(value: object, remedy: str) -> str:
    return wanted(value) if value is None else remedy


def shown(value: object) -> str:
    """A wrong value in a message: itself where it is short, else its kind."""
    if isinstance(value, str):
        return f"'{value}'"
    return str(value).lower() if isinstance(value, bool | int | float) else kind(value)


def _schema(**rest: Any) -> WithJsonSchema:
    return WithJsonSchema(rest)


def _pattern(*patterns: str) -> WithJsonSchema:
    return _schema(type="string", pattern=f"^({'|'.join(patterns)})$")


_NUMBER = {"type": "integer", "not": {"const": 0}}
_ONE = {"anyOf": [{"enum": list(SELECTORS)}, _NUMBER, {"type": "string", "pattern": f"^({_FROM}|{_TYPE})$"}]}

Duration = Annotated[int, BeforeValidator(duration), _pattern(DURATION)]
Size = Annotated[int, BeforeValidator(size), _pattern(SIZE)]
SignedSize = Annotated[int, BeforeValidator(signed_size), _pattern(f"-?{SIZE}")]
Buffer = Annotated[str, BeforeValidator(buffer), _pattern("none", "all", SIZE, DURATION)]
Text = Annotated[str, BeforeValidator(text), _schema(type="string")]
Word = Annotated[str, BeforeValidator(text), _schema(type="string")]
Count = Annotated[int, BeforeValidator(count), _schema(type="integer", minimum=0)]
Int = Annotated[int, BeforeValidator(integer), _schema(type="integer")]
Flag = Annotated[bool, BeforeValidator(flag), _schema(type="boolean")]
Pointer = Annotated[str, BeforeValidator(pointer), _schema(type="string", pattern="^([^~]|~[01])+$")]
Absolute = Annotated[str, BeforeValidator(absolute), _schema(type="string", pattern="^(/([^~]|~[01])*)?$")]
Selector = Annotated[
    Any, BeforeValidator(selector), _schema(anyOf=[_ONE, {"type": "array", "items": _ONE, "minItems": 1}])
]
BreakAt = Annotated[
    Any,
    BeforeValidator(break_at),
    _schema(anyOf=[{"enum": list(KINDS)}, {"type": "integer", "minimum": 0},
                   {"type": "string", "pattern": f"^({_SHARE}|{_TYPE})$"}]),
]  # fmt: skip
Status = Annotated[int, BeforeValidator(status), _schema(type="integer", minimum=100, maximum=999)]
Interim = Annotated[int, BeforeValidator(interim), _schema(type="integer", minimum=100, maximum=199)]
Turn = Annotated[
    Any,
    BeforeValidator(turn),
    _schema(anyOf=[{"type": "integer", "minimum": 1}, {"type": "string", "pattern": f"^{_FROM}$"}]),
]
Regex = Annotated[str, BeforeValidator(regex), _schema(type="string", format="regex")]
Name = Annotated[str, BeforeValidator(name), _pattern(NAME)]
