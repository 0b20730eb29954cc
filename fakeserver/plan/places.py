"""Bytes of an event -> the named places in it where a cut or a keep may act (the language's section 4, P)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_LINE_END = re.compile(rb"\r\n|\n|\r")


def places(data: bytes, name: str) -> list[int]:
    """Offsets at which a piece may end, in order; never 0 and never the length."""
    found = _FINDERS[name](data)
    return [at for at in found if 0 < at < len(data)]


def _utf8(data: bytes) -> list[int]:
    return [i + 1 for i, byte in enumerate(data) if byte >= 0xC0]


def _data_prefix(data: bytes) -> list[int]:
    return [hit.start() + 2 for hit in re.finditer(rb"(?:(?<=\n)|(?<=\r)|\A)data", data)]


def _lines(data: bytes) -> list[int]:
    ends = list(_LINE_END.finditer(data))
    blank = len(ends) > 1 and ends[-1].start() == ends[-2].end()
    # The line end before the blank line ends the event: `blank-line` is the word for a cut there.
    return [hit.end() for hit in (ends[:-2] if blank else ends)]


def _blank_line(data: bytes) -> list[int]:
    ends = list(_LINE_END.finditer(data))
    return [ends[-1].start()] if len(ends) > 1 and ends[-1].start() == ends[-2].end() else []


def _crlf(data: bytes) -> list[int]:
    return [hit.start() + 1 for hit in re.finditer(rb"\r\n", data)]


def _json_escape(data: bytes) -> list[int]:
    return [hit.start() + 1 for hit in re.finditer(rb"\\.", data, re.DOTALL)]


_FINDERS: Mapping[str, Callable[[bytes], list[int]]] = {
    "utf8": _utf8,
    "data-prefix": _data_prefix,
    "lines": _lines,
    "blank-line": _blank_line,
    "crlf": _crlf,
    "json-escape": _json_escape,
    # In framed bytes only; `frames` finds these itself.
    "frame-size": lambda data: [],
    "frame-end": lambda data: [],
}
