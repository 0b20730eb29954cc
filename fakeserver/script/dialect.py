"""A dialect file's keys: how a provider shapes its chunks, and how it scripts a plain reply. Data -> closed models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from fakeserver.script.layers import Header, Layers
from fakeserver.script.made import AnyJson, JsonMap
from fakeserver.script.shapes import ByKind, Closed
from fakeserver.script.steps import Step
from fakeserver.script.units import Flag, Maybe, Name, Status, Word

Silence = Annotated[Literal["absent", ""] | None, ByKind(("text", "nothing"), 'absent, null or ""')]
Reasoning = Annotated[Word | tuple[Word, ...], ByKind(("text", "list"))]
CallKey = Literal["index", "id", "type", "function"]


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
    silent: Silence = "absent"
    reasoning: Reasoning = "reasoning_content"
    quiet_finish: Silence = None
    call_keys: tuple[CallKey, ...] = ("index", "id", "type", "function")
    keys: Literal["openai", "sorted"] = "openai"
    logprobs: Annotated[Literal["absent"] | None, ByKind(("text", "nothing"), "absent or null")] = None
    native_finish: Annotated[Flag | Literal["none"], ByKind(("flag", "text"), "true, false or none")] = "none"
    error: Literal["data", "event", "chunk", "flat"] = "data"


class Manner(Closed):
    """Used for `reply` only: which steps an answer becomes."""

    opening: tuple[Step, ...] = ()
    opening_role: Literal["alone", "with-text"] = "alone"
    finish: Literal["own", "with-last"] = "own"
    finish_delta: JsonMap = Field(default_factory=dict)
    usage: Literal["asked", "always", "finish", "every", "with-choice"] = "asked"
    usage_details: JsonMap = Field(default_factory=dict)
    null_usage: Annotated[Flag | Literal["asked"], ByKind(("flag", "text"), "true, false or asked")] = "asked"
    calls: Literal["fragments", "whole", "whole-with-finish"] = "fragments"
    done: Literal["always", "never", "not-after-error"] = "not-after-error"


class Dialect(Layers):
    """A provider: its wire, its shapes, its manner, its errors. It has no fault of its own, so no `break`."""

    model_config = ConfigDict(json_schema_extra={"not": {"required": ["break"]}})

    about: Maybe[Word] = None
    source: tuple[Word, ...] = ()
    base: Maybe[Name] = None
    envelope: Maybe[JsonMap] = None
    shape: Shape = Shape()
    script: Manner = Manner()
    errors: Maybe[dict[Name, ErrorAnswer]] = None
