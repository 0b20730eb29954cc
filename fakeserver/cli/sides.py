"""Dialects side by side: what each does in a few words, and how well that is known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from fakeserver.plan.settle import over
from fakeserver.script.dialect import Known, Manner, Shape, Silences, Trait
from fakeserver.script.library import Library
from fakeserver.script.loader import Entry

LEVELS = tuple(Known.model_fields)  # the best first
# What is told of each dialect, and the trait that it belongs to.
COLUMNS = {
    "first chunk": "first",
    "role": "role",
    "silence": "silent",
    "reasoning": "reasoning",
    "finish": "finish",
    "usage": "usage",
    "calls": "calls",
    "error": "error",
    "done": "done",
    "known": "",
}
_WORD = {"absent": "no key", "": '""', None: "null"}


def known(library: Library, name: str) -> dict[str, str]:
    """How well each trait of a dialect is known. What a dialect is laid over is known as well as that one is."""
    found: dict[str, str] = {}
    for entry in _chain(library, name):
        said = entry.body.known
        found |= {trait: level for level in LEVELS for trait in getattr(said, level)}
    return {trait: found[trait] for trait in get_args(Trait) if trait in found}


def weak(library: Library, name: str) -> tuple[str, ...]:
    """The traits that nothing confirms."""
    return tuple(trait for trait, level in known(library, name).items() if level == "weak")


def chosen(library: Library) -> dict[str, tuple[str, ...]]:
    """The dialects with traits that nothing confirms, and the scenarios that choose them by name."""
    users: dict[str, list[str]] = {}
    for entry in library.scenarios.values():
        for name in _choices(entry):
            if weak(library, name):
                users.setdefault(name, []).append(entry.name)
    return {name: tuple(users[name]) for name in sorted(users)}


def note(library: Library, name: str) -> str:
    """A line for whoever chooses this dialect; empty where all of it is known."""
    traits = weak(library, name)
    return f"dialect {name}: nothing confirms its {', '.join(traits)}" if traits else ""


def _choices(entry: Entry) -> set[str]:
    bodies = (entry.body, *getattr(entry.body, "attempts", ()))
    return {body.dialect for body in bodies if body.has("dialect")}


def sides(library: Library, name: str) -> dict[str, str]:
    """One dialect's row: a few words for each column."""
    shape, manner = Shape(), Manner()
    for entry in _chain(library, name):
        shape, manner = over(shape, entry.body.shape), over(manner, entry.body.script)
    return {
        "first chunk": _first(shape, manner),
        "role": shape.role,
        "silence": _silence(shape),
        "reasoning": shape.reasoning if isinstance(shape.reasoning, str) else " + ".join(shape.reasoning),
        "finish": _finish(shape, manner),
        "usage": _usage(manner),
        "calls": _calls(shape, manner),
        "error": _error(shape),
        "done": manner.done,
        "known": _known(known(library, name)),
    }


def _chain(library: Library, name: str) -> Iterator[Entry]:
    """What the dialect is laid over, the bottom first."""
    entry = library.dialects.get(name)
    if entry is not None:
        yield from _chain(library, entry.body.base or "")
        yield entry


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _first(shape: Shape, manner: Manner) -> str:
    opening = {"with-text": ", with the text", "with-lone-call": ", a lone call with it"}.get(manner.opening_role, "")
    before = "".join(f"{step.VERBS[0]}, then " for step in manner.opening)
    return f"{before}{_compact(shape.first)}{opening}"


def _silence(shape: Shape) -> str:
    if isinstance(shape.silent, Silences):
        return f"text {_WORD[shape.silent.content]}, reasoning {_WORD[shape.silent.reasoning]}"
    return _WORD[shape.silent]


def _finish(shape: Shape, manner: Manner) -> str:
    own = "with the last" if manner.finish == "with-last" else f"own chunk {_compact(manner.finish_delta)}"
    return ", ".join(_some({
        own: True,
        f"{manner.call_finish} after calls": manner.call_finish != "tool_calls",
        f"before it {_WORD[shape.quiet_finish]}": shape.quiet_finish is not None,
    }))  # fmt: skip


def _usage(manner: Manner) -> str:
    where = {
        "asked": "own chunk if asked",
        "always": "own chunk",
        "finish": "with the finish",
        "every": "every chunk",
        "every-asked": "every chunk if asked",
        "with-choice": "own chunk with a choice",
    }
    nulls = {True: True, "asked": manner.usage == "asked", False: False}[manner.null_usage]
    return ", ".join(_some({where[manner.usage]: True, "null before": nulls}))


def _calls(shape: Shape, manner: Manner) -> str:
    legacy = shape.call_field == "function_call"
    return ", ".join(_some({
        manner.calls: True, "function_call": legacy, f"keys {' '.join(shape.call_keys)}": not legacy,
    }))  # fmt: skip


def _error(shape: Shape) -> str:
    return {"data": '{"error"}', "event": 'event: error, {"error"}', "chunk": "in a chunk", "flat": "bare"}[shape.error]


def _some(parts: Mapping[str, bool]) -> Iterator[str]:
    return (text for text, there in parts.items() if there)


def _known(levels: Mapping[str, str]) -> str:
    return "; ".join(f"{level}: {', '.join(traits)}" for level in LEVELS if (traits := _of(levels, level)))


def _of(levels: Mapping[str, str], level: str) -> Iterable[str]:
    return [trait for trait, known_as in levels.items() if known_as == level]
