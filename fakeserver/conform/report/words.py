"""What the reports share: texts that any of them can carry, and a total in words."""

from __future__ import annotations

import re
import shlex

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


def counted(examined: Examination) -> str:
    """`3 cases: 2 green, 1 red`, or `interrupted: 3 of 9 cases: 2 green, 1 red`."""
    marks = ", ".join(f"{count} {mark}" for mark in MARKS if (count := examined.totals[mark]))
    return f"{cases(examined)}{': ' * bool(marks)}{marks}"


def cases(examined: Examination) -> str:
    """`3 cases`, or `interrupted: 3 of 9 cases`."""
    done, all_of_them = len(examined.results), len(examined.cases)
    if examined.interrupted:
        return f"interrupted: {done} of {all_of_them} case{'s' * (all_of_them != 1)}"
    return f"{done} case{'s' * (done != 1)}"


def tail(text: str, lines: int = 20) -> str:
    """The last lines of what it said."""
    return plain("\n".join(text.rstrip().splitlines()[-lines:]))
