"""What the reports share: texts that any of them can carry, and a total in words."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from fakeserver.conform.examination import Examination
from fakeserver.conform.judging import MARKS

# Whatever XML forbids and terminals obey: control characters, halves of surrogate pairs, two that are no characters.
_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def plain(text: str) -> str:
    """With what could not be carried, or would be obeyed, as \\xNN or \\uNNNN. Line ends and tabs stay."""
    return _ODD.sub(lambda hit: f"\\x{ord(hit[0]):02x}" if ord(hit[0]) < 256 else f"\\u{ord(hit[0]):04x}", text)


def one_line(text: str) -> str:
    return plain(text).replace("\n", "\\n").replace("\t", "\\t")


def command(examined: Examination) -> str:
    return one_line(shlex.join(examined.manner.command))


def counted(totals: Mapping[str, int]) -> str:
    """`3 cases: 2 green, 1 red`."""
    marks = ", ".join(f"{totals[mark]} {mark}" for mark in MARKS if totals[mark])
    return f"{totals['cases']} case{'s' * (totals['cases'] != 1)}{': ' * bool(marks)}{marks}"


def tail(text: str, lines: int = 20) -> str:
    """The last lines of what it said."""
    return plain("\n".join(text.rstrip().splitlines()[-lines:]))
