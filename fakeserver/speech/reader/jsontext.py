"""Text -> JSON as strangers send it, and back; one small question for each kind of value.

Servers put null, `""` or nothing at all where they mean "none", and now and then a value of a wrong type. Each getter
answers those with the empty value of its kind, so that no reader has to ask twice. It must not know what a value means.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Never, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def loads(text: str) -> Json:
    """The value, or ValueError: NaN and Infinity are Python's own, and a nest too deep to hold cannot be read."""
    try:
        value: Json = json.loads(text, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value


def _refuse(constant: str) -> Never:
    raise ValueError(f"{constant} is no JSON")


def compact(value: object) -> str:
    """The shortest text of it, non-ASCII as itself."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def whole_number(value: Json) -> int | None:
    """The number, or None: for Python `true` is a number, on the wire it is not."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def joined(pieces: Iterable[str]) -> str:
    """One text of its pieces; halves of a surrogate pair that came apart meet again, an unpaired half stays.

    A server that escapes and cuts by UTF-16 unit sends one emoji as two pieces (case
    surrogate-pair-split-over-two-deltas); Python joins them to two code points, not to the one that was meant.
    """
    return "".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
