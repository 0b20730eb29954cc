"""The layers that may stand in a scenario, an attempt, an overlay or a dialect: timing, head, wire, patch, break.

Each key that a file does not write keeps what the layer below it says; `none` switches a thing off.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from fakeserver.script.made import AnyJson, JsonMap, MadeMap
from fakeserver.script.shapes import ByKind, ByVerb, Closed, wrong
from fakeserver.script.steps import Cut, Edit, Newline, RawBytes
from fakeserver.script.units import BreakAt, Count, Duration, Flag, Maybe, Size, Status, Word


class KeepAlive(Closed):
    """What goes out whenever `every` has passed in silence."""

    VERBS: ClassVar = ("comment", "event", "json", "delta", "raw")
    every: Duration
    comment: Maybe[RawBytes] = None
    event: Maybe[JsonMap] = None
    json_: AnyJson = Field(None, alias="json")
    delta: Maybe[JsonMap] = None
    raw: Maybe[RawBytes] = None

    @model_validator(mode="after")
    def _one(self) -> KeepAlive:
        said = [verb for verb in self.VERBS if self.has("json_" if verb == "json" else verb)]
        if len(said) != 1 or not self.every:
            raise wrong("keepalive", "a keep-alive says one thing, at an interval above zero",
                        "write {every: 15s, comment: ping}, or event, json, delta or raw")  # fmt: skip
        return self


class Timing(Closed):
    head: Maybe[Duration] = 0
    first: Maybe[Duration] = 0
    every: Maybe[Duration] = 0
    jitter: Maybe[Duration] = 0
    keepalive: Annotated[Literal["none"] | KeepAlive, ByKind(("text", "map"), "none or a map")] = "none"
    precision: Maybe[Literal["spin", "none"]] = "none"


HeaderValue = Annotated[Word | int | MadeMap, ByKind(("text", "number", "map"))]
Header = Annotated[
    Word | int | MadeMap | tuple[HeaderValue, ...] | None,
    ByKind(("text", "number", "map", "list", "nothing"), "a text, a whole number, a list or null"),
]


class Early(Closed):
    """An interim answer before the head."""

    status: Annotated[int, Field(ge=100, le=199)]
    headers: dict[Word, Header] = Field(default_factory=dict)


class Head(Closed):
    status: Maybe[Status] = 200
    reason: Maybe[Word] = None
    headers: dict[Word, Header] = Field(default_factory=dict)
    framing: Maybe[Literal["chunked", "length", "close", "none"]] = "chunked"
    length: Maybe[Count] = None
    http: Maybe[Literal["1.0", "1.1"]] = "1.1"
    keep_alive: Maybe[Flag] = True
    raw: Maybe[RawBytes] = None
    early: Maybe[tuple[Early, ...]] = ()
    sndbuf: Maybe[Size] = None


class Compress(Closed):
    VERBS: ClassVar = ("with",)
    with_: Literal["gzip", "deflate", "br", "zstd"] = Field(alias="with")
    flush: Literal["event", "never"] = "event"
    keep: Maybe[Size] = None
    flip: Maybe[Size] = None


_Coding = Literal["none", "gzip", "deflate", "br", "zstd"]


class Wire(Closed):
    newline: Maybe[Newline] = "lf"
    space: Annotated[bool | Word, ByKind(("flag", "text"))] = True
    indent: Annotated[int | Literal["none"], ByKind(("number", "text"))] = "none"
    bom: Maybe[Flag] = False
    escape: Maybe[Literal["utf8", "ascii"]] = "utf8"
    cut: Maybe[Cut] = "whole"
    compress: Annotated[_Coding | Compress, ByKind(("text", "map"))] = "none"
    buffer: Annotated[Word, Field(pattern=r"^(none|all|\d+(B|KiB|MiB)|\d+(\.\d+)?(us|ms|s|m))$")] = "none"


class Break(Closed):
    """From there on nothing is sent; the end is another."""

    at: BreakAt
    plus: Maybe[Size] = None
    with_: Maybe[Literal["end", "close", "reset", "hang"]] = Field("close", alias="with")


MaybeBreak = Annotated[Literal["none"] | Break, ByKind(("text", "map"), "none or a map such as {at: 50%}")]
Patch = Annotated[Literal["none"] | tuple[Edit, ...], ByKind(("text", "list"), "a list of edits")]


class Layers(Closed):
    """The five layers, none of them required."""

    timing: Maybe[Timing] = Timing()
    head: Maybe[Head] = Head()
    wire: Maybe[Wire] = Wire()
    patch: Patch = ()
    break_: MaybeBreak = Field("none", alias="break")


class Overlay(Layers):
    about: Maybe[Word] = None
    tags: tuple[Word, ...] = ()


