"""A plan's actions -> rows in words: every byte and its moment, as people read them. `showing` is for machines.

It must not know terminals or pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fakeserver.plan import Action, Burst, End, Gate, Write

_ESCAPES = {0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t", 0x5C: "\\\\"}
_ENDS = {
    "end": "a clean end",
    "close": "FIN, without the framing's end",
    "reset": "RST, once the client has every byte",
    "reset-now": "RST at once",
    "hang": "silence for good",
}


class Row(NamedTuple):
    """A write, a gate or the end. A moment with + counts from the release of the gate before it."""

    due: str
    what: str
    size: str
    said: str


def rows(actions: Iterable[Action]) -> Iterator[Row]:
    since, events = "", 0
    for action in actions:
        if isinstance(action, Write | Burst):
            for write in action.writes if isinstance(action, Burst) else (action,):
                yield Row(since + moment(write.due), _what(write, events), str(len(write.data)), escaped(write.data))
                events = write.events
        elif isinstance(action, Gate):
            yield Row(since + moment(action.due), "gate", "", f"{action.name}: held until it is released")
            since = "+"
        else:
            yield Row(since + moment(action.due), action.kind, str(len(action.data) or ""), _end(action))


def moment(ns: int) -> str:
    """`0`, `20ms`, `1.5s`, `1.25ms`: exact, in the largest unit that people would use."""
    unit, size = ("s", 10**9) if ns >= 10**9 else ("ms", 10**6) if ns else ("", 1)
    whole, rest = divmod(ns, size)
    places = f".{rest:0{len(str(size)) - 1}}".rstrip("0") if rest else ""
    return f"{whole}{places}{unit}"


def escaped(data: bytes) -> str:
    """Bytes as text: UTF-8 as it is, \\n, \\r and \\t by name, and \\xNN for all that is no text."""
    text = data.decode("utf-8", "surrogateescape").translate(_ESCAPES)
    return re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\udc80-\udcff]", _byte, text)


def _byte(hit: re.Match[str]) -> str:
    char = ord(hit[0])
    if 0xDC80 <= char <= 0xDCFF:  # a byte that is no UTF-8
        return f"\\x{char - 0xDC00:02x}"
    return f"\\u{char:04x}" if char > 0xFF else f"\\x{char:02x}"


def _what(write: Write, before: int) -> str:
    if write.part != "body":
        return write.part
    if write.events <= before:  # a piece that does not end an event
        return f"part {before + 1}"
    return f"event {write.events}" if write.events == before + 1 else f"event {before + 1}-{write.events}"


def _end(end: End) -> str:
    after = "the connection stays open" if end.keep_alive else "then FIN"
    data = f"{escaped(end.data)}  " if end.data else ""
    return f"{data}{_ENDS[end.kind]}{f', {after}' if end.kind == 'end' else ''}"
