"""A plan's bytes -> what a client hears: status, content type, the body behind framing and compression, and the end."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fakeserver.plan.ask import Ask
from fakeserver.plan.choice import Choice
from fakeserver.plan.coders import inflated
from fakeserver.plan.compiler import compile_plan
from fakeserver.plan.model import End, Plan
from fakeserver.script.library import Library
from fakeserver.speech.reading import Ended, Received

_STATUS = re.compile(rb"HTTP/1\.[01] ([0-9]{3})(?: |\r\n)")
_SIZE = re.compile(rb"([0-9a-fA-F]+)(?:;[^\r\n]*)?\r\n")
_ENDS: Mapping[str, Ended] = {"end": "short", "close": "close", "reset": "reset", "reset-now": "reset", "hang": "open"}


def heard(library: Library, choice: Choice, turn: int, ask: Ask) -> Received:
    """What a client hears of one turn."""
    return listened(compile_plan(library, choice, turn, ask, lambda blank: b"0" * blank.size))


def listened(plan: Plan) -> Received:
    """A plan whose blanks are filled, as a client hears it that asked with HTTP/1.1."""
    sent, end = bytearray(), End(0, "hang")
    for action in plan:
        if isinstance(action, End):
            end = action
    for write in plan.writes():
        sent += write.data
    status, headers, body = _head(bytes(sent + end.data))
    data, whole = _body(headers, body, end)
    clear, broken = inflated(data, headers.get("content-encoding"))
    return Received(status, headers.get("content-type"), clear, "clean" if whole else _ENDS[end.kind], broken)


def _head(data: bytes) -> tuple[int | None, dict[str, str], bytes]:
    """The head that counts: interim ones come before it."""
    while (hit := _STATUS.match(data)) is not None:
        head, found, rest = data.partition(b"\r\n\r\n")
        status = int(hit[1])
        if found and not 100 <= status < 200:
            rows = (row.partition(":") for row in head.decode("latin-1").split("\r\n")[1:])
            return status, {name.strip().lower(): value.strip() for name, _, value in rows}, rest
        data = rest
    return None, {}, b""


def _body(headers: Mapping[str, str], data: bytes, end: End) -> tuple[bytes, bool]:
    """The body as its framing has it, and whether it is whole."""
    if headers.get("transfer-encoding") == "chunked":
        return _unchunked(data)
    length = headers.get("content-length", "")
    if length.isdecimal():
        return data[: int(length)], len(data) >= int(length)
    # Only FIN ends this one: whatever the plan calls it, a FIN is its end.
    return data, end.kind == "close" or (end.kind == "end" and not end.keep_alive)


def _unchunked(data: bytes) -> tuple[bytes, bool]:
    body, at = bytearray(), 0
    while (hit := _SIZE.match(data, at)) is not None:
        size = int(hit[1], 16)
        if not size:
            return bytes(body), data.startswith(b"\r\n", hit.end())
        body += data[hit.end() : hit.end() + size]
        at = hit.end() + size + 2
        if data[at - 2 : at] != b"\r\n":
            break
    return bytes(body), False
