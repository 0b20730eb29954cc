"""Bytes of an event -> the named places in it where a cut or a keep may act (the language's section 4, P)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_LINE_END = re.compile(rb"\r\n|\n|\r")


def places(data: bytes, name: str) -> list[int]:
    """Offsets at which a piece may end, in order; never 0 and never the length."""
    found = _FINDERS[name](data)
    return [at for at in found if 0 < at < len(data)]


def _after(pattern: bytes, size: int) -> Callable[[bytes], list[int]]:
    compiled = re.compile(pattern)
    return lambda data: [hit.start() + size for hit in compiled.finditer(data)]


def _lines(data: bytes) -> list[int]:
    ends = list(_LINE_END.finditer(data))
    # The line end before the blank line ends the event's last line: `blank-line` is the word for a cut there.
    return [hit.end() for hit in (ends[:-2] if _is_blank(ends) else ends)]


def _blank_line(data: bytes) -> list[int]:
    ends = list(_LINE_END.finditer(data))
    return [ends[-1].start()] if _is_blank(ends) else []


def _is_blank(ends: list[re.Match[bytes]]) -> bool:
    return len(ends) > 1 and ends[-1].start() == ends[-2].end()


# The places of frames (frame-size, frame-end) are not here: `frames` knows them.
_FINDERS: Mapping[str, Callable[[bytes], list[int]]] = {
    "utf8": _after(rb"[\xc0-\xff]", 1),
    "data-prefix": _after(rb"(?:(?<=\n)|(?<=\r)|\A)data", 2),
    "lines": _lines,
    "blank-line": _blank_line,
    "crlf": _after(rb"\r\n", 1),
    "json-escape": _after(rb"\\", 1),
}
