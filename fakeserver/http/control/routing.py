"""What a control route is, and the way from a request to its handler: declared once, beside the handler.

The table that dispatches is the one that the OpenAPI document is made from. It must not know any one route.
"""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import web
from pydantic import BaseModel, ConfigDict, ValidationError

from fakeserver.engine.sessions import Session
from fakeserver.http.control.values import Json, Read

if TYPE_CHECKING:
    from fakeserver.engine import Engine
    from fakeserver.http.server import Server

BODY_LIMIT = 2 << 20
LONGEST_NAME = 200  # of a session's id, as in a base URL


class Shape(BaseModel):
    """A JSON body: closed, and nothing is taken for something else."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False, defer_build=True)


class Refused(Exception):
    """A request that cannot be done: the answer's status, and what its error says."""

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.more = status, code, message, more


@dataclass(frozen=True, slots=True)
class Query:
    """One parameter of the query."""

    name: str
    read: Read
    schema: Json
    about: str


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a control route, taken apart. `now` is nanoseconds since 1970."""

    server: Server
    request: web.BaseRequest
    names: Mapping[str, str]
    query: Mapping[str, Any]
    body: Any
    now: int

    @property
    def engine(self) -> Engine:
        return self.server.engine

    @property
    def session(self) -> Session:
        """The session that the path names, made at first use."""
        return self.engine.enter(self.names["id"], self.now)

    def known(self) -> Session:
        """The same, but it must be there. Raises Refused."""
        name = self.names["id"]
        if name not in self.engine.sessions:
            raise Refused(404, "unknown-session", f"There is no session '{name}'. A first use makes it.")
        return self.session


Handler = Callable[[Call], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Route:
    """`answers` are the schemas of the bodies by status; refusals are added by code."""

    method: str
    path: str
    about: str
    handler: Handler
    answers: Mapping[int, Json]
    body: type[Shape] | str | None = None  # a shape, the content type of a text, or none
    optional: bool = False  # the body may be missing
    nullable: bool = False  # it may be null
    query: tuple[Query, ...] = ()
    refusals: tuple[int, ...] = field(default=())
    content: str = "application/json"

    @property
    def segments(self) -> list[str]:
        return self.path.strip("/").split("/")

    def names(self, segments: Sequence[str]) -> dict[str, str] | None:
        """What the path's blanks are, if it is this route's path."""
        if len(segments) != len(self.segments):
            return None
        found = {}
        for want, got in zip(self.segments, segments):
            if want.startswith("{"):
                found[want.strip("{}")] = got
            elif want != got:
                return None
        return found


async def call_of(server: Server, request: web.BaseRequest, route: Route, names: dict[str, str]) -> Call:
    """Raises Refused if a name, the query or the body is not as the route says."""
    for name, value in names.items():
        if len(value) > LONGEST_NAME:
            raise Refused(400, "bad-name", f"The {name} has more than {LONGEST_NAME} characters.")
    query, body = _query(request, route), await _body(request, route)
    return Call(server, request, names, query, body, time.time_ns())


def _query(request: web.BaseRequest, route: Route) -> dict[str, Any]:
    known = {each.name: each for each in route.query}
    found: dict[str, Any] = {}
    for name, value in request.rel_url.query.items():
        if name not in known:
            there = ", ".join(known) or "none"
            raise Refused(400, "bad-query", f"There is no parameter '{name}' here; there are: {there}.")
        if name in found:
            raise Refused(400, "bad-query", f"The parameter '{name}' is given twice.")
        try:
            found[name] = known[name].read(value)
        except ValueError as problem:
            raise Refused(400, "bad-query", f"{name}: {problem}.") from None
    return found


async def _body(request: web.BaseRequest, route: Route) -> Any:
    data = await _read(request)
    if isinstance(route.body, str):
        return data
    if route.body is None:
        return None  # whatever came is not looked at: clients send {} with any POST
    if not data.strip() and route.optional:
        return route.body()
    try:
        value = json.loads(data, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused(400, "bad-json", "The body is not JSON.") from None
    if value is None and route.nullable:
        return None
    return _shaped(route.body, value)


def _shaped(shape: type[Shape], value: object) -> Shape:
    try:
        return shape.model_validate(value)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the body"
        raise Refused(400, "bad-request", f"{place}: {first['msg']}.") from None


async def _read(request: web.BaseRequest) -> bytes:
    data = bytearray()
    try:
        while part := await request.content.readany():
            data += part
            if len(data) > BODY_LIMIT:
                raise Refused(413, "too-large", f"A body is at most {BODY_LIMIT:,} bytes here.")
    except web.RequestPayloadError:
        raise Refused(400, "bad-request", "The body cannot be read.") from None
    return bytes(data)


def _no_constant(name: str) -> None:
    raise ValueError(name)


def reply(data: object, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    text = json.dumps(data)
    more = {"cache-control": "no-store", **(headers or {})}
    return web.Response(text=text, status=status, headers=more, content_type="application/json")


def refusal(refused: Refused, headers: Mapping[str, str] | None = None) -> web.Response:
    error = {"message": refused.message, "code": refused.code, **refused.more}
    return reply({"error": error}, refused.status, headers)
