"""What no single key can know: a step after an end, a wait inside together, an option with nothing to act on.

A valid model -> findings. It must not know bytes: what an edit touches is seen when the answer is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fakeserver.script import steps as s
from fakeserver.script.dialect import Dialect
from fakeserver.script.layers import Layers
from fakeserver.script.problems import Finding, Loc
from fakeserver.script.scenario import AttemptsScenario, ReplyAttempt, ReplyMap, StreamAttempt


def check(model: Layers) -> Iterator[Finding]:
    """Every finding of a scenario, an overlay or a dialect."""
    yield from _body((), model)
    if isinstance(model, AttemptsScenario):
        for i, attempt in enumerate(model.attempts):
            yield from _body(("attempts", i), attempt, model.wire.compress != "none")
    if isinstance(model, Dialect):
        yield from _steps(("script", "opening"), model.script.opening)
        if model.has("break_"):
            yield Finding(("break",), "unknown-key", "a dialect has no 'break'",
                          "put it into an overlay or a scenario", key=True)  # fmt: skip


def _body(loc: Loc, body: Layers, packed: bool = False) -> Iterator[Finding]:
    if body.wire.has("compress"):
        packed = body.wire.compress != "none"
    yield from _cut((*loc, "wire"), body.wire, packed)
    for i, edit in enumerate(body.patch if isinstance(body.patch, tuple) else ()):
        here = (*loc, "patch", i)
        if not edit.model_fields_set - {"only"}:
            yield Finding(here, "nothing-to-do", "an edit that does nothing", "add set, remove, fields, cut or drop")
        yield from _cut(here, edit, packed)
    if isinstance(body, StreamAttempt):
        yield from _steps((*loc, "stream"), body.stream, top=True, packed=packed)
    if isinstance(body, ReplyAttempt):
        yield from _replies((*loc, "reply"), body.reply)


def _cut(here: Loc, layer: Any, packed: bool) -> Iterator[Finding]:
    """Findings about the `cut` of a step, an edit or a wire."""
    cut = getattr(layer, "cut", None)
    if isinstance(cut, s.CutSize) and not cut.size:
        yield Finding((*here, "cut", "size"), "size", "pieces of no bytes", "write a size from 1B up")
    if isinstance(cut, s.CutInside) and _in_frames(cut.inside) and not cut.framed:
        yield Finding((*here, "cut", "inside"), "nothing-to-act-on", f"{cut.inside} is a place in framed bytes only",
                      f"write {{inside: {cut.inside}, framed: true}}")  # fmt: skip
    if isinstance(cut, s.CutInside) and packed and not _in_frames(cut.inside):
        yield Finding((*here, "cut", "inside"), "cut-compressed", f"compressed bytes have no place {cut.inside}",
                      "cut by size, or take compress away")  # fmt: skip


def _in_frames(place: str) -> bool:
    return place.startswith("frame-")


def _replies(loc: Loc, reply: Any) -> Iterator[Finding]:
    if isinstance(reply, ReplyMap):
        yield from _reply(loc, reply)
    elif isinstance(reply, tuple):
        for i, each in enumerate(reply):
            yield from _replies((*loc, i), each)


def _reply(loc: Loc, reply: ReplyMap) -> Iterator[Finding]:
    channels = [name for name in s.CHANNELS if reply.has(name)]
    if not (channels or reply.has("fail") or reply.has("finish")):
        yield Finding(loc, "empty-reply", "a reply that says nothing",
                      'add say, think, refuse or call; say: "" is an empty answer')  # fmt: skip
    if reply.has("by") and not channels:
        yield Finding(
            (*loc, "by"), "nothing-to-act-on", "'by' has nothing to cut", "add say, or take by away", key=True
        )


def _steps(
    loc: Loc, steps: Sequence[Any], top: bool = False, joined: bool = False, packed: bool = False
) -> Iterator[Finding]:
    for i, step in enumerate(steps):
        here = (*loc, i)
        if isinstance(step, s.Ending):
            yield from _ending(here, step, len(steps) - i - 1, top)
        if joined:
            yield from _joined(here, step)
        if isinstance(step, s.TogetherStep):
            yield from _steps((*here, "together"), step.together, joined=True, packed=packed)
        elif isinstance(step, s.RepeatStep):
            yield from _steps((*here, "repeat"), step.repeat, joined=joined, packed=packed)
        elif isinstance(step, s.Speech):
            yield from _speech(here, step)
        yield from _cut(here, step, packed)


def _ending(here: Loc, step: Any, later: int, top: bool) -> Iterator[Finding]:
    verb = step.VERBS[0]
    if not top:
        yield Finding((*here, verb), "end-inside", f"'{verb}' inside of other steps",
                      "an end stands last in the stream itself", key=True)  # fmt: skip
    elif later:
        yield Finding((*here[:-1], int(here[-1]) + 1), "after-end", f"a step after '{verb}'",
                      f"nothing is sent after an end: make '{verb}' the last step")  # fmt: skip


def _joined(here: Loc, step: Any) -> Iterator[Finding]:
    if isinstance(step, s.WaitStep | s.GateStep):
        verb = step.VERBS[0]
        yield Finding((*here, verb), "together", f"a {verb} inside together",
                      "together is one write: put it before or after", key=True)  # fmt: skip
    if isinstance(step, s.Speech) and step.has("every"):
        yield Finding((*here, "every"), "together", "'every' inside together",
                      "together is one write, without gaps: take it away", key=True)  # fmt: skip


def _speech(here: Loc, step: s.Speech) -> Iterator[Finding]:
    channels = [name for name in s.CHANNELS if step.has(name)]
    many = [name for name in channels if _in_pieces(getattr(step, name))]
    if len(channels) > 1 and (many or (step.has("by") and step.by != "whole")):
        said = " and ".join(channels)
        yield Finding((*here, many[0] if many else "by"), "one-chunk", f"{said} in one step make one chunk",
                      "give each a single text, or make two steps of it", key=True)  # fmt: skip
    yield from _idle_options(here, step, channels)


def _in_pieces(said: Any) -> bool:
    return isinstance(said, tuple) or (isinstance(said, s.Call) and isinstance(said.arguments, list))


def _idle_options(here: Loc, step: s.Speech, channels: list[str]) -> Iterator[Finding]:
    chooses = any(step.has(name) for name in (*s.CHANNELS, "role", "finish", "delta"))
    idle = {
        "by": (not channels, "text or call"),
        "every": (not _several(step, channels), "second piece"),
        "choice": (not chooses, "choice"),
        "logprobs": (not chooses, "choice"),
    }
    for option, (nothing, lack) in idle.items():
        if nothing and step.has(option):
            yield Finding((*here, option), "nothing-to-act-on", f"'{option}' has nothing to act on: no {lack} here",
                          f"take '{option}' away, or add what it is for", key=True)  # fmt: skip


def _several(step: s.Speech, channels: list[str]) -> bool:
    """Whether the step can make more than one chunk."""
    if len(channels) != 1:
        return False
    said = getattr(step, channels[0])
    if step.has("by"):
        return step.by != "whole" or isinstance(said, tuple)
    return len(said) > 1 or isinstance(said[0], s.Call) if isinstance(said, tuple) else isinstance(said, s.Call)
