"""A dialect file's keys: how a provider shapes its chunks, and how it scripts a plain reply. Data -> closed models."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema

from fakeserver.script.layers import Header, Layers
from fakeserver.script.made import AnyJson, JsonMap
from fakeserver.script.shapes import ByKind, Closed, wrong
from fakeserver.script.steps import Step
from fakeserver.script.units import Flag, Maybe, Name, Status, Word

Silence = Annotated[Literal["absent", ""] | None, ByKind(("text", "nothing"), 'absent, null or ""')]
Reasoning = Annotated[Word | tuple[Word, ...], ByKind(("text", "list"))]
CallKey = Literal["index", "id", "type", "function"]
Trait = Literal["ids", "first", "role", "silent", "reasoning", "finish", "usage", "extras", "calls", "comments",
                "error", "errors", "done", "headers"]  # fmt: skip
_ID = r"[!#-\[\]-~]{8,60}"  # its place in a stream is kept while it is not known: longer than the keeper's own mark


def _id(value: object) -> str:
    if isinstance(value, str) and re.fullmatch(_ID, value):
        return value
    raise wrong("id", "an id is a text of 8 to 60 characters of ASCII, without spaces and quotes",
                'write its form: "gen-######" (# a digit, * a hexadecimal digit, ? a letter or digit)')  # fmt: skip


IdForm = Annotated[str, BeforeValidator(_id), WithJsonSchema({"type": "string", "pattern": f"^{_ID}$"})]


class Silences(Closed):
    """What each text channel holds where it is not used."""

    content: Silence = "absent"
    reasoning: Silence = "absent"


class KeyOrder(Closed):
    """Which keys come first, in five places; the others follow in the usual order."""

    chunk: tuple[Word, ...] = ()
    choice: tuple[Word, ...] = ()
    delta: tuple[Word, ...] = ()
    call: tuple[Word, ...] = ()
    usage: tuple[Word, ...] = ()


class Known(Closed):
    """How well each trait of a dialect is known, the best first."""

    recorded: tuple[Trait, ...] = ()
    source: tuple[Trait, ...] = ()
    documentation: tuple[Trait, ...] = ()
    reported: tuple[Trait, ...] = ()
    weak: tuple[Trait, ...] = ()


class ErrorAnswer(Closed):
    """One error of `respond`: status, headers, and a body."""

    status: Maybe[Status] = None
    headers: dict[Word, Header] = Field(default_factory=dict)
    json_: AnyJson = Field(None, alias="json")
    text: Maybe[Word] = None


class Shape(Closed):
    """Used always: what a chunk looks like."""

    first: JsonMap = Field(default_factory=lambda: {"role": "assistant", "content": "", "refusal": None})
    first_call: Maybe[JsonMap] = None
    role: Literal["once", "always", "never"] = "once"
    silent: Annotated[
        Literal["absent", ""] | Silences | None, ByKind(("text", "map", "nothing"), 'absent, null, "" or a map')
    ] = "absent"
    reasoning: Reasoning = "reasoning_content"
    quiet_finish: Silence = None
    call_keys: tuple[CallKey, ...] = ("index", "id", "type", "function")
    call_field: Literal["tool_calls", "function_call"] = "tool_calls"
    call_id: Word = "call_{n}"
    id: IdForm = "chatcmpl-" + 29 * "?"
    keys: Annotated[Literal["openai", "sorted"] | KeyOrder, ByKind(("text", "map"))] = "openai"
    padding: Word = "none"
    logprobs: Annotated[Literal["absent"] | None, ByKind(("text", "nothing"), "absent or null")] = None
    native_finish: Annotated[Flag | Literal["none"], ByKind(("flag", "text"), "true, false or none")] = "none"
    error: Literal["data", "event", "chunk", "flat"] = "data"
    content_type: Word = "text/event-stream; charset=utf-8"


class Manner(Closed):
    """Used for `reply` only: which steps an answer becomes."""

    opening: tuple[Step, ...] = ()
    opening_role: Literal["alone", "with-lone-call", "with-text"] = "alone"
    finish: Literal["own", "with-last"] = "own"
    finish_delta: JsonMap = Field(default_factory=dict)
    call_finish: Word = "tool_calls"
    usage: Literal["asked", "always", "finish", "every", "every-asked", "with-choice"] = "asked"
    reasoning_tokens: Literal["within", "beside"] = "within"
    usage_details: JsonMap = Field(default_factory=dict)
    null_usage: Annotated[Flag | Literal["asked"], ByKind(("flag", "text"), "true, false or asked")] = "asked"
    calls: Literal["fragments", "whole", "whole-with-finish"] = "fragments"
    done: Literal["always", "never", "not-after-error"] = "not-after-error"


class Dialect(Layers):
    """A provider: its wire, its shapes, its manner, its errors. It has no fault of its own, so no `break`."""

    model_config = ConfigDict(json_schema_extra={"not": {"required": ["break"]}})

    about: Maybe[Word] = None
    source: tuple[Word, ...] = ()
    known: Known = Known()
    base: Maybe[Name] = None
    envelope: Maybe[JsonMap] = None
    shape: Shape = Shape()
    script: Manner = Manner()
    errors: Maybe[dict[Name, ErrorAnswer]] = None
