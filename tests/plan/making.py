"""Scenarios written in a test -> their plans, and what these put on the wire."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from textwrap import dedent
from types import MappingProxyType
from typing import Any

from fakeserver.plan import Ask, Burst, Choice, Plan, Write, compile_plan
from fakeserver.plan.model import Action
from fakeserver.script.library import Library, load
from fakeserver.script.loader import Entry, Kind, load_text
from tests.wire import received

BUILTIN = load()
NS = 10**6  # a millisecond
ASK = Ask(model="m")
PINNED = "envelope: {id: x, created: 1, model: m, service_tier: d, system_fingerprint: f}\n"


def entry(text: str, kind: Kind = "scenario", name: str = "case") -> Entry:
    made, document = load_text(dedent(text), f"{name}.yaml", kind, name)
    assert made is not None, "\n".join(map(str, document.problems))
    return made


def library(dialects: Mapping[str, str] = MappingProxyType({})) -> Library:
    """The built-in library and these dialects."""
    added = {name: entry(text, "dialect", name) for name, text in dialects.items()}
    return Library({}, {}, {**BUILTIN.dialects, **added})


def choice(text: str, *overlays: str) -> Choice:
    laid = tuple(entry(overlay, "overlay", f"over{i}") for i, overlay in enumerate(overlays))
    return Choice("case", entry(text), laid)


def plan(text: str, *overlays: str, ask: Ask = ASK, turn: int = 0, dialects: Mapping[str, str] = MappingProxyType({}),
         filled: bool = False) -> Plan:  # fmt: skip
    fill = (lambda blank: b"#" * blank.size) if filled else None
    return compile_plan(library(dialects), choice(text, *overlays), turn, ask, fill)


def writes(actions: Iterable[Action]) -> list[Write]:
    return [w for a in actions for w in ((a,) if isinstance(a, Write) else a.writes if isinstance(a, Burst) else ())]


def body(text: str, *overlays: str, **options: Any) -> bytes:
    """The body as h11 reads it."""
    return received(plan(text, *overlays, **options)).body


def chunks(text: str, *overlays: str, **options: Any) -> list[Any]:
    """The JSON of each event that has some."""
    events = body(text, *overlays, **options).decode().split("\n\n")
    return [json.loads(event.removeprefix("data: ")) for event in events if event.startswith("data: {")]


def deltas(text: str, *overlays: str, **options: Any) -> list[Any]:
    return [chunk["choices"][0]["delta"] for chunk in chunks(text, *overlays, **options) if chunk["choices"]]


def dues(text: str, *overlays: str, **options: Any) -> list[float]:
    """The moment of each body write in milliseconds."""
    return [write.due / NS for write in writes(plan(text, *overlays, **options)) if write.part != "head"]


def sent(text: str, *overlays: str, **options: Any) -> list[bytes]:
    """The bytes of each write behind the head, unframed where `framing: close` is said."""
    return [write.data for write in writes(plan(text, *overlays, **options)) if write.part != "head"]
