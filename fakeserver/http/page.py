"""A browser's request -> the page, or a file of it. They hold nothing secret, so no token is asked for here.

It must not know what the page shows: all that goes through the control routes, and those are guarded.
"""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files

from aiohttp import web

from fakeserver.match.route import Route

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")  # of a folder or file: no way up, none out
_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
_METHODS = ("GET", "HEAD")


def shown(request: web.BaseRequest, route: Route) -> web.Response | None:
    """None where something else was asked for: at `/` the page is for who wants HTML, and for nobody else."""
    if route.kind == "control" and route.rest[:1] == ("page",):
        return _answer(request, route.rest[1:])
    at_root = not request.rel_url.raw_path.strip("/")
    if at_root and request.method in _METHODS and "text/html" in request.headers.get("accept", "").lower():
        return _answer(request, ("index.html",))
    return None


def _answer(request: web.BaseRequest, names: tuple[str, ...]) -> web.Response:
    if request.method not in _METHODS:
        return _told(405, f"{request.method} is not for the page's files, GET is.", allow=", ".join(_METHODS))
    data = _read(names)
    if data is None:
        return _told(404, f"The page has no file {'/'.join(names)!r}.")
    tag = hashlib.sha256(data).hexdigest()[:32]
    headers = {**_HEADERS, "vary": "accept", "etag": f'"{tag}"'}
    if any(each.value in (tag, "*") for each in request.if_none_match or ()):
        return web.Response(status=304, headers=headers)
    kind = _TYPES.get(names[-1].rpartition(".")[2], "text/plain; charset=utf-8")
    return web.Response(body=data, headers={**headers, "content-type": kind})


def _read(names: tuple[str, ...]) -> bytes | None:
    """Read each time: they are few and small, and who changes one sees it at the next reload."""
    if not names or not all(map(_NAME.fullmatch, names)):
        return None
    file = files("fakeserver").joinpath("page", *names)
    return file.read_bytes() if file.is_file() else None


def _told(status: int, words: str, **more: str) -> web.Response:
    return web.Response(status=status, text=f"{words}\n", headers={**_HEADERS, **more})
