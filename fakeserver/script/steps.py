"""The steps of a `stream` and the edits of a `patch`, as the language's section 4 has them. Data -> closed models."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, get_args

from pydantic import ConfigDict, Field

from fakeserver.script.made import AnyJson, JsonMap, MadeMap
from fakeserver.script.shapes import ByKind, ByVerb, Closed, JsonSchema, any_of, needs
from fakeserver.script.units import Count, Duration, Flag, Maybe, Pointer, Selector, SignedSize, Size, Text, Word

By = Literal["token", "word", "char", "whole"]
Newline = Literal["lf", "crlf", "cr"]
EventPlace = Literal["utf8", "data-prefix", "lines", "blank-line", "crlf", "json-escape"]
Place = Literal[EventPlace, "frame-size", "frame-end"]
_Pieces = Annotated[tuple[Annotated[Text | MadeMap, ByKind(("text", "map"), "a text or a made value", True)], ...],
                    Field(min_length=1)]  # fmt: skip
Pieces = Annotated[
    Text | _Pieces | MadeMap, ByKind(("text", "list", "map"), "a text, a list of pieces or a made value", True)
]
RawBytes = Annotated[Text | MadeMap, ByKind(("text", "map"), "a text or a made value")]


class CutOptions(Closed):
    """What every cut takes."""

    gap: Duration = 1_000_000
    framed: Flag = False
    lockstep: Flag = False


class CutSize(CutOptions):
    """Pieces of so many bytes."""

    VERBS: ClassVar = ("size",)
    size: Size


class CutAt(CutOptions):
    """Cuts at these offsets."""

    VERBS: ClassVar = ("at",)
    at: Annotated[tuple[Count, ...], Field(min_length=1)]


def _framed_for_frames(schema: JsonSchema) -> None:
    framed = {"required": ["framed"], "properties": {"framed": {"const": True}}}
    schema["anyOf"] = [framed, {"properties": {"inside": {"enum": list(get_args(EventPlace))}}}]


class CutInside(CutOptions):
    """Cuts at each such place."""

    model_config = ConfigDict(json_schema_extra=_framed_for_frames)

    VERBS: ClassVar = ("inside",)
    inside: Place


CutMap = Annotated[CutSize | CutAt | CutInside, ByVerb("cut")]
Cut = Annotated[
    Literal["whole"] | CutMap,
    ByKind(("text", "map"), "whole, or a map such as {size: 1B}", remedy="write {size: 1B}"),
]


class KeepInside(Closed):
    """Up to the first such place."""

    VERBS: ClassVar = ("inside",)
    inside: EventPlace


class KeepFramed(Closed):
    """The first bytes of the framed event."""

    VERBS: ClassVar = ("framed",)
    framed: Size


Keep = Annotated[
    SignedSize | Annotated[KeepInside | KeepFramed, ByVerb("keep")],
    ByKind(("text", "map"), "a size such as 40B or -2B, or a map such as {inside: utf8}", unit=True),
]


Fields = Annotated[dict[Word, AnyJson], Field(min_length=1)]


class Edits(Closed):
    """What can be done to a made chunk and to the event around it."""

    set: Maybe[Annotated[dict[Pointer, AnyJson], Field(min_length=1)]] = None
    remove: Maybe[Annotated[tuple[Pointer, ...], Field(min_length=1)]] = None
    fields: Maybe[Fields] = None
    keep: Maybe[Keep] = None
    cut: Maybe[Cut] = None
    newline: Maybe[Newline] = None


class Edit(Edits):
    """One entry of a patch."""

    only: Selector = "all"
    drop: Maybe[Flag] = None


class Call(Closed):
    """A tool call, or more of one. Keys that are not written are not sent where there is no name."""

    index: AnyJson = None
    id: AnyJson = None
    type: AnyJson = None
    name: AnyJson = None
    arguments: AnyJson = None


_CALL = "a call is {name: ..., arguments: ...}"
Calls = Annotated[
    Call | Annotated[tuple[Call, ...], Field(min_length=1)],
    ByKind(("map", "list"), "a call or a list of calls", remedy=_CALL),
]


CHANNELS = ("say", "think", "refuse", "call")
_CHOICES = (*CHANNELS, "role", "finish", "delta")


class Speech(Edits):
    """One run of chunks."""

    model_config = ConfigDict(json_schema_extra=needs(by=CHANNELS, every=CHANNELS, choice=_CHOICES, logprobs=_CHOICES))

    VERBS: ClassVar = ("role", "say", "think", "refuse", "call", "finish", "usage", "fail", "delta")
    role: Maybe[Word] = None
    say: Maybe[Pieces] = None
    think: Maybe[Pieces] = None
    refuse: Maybe[Pieces] = None
    call: Maybe[Calls] = None
    finish: Word | None = None
    usage: JsonMap | None = None
    fail: AnyJson = None
    delta: Maybe[JsonMap] = None
    by: Maybe[By] = None
    every: Maybe[Duration] = None
    choice: Count = 0
    logprobs: AnyJson = None


class ChunkStep(Edits):
    """One chunk: these keys over the envelope."""

    VERBS: ClassVar = ("chunk",)
    chunk: JsonMap


class JsonStep(Edits):
    """One event with this JSON as it is."""

    VERBS: ClassVar = ("json",)
    json_: AnyJson = Field(alias="json")


class _Layout(Closed):
    keep: Maybe[Keep] = None
    cut: Maybe[Cut] = None
    newline: Maybe[Newline] = None


# Kept in the order written.
EventMap = Annotated[dict[Literal["data", "event", "id", "retry"], AnyJson], Field(min_length=1)]


class EventStep(_Layout):
    """One event with these fields."""

    VERBS: ClassVar = ("event",)
    event: EventMap


class CommentStep(_Layout):
    """An SSE comment; clients skip it."""

    VERBS: ClassVar = ("comment",)
    comment: RawBytes


class DoneStep(_Layout):
    """`data: [DONE]`."""

    VERBS: ClassVar = ("done",)
    BARE: ClassVar = ("done",)
    done: None = None
    fields: Maybe[Fields] = None


class RawStep(Closed):
    """Bytes of the body, as they are."""

    VERBS: ClassVar = ("raw",)
    raw: RawBytes
    keep: Maybe[Keep] = None
    cut: Maybe[Cut] = None


class SocketStep(Closed):
    """Bytes outside of HTTP's framing."""

    VERBS: ClassVar = ("socket",)
    socket: RawBytes


