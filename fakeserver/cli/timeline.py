"""A plan -> rows for people: every byte and its moment. For machines, `engine.showing` tells the same."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator

from fakeserver.cli.common import paint
from fakeserver.plan import Action, Burst, Choice, End, Gate, Plan, Write

_ESCAPES = {0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t", 0x5C: "\\\\"}
_ENDS = {
    "end": "a clean end",
    "close": "FIN, without the framing's end",
    "reset": "RST, once the client has every byte",
    "reset-now": "RST at once",
    "hang": "silence for good",
}


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


def rows(choice: Choice, plan: Plan, actions: Iterable[Action]) -> Iterator[str]:
    """One row a write, a gate, the end."""
    yield paint(f"{choice.selector}: {choice.scenario.body.about or ''}".rstrip(": "), sys.stdout, bold=True)
    yield paint(f"{'due':>10}  {'what':<10} {'bytes':>6}", sys.stdout, dim=True)
    since, events = "", 0
    for action in actions:
        if isinstance(action, Write | Burst):
            for write in action.writes if isinstance(action, Burst) else (action,):
                yield _row(since + moment(write.due), _what(write, events), str(len(write.data)), escaped(write.data))
                events = write.events
        elif isinstance(action, Gate):
            yield _row(since + moment(action.due), "gate", "", f"{action.name}: held until it is released")
            since = "+"
        else:
            yield _row(since + moment(action.due), action.kind, str(len(action.data) or ""), _end(action))
    if plan.idle:
        yield f"In gates and after hang, each {moment(plan.idle.every)} of silence: {escaped(plan.idle.data)}"
    if since:
        yield "A moment with + counts from the release of the gate before it."


def _row(due: str, what: str, size: str, said: str) -> str:
    return f"{paint(f'{due:>10}', sys.stdout, fg='cyan')}  {what:<10} {size:>6}  {said}".rstrip()


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
