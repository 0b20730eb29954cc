"""Speech -> chat-completion chunks in a dialect's shape (the chunk object of the API reference; key order as recorded).

A chunk is a plain dict in the order in which its keys are sent. Nothing here knows steps' options, events or time.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fakeserver.script.dialect import KeyOrder, Shape, Silences

Json = Any
Chunk = dict[str, Any]
Delta = dict[str, Any]

CREATED = 1770000000
NOTHING = object()  # "not written", where null is a value


@dataclass(slots=True)
class Talk:
    """One chunk to be made: what it carries. Each part that is not written stays out of it."""

    choice: int | None = 0  # None: `choices: []`
    role: str | None = None
    say: str | None = None
    think: str | None = None
    refuse: str | None = None
    calls: list[Json] = field(default_factory=list)
    delta: Mapping[str, Json] | None = None
    base: Mapping[str, Json] | None = None  # the delta of a finish, in the place of silence
    calls_only: bool = False  # the role chunk of an answer that is calls and nothing else
    logprobs: Json = NOTHING
    finish: Json = NOTHING
    usage: Json = NOTHING
    fail: Json = NOTHING


def envelope(given: Mapping[str, Json], *, ident: str, model: str) -> Chunk:
    """The keys around the choices; `given` pins the made ones and adds others after `model`, in its order."""
    made: Chunk = {"id": ident, "object": "chat.completion.chunk", "created": CREATED, "model": model}
    return {**made, **given}


class Chat:
    """Makes the chunks of one reply. `around` is what stands around the choices, `said` the text of each so far."""

    def __init__(self, shape: Shape, around: Chunk, remembers: bool = True):
        self.shape = shape
        self.around = around
        self.remembers = remembers  # a stream of a million chunks keeps its text only where someone asks for it
        self.said: dict[int, str] = {}

    def envelope(self) -> Chunk:
        """The keys around the choices, for one chunk alone: what an edit does to it must not reach the next."""
        return {
            key: copy.deepcopy(value) if isinstance(value, dict | list) else value for key, value in self.around.items()
        }

    def chunk(self, talk: Talk) -> Chunk:
        """The chunk that carries `talk`."""
        out = self.envelope()
        if talk.fail is not NOTHING:
            out["error"] = talk.fail
        out["choices"] = [] if talk.choice is None else [self._choice(talk, talk.choice)]
        if talk.usage is not NOTHING:
            order = self.shape.keys.usage if isinstance(self.shape.keys, KeyOrder) else ()
            out["usage"] = leading(talk.usage, order) if isinstance(talk.usage, dict) else talk.usage
        return out

    def error(self, fail: Json) -> tuple[Json, str | None]:
        """An error on its own in the dialect's form, and the name of its event."""
        form = self.shape.error
        if form == "flat":
            return fail, None
        if form == "chunk":
            return self.chunk(Talk(fail=fail)), None
        return {"error": fail}, "error" if form == "event" else None

    def _choice(self, talk: Talk, index: int) -> Chunk:
        shape = self.shape
        if self.remembers and talk.say is not None:
            self.said[index] = self.said.get(index, "") + talk.say
        out: Chunk = {"index": index, "delta": self._delta(talk)}
        if talk.logprobs is not NOTHING:
            out["logprobs"] = talk.logprobs
        elif shape.logprobs is None:
            out["logprobs"] = None
        finish = shape.quiet_finish if talk.finish is NOTHING else talk.finish
        if talk.finish is not NOTHING or finish != "absent":
            out["finish_reason"] = finish
            if shape.native_finish is True:
                out["native_finish_reason"] = finish
        return out

    def _delta(self, talk: Talk) -> Delta:
        spoken = self._spoken(talk)
        if talk.role is None:
            quiet = self._silence() if talk.base is None else copy.deepcopy(dict(talk.base))
            out = {**quiet, **spoken}
        else:
            out = self._opened(talk, spoken)
        if self.shape.role == "always" and "role" not in out:
            out = {"role": "assistant", **out}
        elif self.shape.role == "never":
            out.pop("role", None)
        return {**out, **(talk.delta or {})}

    def _opened(self, talk: Talk, spoken: Delta) -> Delta:
        """The delta of a role chunk. A call that rides on it stands before what only `first` has (`refusal`)."""
        first = copy.deepcopy(self.shape.first)
        opener = self.shape.first_call
        if talk.calls_only and opener is not None:
            after = {key: value for key, value in first.items() if key not in opener} if talk.calls else {}
            return {**copy.deepcopy(opener), "role": talk.role, **spoken, **after}
        return {**first, "role": talk.role, **spoken} if "role" in first else {"role": talk.role, **first, **spoken}

    def _spoken(self, talk: Talk) -> Delta:
        out: Delta = {}
        if talk.think is not None:
            out.update(reasoning(self.shape.reasoning, talk.think))
        if talk.say is not None:
            before = out.get("content", "")
            out["content"] = [*before, _part(talk.say)] if isinstance(before, list) else before + talk.say
        if talk.refuse is not None:
            out["refusal"] = talk.refuse
        if talk.calls:
            legacy = self.shape.call_field == "function_call"
            out[self.shape.call_field] = talk.calls[0].get("function", {}) if legacy else talk.calls
        return out

    def _silence(self) -> Delta:
        """What the text channels hold in a delta that does not use them."""
        silent, field_name = self.shape.silent, self.shape.reasoning
        if not isinstance(silent, Silences):
            silent = Silences(content=silent, reasoning=silent)
        quiet: Delta = {"content": silent.content}
        if isinstance(field_name, str) and field_name not in ("content-list", "think-tags"):
            quiet[field_name] = silent.reasoning
        return {name: value for name, value in quiet.items() if value != "absent"}


