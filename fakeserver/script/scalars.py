"""The text of a plain scalar -> the value that YAML 1.2's core schema gives it (spec 10.3.2).

PyYAML resolves YAML 1.1 (`no` is false, `1:30` is 90); editors resolve 1.2. We resolve ourselves so that both agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Scalar = str | int | float | bool | None

_SPECIAL = {".inf": float("inf"), "+.inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan")}
# Numbers are bounded, since Python refuses to print integers of more than 4300 digits.
_CORE: tuple[tuple[re.Pattern[str], Callable[[str], Scalar]], ...] = (
    (re.compile(r"~|null|Null|NULL|"), lambda text: None),
    (re.compile(r"true|True|TRUE|false|False|FALSE"), lambda text: text[0] in "tT"),
    (re.compile(r"[-+]?[0-9]{1,4000}"), int),
    (re.compile(r"0o[0-7]{1,4000}"), lambda text: int(text[2:], 8)),
    (re.compile(r"0x[0-9a-fA-F]{1,3000}"), lambda text: int(text[2:], 16)),
    (re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"), float),
    (re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"), lambda text: _SPECIAL[text.lower()]),
)


def resolve(text: str) -> Scalar:
    """The core schema's value of a plain scalar; what no rule takes is text."""
    for pattern, make in _CORE:
        if pattern.fullmatch(text):
            return make(text)
    return text
