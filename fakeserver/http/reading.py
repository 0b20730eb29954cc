"""aiohttp's request -> Facts: the whole body is read before anything is played.

A FIN that is sent while a part of the request lies unread reaches the client as a RST, so even a body that is far too
large is read, and thrown away, up to a limit.
"""

from __future__ import annotations

from collections.abc import Mapping

from aiohttp import web

from fakeserver.match.facts import Facts, Fault
from fakeserver.match.route import Route

BODY_LIMIT = 64 << 20
_PATIENCE = 4  # so many times the limit is read and thrown away


async def read_facts(request: web.BaseRequest, route: Route) -> Facts:
    """Raises OSError if the client leaves before its request is whole."""
    body, fault = await _body(request)
    return Facts(
        method=request.method,
        path=_clean(request.rel_url.raw_path_qs),
        route=route,
        headers=_headers(request),
        body=body,
        http="1.0" if request.version < (1, 1) else "1.1",
        fault=fault,
    )


async def _body(request: web.BaseRequest) -> tuple[bytes, Fault | None]:
    if _waits(request):
        if (request.content_length or 0) > BODY_LIMIT:
            return b"", Fault("too-large")
        if request.transport is not None:
            # Ours to send: web.Server has no handler for it.
            request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    try:
        return await _read(request)
    except web.RequestPayloadError as problem:  # bad chunks, or an encoding that does not decode
        return b"", Fault("bad-request", f"The request's body cannot be read: {_clean(str(problem))}")


def _waits(request: web.BaseRequest) -> bool:
    """Whether the client holds its body back until it is told to go on."""
    expects = request.headers.get("expect", "").lower() == "100-continue"
    return expects and request.version >= (1, 1) and not request.content.is_eof()


async def _read(request: web.BaseRequest) -> tuple[bytes, Fault | None]:
    body, size = bytearray(), 0
    while (part := await request.content.readany()) and size <= _PATIENCE * BODY_LIMIT:
        size += len(part)
        if size <= BODY_LIMIT:
            body += part
    return (bytes(body), None) if size <= BODY_LIMIT else (b"", Fault("too-large"))


def _headers(request: web.BaseRequest) -> Mapping[str, str]:
    headers: dict[str, str] = {}
    for name, value in request.headers.items():
        key = name.lower()
        headers[key] = f"{headers[key]}, {_clean(value)}" if key in headers else _clean(value)
    return headers


def _clean(text: str) -> str:
    """Bytes that were no UTF-8 come from aiohttp as surrogates, which nothing that quotes them could encode."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