def leading(part: dict[str, Json], names: Sequence[str]) -> dict[str, Json]:
    """The map with these keys first, the others as they were."""
    return {**{name: part[name] for name in names if name in part}, **part}


def _part(text: str) -> Json:
    return {"type": "text", "text": text}


def reasoning(shape: str | Sequence[str], text: str) -> Delta:
    """A piece of reasoning in the fields that the dialect uses for it."""
    if shape == "content-list":
        return {"content": [{"type": "thinking", "thinking": [_part(text)]}]}
    if shape == "think-tags":
        return {"content": text}
    names = (shape,) if isinstance(shape, str) else shape
    details = [{"type": "reasoning.text", "text": text, "index": 0, "format": None}]
    return {name: details if name.endswith("_details") else text for name in names}


def kinds(chunk: Json) -> frozenset[str]:
    """What a chunk is, as selectors name it: each kind whose value is there and not empty."""
    if not isinstance(chunk, dict):
        return frozenset()
    found = {name for name in ("usage", "error") if chunk.get(name)}
    choices = chunk.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, dict):
            found.update(_kinds_of(choice))
    event = chunk.get("type")
    return frozenset(found | ({event} if isinstance(event, str) and event.startswith("response.") else set()))


def _kinds_of(choice: Mapping[str, Json]) -> Iterator[str]:
    if choice.get("finish_reason"):
        yield "finish"
    delta = choice.get("delta")
    if not isinstance(delta, dict):
        return
    parts: Sequence[Json] = delta["content"] if isinstance(delta.get("content"), list) else ()
    if delta.get("role"):
        yield "role"
    if delta.get("content") and not all(_thinks(part) for part in parts or ({},)):
        yield "content"
    if any(_thinks(part) for part in parts) or any(
        delta.get(n) for n in ("reasoning_content", "reasoning", "reasoning_details")
    ):
        yield "reasoning"
    if delta.get("refusal"):
        yield "refusal"
    calls = delta.get("tool_calls") or ([delta["function_call"]] if delta.get("function_call") else [])
    if calls:
        yield "call"
        if not any(_named(call) for call in calls):
            yield "call-rest"


def _thinks(part: Json) -> bool:
    return isinstance(part, dict) and part.get("type") == "thinking"


def _named(call: Json) -> bool:
    if not isinstance(call, dict):
        return False
    function = call.get("function", call)
    return isinstance(function, dict) and bool(function.get("name"))