class WaitStep(Closed):
    """Silence of this length."""

    VERBS: ClassVar = ("wait",)
    wait: Duration


class GateStep(Closed):
    """Hold until the test releases this gate."""

    VERBS: ClassVar = ("gate",)
    gate: Word


ENDS = ("end", "close", "reset", "hang")


def _without(*verbs: str) -> JsonSchema:
    return {"allOf": [{"items": {"not": {"anyOf": [{"enum": list(verbs)}, {"type": "object", **any_of(*verbs)}]}}}]}


class TogetherStep(Closed):
    """These steps in one write."""

    VERBS: ClassVar = ("together",)
    together: Annotated[tuple[Step, ...], Field(min_length=1, json_schema_extra=_without("wait", "gate", *ENDS))]


class RepeatStep(Closed):
    """These steps, several times over."""

    VERBS: ClassVar = ("repeat",)
    repeat: Annotated[tuple[Step, ...], Field(min_length=1, json_schema_extra=_without(*ENDS))]
    times: Count


class EndStep(Closed):
    """The clean end of the answer."""

    VERBS: ClassVar = ("end",)
    BARE: ClassVar = ("end",)
    end: None = None


class CloseStep(Closed):
    """The connection is closed with a FIN."""

    VERBS: ClassVar = ("close",)
    BARE: ClassVar = ("close",)
    close: None = None


class ResetStep(Closed):
    """The connection is reset (RST); `now` waits for no delivery."""

    VERBS: ClassVar = ("reset",)
    BARE: ClassVar = ("reset",)
    reset: Literal["now"] | None = None


class HangStep(Closed):
    """Silence for good, the connection stays open."""

    VERBS: ClassVar = ("hang",)
    BARE: ClassVar = ("hang",)
    hang: None = None


Ending = EndStep | CloseStep | ResetStep | HangStep
Step = Annotated[
    Speech | ChunkStep | JsonStep | EventStep | CommentStep | DoneStep | RawStep | SocketStep | WaitStep | GateStep
    | TogetherStep | RepeatStep | EndStep | CloseStep | ResetStep | HangStep,
    ByVerb("step"),
]  # fmt: skip
TogetherStep.model_rebuild()
RepeatStep.model_rebuild()
