"""The layers that may stand in a scenario, an attempt, an overlay or a dialect: timing, head, wire, patch, break.

Each key that a file does not write keeps what the layer below it says; `none` switches a thing off.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, get_args

from pydantic import ConfigDict, Field, model_validator

from fakeserver.script.made import AnyJson, JsonMap, MadeMap
from fakeserver.script.problems import either
from fakeserver.script.shapes import ByKind, Closed, JsonSchema, wrong
from fakeserver.script.steps import Cut, Edit, EventMap, EventPlace, Newline, RawBytes
from fakeserver.script.units import BreakAt, Buffer, Count, Duration, Flag, Int, Interim, Maybe, Size, Status, Word


class KeepAlive(Closed):
    """What goes out whenever `every` has passed in silence."""

    VERBS: ClassVar = ("comment", "event", "json", "delta", "raw")
    every: Annotated[Duration, Field(json_schema_extra={"not": {"pattern": "^[0.]+[a-z]+$"}})]
    comment: Maybe[RawBytes] = None
    event: Maybe[EventMap] = None
    json_: AnyJson = Field(None, alias="json")
    delta: Maybe[JsonMap] = None
    raw: Maybe[RawBytes] = None

    model_config = ConfigDict(json_schema_extra={"maxProperties": 2})

    @model_validator(mode="after")
    def _one(self) -> KeepAlive:
        if len(self.model_fields_set) != 2 or not self.every:
            raise wrong("keepalive", "a keep-alive says one thing, at an interval above zero",
                        f"write {{every: 15s, comment: ping}}, or another of {either(self.VERBS)}")  # fmt: skip
        return self


class Timing(Closed):
    """When things go out."""

    head: Duration = 0
    first: Duration = 0
    every: Duration = 0
    jitter: Duration = 0
    keepalive: Annotated[
        Literal["none"] | KeepAlive, ByKind(("text", "map"), "none, or a map such as {every: 15s, comment: ping}")
    ] = "none"
    precision: Literal["spin", "none"] = "none"


_HEADER = "a text, a whole number"
HeaderValue = Annotated[Word | Int | MadeMap, ByKind(("text", "number", "map"), f"{_HEADER} or a made value")]
Header = Annotated[
    Word | Int | MadeMap | tuple[HeaderValue, ...] | None,
    ByKind(("text", "number", "map", "list", "nothing"), f"{_HEADER}, a list of them or null"),
]


class Early(Closed):
    """An interim answer before the head."""

    status: Interim
    headers: dict[Word, Header] = Field(default_factory=dict)


class Head(Closed):
    """The answer's head: status line and headers."""

    status: Status = 200
    reason: Maybe[Word] = None
    headers: dict[Word, Header] = Field(default_factory=dict)
    framing: Literal["chunked", "length", "close", "none"] = "chunked"
    length: Maybe[Count] = None
    http: Literal["1.0", "1.1"] = "1.1"
    keep_alive: Flag = True
    raw: Maybe[RawBytes] = None
    early: tuple[Early, ...] = ()
    sndbuf: Maybe[Size] = None


class Compress(Closed):
    """How the body is compressed, and what is wrong with it."""

    VERBS: ClassVar = ("with",)
    with_: Literal["gzip", "deflate", "br", "zstd"] = Field(alias="with")
    flush: Literal["event", "never"] = "event"
    keep: Maybe[Size] = None
    flip: Maybe[Size] = None


_COMPRESS = "gzip, deflate, br, zstd, none, or a map such as {with: gzip}"
_Coding = Literal["none", "gzip", "deflate", "br", "zstd"]


_COMPRESSED_PLACE: JsonSchema = {
    "required": ["compress", "cut"],
    "properties": {
        "compress": {"not": {"const": "none"}},
        "cut": {
            "type": "object",
            "required": ["inside"],
            "properties": {"inside": {"enum": list(get_args(EventPlace))}},
        },
    },
}


class Wire(Closed):
    """How events become bytes, and bytes become writes."""

    model_config = ConfigDict(json_schema_extra={"not": _COMPRESSED_PLACE})

    newline: Newline = "lf"
    space: Annotated[Flag | Word, ByKind(("flag", "text"))] = True
    indent: Annotated[Count | Literal["none"], ByKind(("number", "text"), "none, or how many spaces")] = "none"
    bom: Flag = False
    escape: Literal["utf8", "ascii"] = "utf8"
    cut: Cut = "whole"
    compress: Annotated[_Coding | Compress, ByKind(("text", "map"), _COMPRESS)] = "none"
    buffer: Buffer = "none"


class Break(Closed):
    """From there on nothing is sent; the end is another."""

    at: BreakAt
    plus: Maybe[Size] = None
    with_: Literal["end", "close", "reset", "hang"] = Field("close", alias="with")


MaybeBreak = Annotated[Literal["none"] | Break, ByKind(("text", "map"), "none, or a map such as {at: 50%}")]
Patch = Annotated[Literal["none"] | tuple[Edit, ...], ByKind(("text", "list"), "none, or a list of edits")]


class Layers(Closed):
    """The five layers, none of them required."""

    timing: Timing = Timing()
    head: Head = Head()
    wire: Wire = Wire()
    patch: Patch = ()
    break_: MaybeBreak = Field("none", alias="break")


class Overlay(Layers):
    """Layers by name, to be laid over any scenario."""

    about: Maybe[Word] = None
    tags: tuple[Word, ...] = ()
