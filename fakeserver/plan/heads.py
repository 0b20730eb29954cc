"""What holds for one answer -> the bytes of its head, and of the interim heads before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fakeserver.plan.blanks import Blanks
from fakeserver.plan.draw import Drawer
from fakeserver.plan.model import Write
from fakeserver.plan.settle import Settled
from fakeserver.script.layers import Compress, Head

SSE = "text/event-stream; charset=utf-8"
JSON = "application/json"
# What every OpenAI route sends. Recorded streams have no cache-control and no x-accel-buffering: they are here because
# people run a fake behind proxies. CORS is for browsers; the API itself exposes only its request id.
COMMON = (("cache-control", "no-cache"), ("x-accel-buffering", "no"), ("access-control-allow-origin", "*"),
          ("access-control-expose-headers", "X-Request-ID"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Framing:
    """How the body is delimited: by chunks, by a length, by the end of the connection, or as `raw` steps have it."""

    kind: str
    http: str
    keep_alive: bool
    bodiless: bool = False  # the status itself says that nothing follows the head

    @property
    def chunked(self) -> bool:
        return self.kind == "chunked"


def framing(settled: Settled, asked_http: str) -> Framing:
    """HTTP/1.0 knows no chunks: what would be chunked there ends with the connection."""
    head = settled.head
    old = head.http == "1.0" or (asked_http == "1.0" and "http" not in settled.written)
    kind = str(head.framing)
    if old and kind == "chunked" and not ("framing" in settled.written and head.http == "1.0"):
        kind = "close"
    keep = bool(head.keep_alive) and kind != "close" and not old
    # RFC 9112 6.1 and 6.3: these statuses have no body, and must not be framed as if they had one.
    bodiless = (head.status < 200 or head.status in (204, 304)) and "framing" not in settled.written
    return Framing("none" if bodiless else kind, "1.0" if old else "1.1", keep, bodiless)


def heads(
    settled: Settled, drawer: Drawer, blanks: Blanks, frame: Framing, content_type: str, size: int
) -> Iterator[Write]:
    """The early heads at 0 and the head at `timing.head`. `size` is the body's, for `content-length`."""
    head = settled.head
    for early in head.early:
        text = _status(frame.http, early.status, None) + _rows(_drawn(early.headers, drawer)) + "\r\n"
        yield _write(blanks, text, 0, settled)
    if head.raw is not None:
        text = drawer.text(head.raw)
    else:
        rows = _headers(settled, drawer, blanks, frame, content_type, size)
        text = _status(frame.http, head.status, head.reason) + _rows(rows) + "\r\n"
    if text:
        yield _write(blanks, text, settled.timing.head, settled)


def _write(blanks: Blanks, text: str, due: int, settled: Settled) -> Write:
    try:
        data, holes = blanks.encoded(text)
    except UnicodeEncodeError:
        raise settled.entry.broken(settled.body.head, "lone-surrogate", "half of a surrogate pair in a head",
                                   "write the whole character, or {$hex: ...}") from None  # fmt: skip
    return Write(due, data, "head", holes)


def _status(http: str, status: int, reason: str | None) -> str:
    return f"HTTP/{http} {status} {phrase(status) if reason is None else reason}\r\n"


def phrase(status: int) -> str:
    """The reason phrase of RFC 9110; empty for a status that has none."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _headers(
    settled: Settled, drawer: Drawer, blanks: Blanks, frame: Framing, content_type: str, size: int
) -> list[tuple[str, str]]:
    """The made headers with the written ones over them; null leaves one out, a list repeats it."""
    made = [
        *(() if frame.bodiless else (("content-type", content_type),)),
        *COMMON,
        ("x-request-id", blanks.request_id()),
    ]
    if settled.wire.compress != "none":
        coding = settled.wire.compress
        made.append(("content-encoding", coding.with_ if isinstance(coding, Compress) else coding))
    made += _framing_headers(settled.head, frame, size)
    written = settled.head.headers
    replaced = {name.lower() for name in written}
    rows = [*_drawn(written, drawer), *(row for row in made if row[0] not in replaced)]
    return sorted(rows, key=lambda row: row[0].lower() != "content-type")  # which comes first


def _framing_headers(head: Head, frame: Framing, size: int) -> list[tuple[str, str]]:
    connection = ("connection", "keep-alive" if frame.keep_alive else "close")
    if frame.kind == "chunked":
        return [connection, ("transfer-encoding", "chunked")]
    if frame.kind == "length":
        return [connection, ("content-length", str(size if head.length is None else head.length))]
    return [connection]


def _drawn(headers: Mapping[str, Any], drawer: Drawer) -> list[tuple[str, str]]:
    rows = []
    for name, value in headers.items():
        values: Sequence[Any] = value if isinstance(value, tuple) else (value,)
        rows += [(name, drawer.text(each)) for each in values if each is not None]
    return rows


def _rows(rows: Sequence[tuple[str, str]]) -> str:
    return "".join(f"{name}: {value}\r\n" for name, value in rows)
