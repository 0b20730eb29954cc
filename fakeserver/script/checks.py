"""What no single key can know: a step after an end, a wait inside together, an option with nothing to act on.

A valid model -> findings. It must not know bytes: what an edit touches is seen when the answer is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fakeserver.script import steps as s
from fakeserver.script.layers import Layers, Wire
from fakeserver.script.problems import Finding, Loc
from fakeserver.script.scenario import AttemptsScenario, ReplyAttempt, ReplyMap, StreamAttempt

_CHANNELS = ("say", "think", "refuse", "call")


def check(model: Any) -> Iterator[Finding]:
    """Every finding of a scenario, an overlay or a dialect."""
    bodies = [((), model)]
    if isinstance(model, AttemptsScenario):
        bodies += [(("attempts", i), attempt) for i, attempt in enumerate(model.attempts)]
    for loc, body in bodies:
        if isinstance(body, Layers):
            yield from _layers(loc, body)
        if isinstance(body, StreamAttempt):
            yield from _steps((*loc, "stream"), body.stream, top=True)
        if isinstance(body, ReplyAttempt):
            replies = body.reply if isinstance(body.reply, tuple) else (body.reply,)
            for i, reply in enumerate(replies):
                if isinstance(reply, ReplyMap):
                    yield from _reply((*loc, "reply", i) if isinstance(body.reply, tuple) else (*loc, "reply"), reply)


def _layers(loc: Loc, body: Layers) -> Iterator[Finding]:
    if body.wire:
        yield from _wire((*loc, "wire"), body.wire)
    if isinstance(body.patch, tuple):
        for i, edit in enumerate(body.patch):
            here = (*loc, "patch", i)
            if not edit.model_fields_set - {"only"}:
                yield Finding(here, "nothing-to-do", "an edit that does nothing", "add set, remove, fields, cut or drop")
            yield from _cut((*here, "cut"), edit.cut)


def _wire(loc: Loc, wire: Wire) -> Iterator[Finding]:
    yield from _cut((*loc, "cut"), wire.cut)
    if isinstance(wire.cut, s.CutInside | s.CutAt) and wire.compress != "none" and not wire.cut.framed:
        yield Finding((*loc, "cut"), "cut-compressed", "a named place cannot be cut in compressed bytes",
                      "cut by size, or switch compress off", key=True)  # fmt: skip


def _cut(loc: Loc, cut: Any) -> Iterator[Finding]:
    if isinstance(cut, s.CutSize) and not cut.size:
        yield Finding((*loc, "size"), "size", "pieces of no bytes", "write a size from 1B up")
    if isinstance(cut, s.CutInside) and cut.inside.startswith("frame") and not cut.framed:
        yield Finding((*loc, "inside"), "nothing-to-act-on", f"{cut.inside} is a place in framed bytes only",
                      f"write {{inside: {cut.inside}, framed: true}}")  # fmt: skip


def _reply(loc: Loc, reply: ReplyMap) -> Iterator[Finding]:
    said = [name for name in (*_CHANNELS, "fail") if reply.has(name)]
    if not said and not reply.has("finish"):
        yield Finding(loc, "empty-reply", "a reply that says nothing", 'add say, think, refuse or call; say: "" is an empty answer')
    if reply.has("by") and not any(reply.has(name) for name in _CHANNELS):
        yield Finding((*loc, "by"), "nothing-to-act-on", "'by' has nothing to cut", "add say, or take by away", key=True)


def _steps(loc: Loc, steps: Sequence[Any], top: bool = False, joined: bool = False) -> Iterator[Finding]:
    for i, step in enumerate(steps):
        here = (*loc, i)
        if isinstance(step, s.Ending):
            yield from _ending(here, step, steps[i + 1 :], top)
        if joined and isinstance(step, s.WaitStep | s.GateStep):
            yield Finding((*here, step.VERBS[0]), "together", f"a {step.VERBS[0]} inside together",
                          "together is one write: put it before or after", key=True)  # fmt: skip
        if isinstance(step, s.TogetherStep):
            yield from _steps((*here, "together"), step.together, joined=True)
        elif isinstance(step, s.RepeatStep):
            yield from _steps((*here, "repeat"), step.repeat, joined=joined)
        elif isinstance(step, s.Speech):
            yield from _speech(here, step)
        yield from _cut((*here, "cut"), getattr(step, "cut", None))


def _ending(here: Loc, step: Any, later: Sequence[Any], top: bool) -> Iterator[Finding]:
    verb = step.VERBS[0]
    if not top:
        yield Finding((*here, verb), "end-inside", f"'{verb}' inside another step", "an end stands last in the stream", key=True)
    elif later:
        yield Finding((*here[:-1], int(here[-1]) + 1), "after-end", f"a step after '{verb}'",
                      f"nothing is sent after an end: make '{verb}' the last step")  # fmt: skip


def _speech(here: Loc, step: s.Speech) -> Iterator[Finding]:
    channels = [name for name in _CHANNELS if step.has(name)]
    many = [name for name in channels if isinstance(getattr(step, name), tuple)]
    if len(channels) > 1 and (many or step.has("by") and step.by != "whole"):
        yield Finding((*here, many[0] if many else "by"), "one-chunk", f"{' and '.join(channels)} in one step make one chunk",
                      "give each a single text, or make two steps of it", key=True)  # fmt: skip
    yield from _idle_options(here, step, channels)


def _idle_options(here: Loc, step: s.Speech, channels: list[str]) -> Iterator[Finding]:
    chosen = any(step.has(name) for name in (*_CHANNELS, "role", "finish", "delta"))
    several = len(channels) == 1 and (step.has("by") or isinstance(getattr(step, channels[0]), tuple | s.Call))
    idle = {"by": not channels, "every": not several, "choice": not chosen, "logprobs": not chosen}
    for option, nothing in idle.items():
        if nothing and step.has(option):
            what = "several pieces" if option == "every" and channels else "text or a call" if option in ("by", "every") else "a choice"
            yield Finding((*here, option), "nothing-to-act-on", f"'{option}' has nothing to act on: this step has no {what}",
                          f"take '{option}' away, or give the step {what}", key=True)  # fmt: skip
