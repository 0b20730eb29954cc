"""What a client's own HTTP parser makes of a plan's bytes: h11, and nothing of ours."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import h11

from fakeserver.plan import Burst, End, Plan, Write, filled, key_of
from fakeserver.speech.reading import Received

KEY = key_of("default", "", 1)


def wire_bytes(plan: Plan, key: str = KEY) -> bytes:
    """Every byte that a plan puts on the wire, in order, its end's terminator too."""
    values = filled(plan.blanks, key)
    out = bytearray()
    for action in plan.actions(values):
        if isinstance(action, Write):
            out += action.data
        elif isinstance(action, Burst):
            out += b"".join(write.data for write in action.writes)
        elif isinstance(action, End):
            out += action.data
    return bytes(out)


def end_of(plan: Plan) -> End:
    return [action for action in plan if isinstance(action, End)][-1]


def received(plan: Plan, key: str = KEY) -> Received:
    """The reply as h11 reads it, with the kind of end that the plan names."""
    return parsed([wire_bytes(plan, key)], end_of(plan))


def parsed(reads: Iterable[bytes], end: End) -> Received:
    client = h11.Connection(h11.CLIENT)
    client.send(h11.Request(method="POST", target="/", headers=[("host", "x"), ("content-length", "0")]))
    client.send(h11.EndOfMessage())
    status, headers, body, whole = None, {}, bytearray(), False
    try:
        for data in [*reads, *([b""] if end.kind in ("close", "reset", "reset-now") or not end.keep_alive else [])]:
            client.receive_data(data)
            while (event := client.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
                if isinstance(event, h11.Response):
                    status = event.status_code
                    headers = {name.decode(): value.decode("latin-1") for name, value in event.headers}
                elif isinstance(event, h11.Data):
                    body += event.data
                elif isinstance(event, h11.EndOfMessage):
                    whole = True
                    break
                elif isinstance(event, h11.ConnectionClosed):
                    break
            if whole:
                break
    except h11.RemoteProtocolError:
        pass
    kinds = {"end": "clean", "close": "close", "reset": "reset", "reset-now": "reset", "hang": "open"}
    ended = "clean" if whole else kinds[end.kind] if end.kind != "end" else "short"
    data, broken = _decoded(bytes(body), headers.get("content-encoding"))
    return Received(status, headers.get("content-type"), data, ended, broken)


def _decoded(data: bytes, coding: str | None) -> tuple[bytes, bool]:
    if coding not in ("gzip", "deflate"):
        return data, False
    inflate, out = zlib.decompressobj(wbits=31 if coding == "gzip" else 15), bytearray()
    try:
        for i in range(len(data)):  # byte by byte, so that what precedes a bad one is kept
            out += inflate.decompress(data[i : i + 1])
    except zlib.error:
        return bytes(out), True
    return bytes(out), not inflate.eof
