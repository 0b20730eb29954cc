"""A reply -> the steps it stands for, as the dialect's `script` has them. It must not know chunks, events or time.

All that is said is drawn here, so that usage can be counted and `show --steps` prints literal steps.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fakeserver.plan.ask import Ask
from fakeserver.plan.blanks import Blanks
from fakeserver.plan.choice import Choice
from fakeserver.plan.draw import Around, Drawer
from fakeserver.plan.settle import Settled, settle
from fakeserver.script.dialect import Manner
from fakeserver.script.dump import plain_step
from fakeserver.script.library import Library
from fakeserver.script.scenario import ReplyAttempt, ReplyMap, StreamAttempt
from fakeserver.script.steps import Call, DoneStep, Speech
from fakeserver.speech.chat import tagged
from fakeserver.speech.pieces import cut, tokens

Json = Any


@dataclass(slots=True)
class Line:
    """A step of a reply and what no step can say: `null_usage` puts `usage: null` on its chunks, `base` stands in the
    delta of its finish, `opening` sends it with the head, `calls_only` takes the first delta of calls."""

    step: Any
    opening: bool = False
    null_usage: bool = False
    base: dict[str, Json] | None = None
    calls_only: bool = False


@dataclass(slots=True)
class Said:
    """One choice of a reply with its texts drawn and cut."""

    reply: ReplyMap
    runs: list[tuple[str, list[str]]] = field(default_factory=list)  # think, refuse, say: its pieces
    calls: list[Call] = field(default_factory=list)

    @property
    def calls_only(self) -> bool:
        return bool(self.calls) and not self.runs

    @property
    def fails(self) -> bool:
        return self.reply.has("fail")

    @property
    def finish(self) -> str | None:
        if self.reply.has("finish"):
            return self.reply.finish
        return "tool_calls" if self.calls else "stop"


def step(**written: Any) -> Speech:
    """A speech step as if a file had written it."""
    return Speech.model_construct(_fields_set=set(written), **written)


def lines(settled: Settled, reply: Any, drawer: Drawer) -> Iterator[Line]:
    """The steps of a whole reply of one or several choices."""
    manner = settled.manner
    replies = reply if isinstance(reply, tuple) else (reply,)
    choices = [_said(each, drawer, settled.shape.reasoning == "think-tags") for each in replies]
    usage = _Usage(manner, choices, drawer)
    for opening in manner.opening:
        yield Line(opening, opening=True)
    turns = [list(_choice(i if len(choices) > 1 else None, said, manner, usage)) for i, said in enumerate(choices)]
    for line in _in_turn(turns):
        line.null_usage = line.null_usage or usage.null
        yield line
    yield from usage.own()
    failed = any(said.fails for said in choices)
    wanted = all(said.reply.done for said in choices)
    if wanted and (manner.done == "always" or (manner.done == "not-after-error" and not failed)):
        yield Line(DoneStep.model_construct(_fields_set={"done"}))


def _said(reply: str | ReplyMap, drawer: Drawer, tags: bool) -> Said:
    written = ReplyMap.model_construct(_fields_set={"say"}, say=reply) if isinstance(reply, str) else reply
    out = Said(written)
    so_far = ""
    for channel in ("think", "refuse", "say"):
        if written.has(channel):
            pieces, so_far = _pieces(getattr(written, channel), written.by, drawer, so_far)
            if pieces:
                out.runs.append((channel, tagged(pieces) if tags and channel == "think" else pieces))
    if written.call is not None:
        calls = written.call if isinstance(written.call, tuple) else (written.call,)
        out.calls = [_call(call, drawer) for call in calls]
    return out


def _pieces(value: Any, by: str, drawer: Drawer, so_far: str) -> tuple[list[str], str]:
    """The pieces of a channel; an empty text is no piece, an empty piece that is written is one."""
    if isinstance(value, tuple):
        out = []
        for each in value:
            out.append(drawer.text(each, Around(so_far)))
            so_far += out[-1]
        return out, so_far
    text = drawer.text(value, Around(so_far))
    return (cut(text, by) if text else []), so_far + text


def _call(call: Call, drawer: Drawer) -> Call:
    written = {name: drawer.value(getattr(call, name)) for name in call.model_fields_set}
    return Call.model_construct(_fields_set=set(written), **written)


def _choice(index: int | None, said: Said, manner: Manner, usage: _Usage) -> Iterator[Line]:
    """One choice's steps from its role to its finish."""
    where = {} if index is None else {"choice": index}
    steps = list(_body(said, manner, index is not None or usage.every))
    role: dict[str, Any] = {"role": "assistant"}
    rides = manner.opening_role == "with-text" or (
        said.calls_only and len(said.calls) == 1 and manner.calls == "fragments"
    )
    if rides and steps:
        steps[0] = {**role, **steps[0]}
    else:
        yield Line(step(**role, **where), calls_only=said.calls_only)
    finish = _finish(said)
    if finish and steps and not said.fails and _joins(steps[-1], manner):
        steps[-1] = {**steps[-1], **finish, **usage.at_finish()}
        finish = {}
    for each in steps:
        yield usage.counted(Line(step(**each, **where)), each)
    if finish:
        base = manner.finish_delta if not said.fails else None
        yield usage.counted(
            Line(step(**finish, **({} if said.fails else usage.at_finish()), **where), base=base), finish
        )


def _finish(said: Said) -> dict[str, Any]:
    if not said.fails:
        return {} if said.finish is None else {"finish": said.finish}
    finish = {"finish": said.finish} if said.reply.has("finish") and said.finish is not None else {}
    return {**finish, "fail": said.reply.fail}


def _joins(last: dict[str, Any], manner: Manner) -> bool:
    if "call" in last:
        return manner.calls == "whole-with-finish" or manner.finish == "with-last"
    return manner.finish == "with-last"


def _body(said: Said, manner: Manner, apart: bool) -> Iterator[dict[str, Any]]:
    """The steps that speak; `apart`: each piece a step of its own."""
    for channel, pieces in said.runs:
        if apart:
            yield from ({channel: piece} for piece in pieces)
        else:
            yield {channel: tuple(pieces)} if len(pieces) > 1 else {channel: pieces[0]}
    by = said.reply.by if manner.calls == "fragments" else "whole"
    for call in said.calls:
        yield {"call": call, "by": by}


def _in_turn(choices: Iterable[list[Line]]) -> Iterator[Line]:
    """Pieces of several choices take turns: all roles, all first pieces, ..."""
    queues = [list(reversed(lines)) for lines in choices]
    while any(queues):
        for queue in queues:
            if queue:
                yield queue.pop()


class _Usage:
    """Where the dialect puts usage, and what it counts to."""

    def __init__(self, manner: Manner, choices: list[Said], drawer: Drawer):
        self.manner = manner
        self.asked = drawer.ask.usage
        self.prompt = drawer.ask.prompt_tokens
        self.so_far = 0
        self.reasoning = 0
        written = [said.reply.usage for said in choices if said.reply.has("usage")]
        self.written: Any = drawer.value(written[-1]) if written and written[-1] is not None else None
        self.out = (bool(written) and written[-1] is None) or any(said.fails for said in choices)
        self.every = manner.usage == "every" and not self.out
        self.total = sum(_count(said) for said in choices)
        self.thought = sum(_tokens(pieces) for said in choices for channel, pieces in said.runs if channel == "think")
        self.null = not self.every and (manner.null_usage is True or (manner.null_usage == "asked" and self.asked))

    def at_finish(self) -> dict[str, Any]:
        return {"usage": self.value(self.total)} if self.manner.usage == "finish" and not self.out else {}

    def counted(self, line: Line, each: dict[str, Any]) -> Line:
        """Running totals on each chunk, for the dialects that send them."""
        if self.every:
            self.so_far += _tokens([v for k, v in each.items() if k in ("say", "think", "refuse")])
            self.so_far += sum(_call_tokens(v) for k, v in each.items() if k == "call")
            written = {name: getattr(line.step, name) for name in line.step.model_fields_set}
            line.step = step(**written, usage=self.value(self.so_far))
        return line

    def own(self) -> Iterator[Line]:
        mode = self.manner.usage
        if self.out or not (mode in ("always", "with-choice") or (mode == "asked" and self.asked)):
            return
        silent: dict[str, Any] = {"delta": {}} if mode == "with-choice" else {}
        yield Line(step(**silent, usage=self.value(self.total)))

    def value(self, completion: int) -> Json:
        if self.written is not None:
            return self.written
        counts = {
            "prompt_tokens": self.prompt,
            "completion_tokens": completion,
            "total_tokens": self.prompt + completion,
        }
        details = json.loads(json.dumps(self.manner.usage_details))
        inner = details.get("completion_tokens_details")
        if isinstance(inner, dict) and "reasoning_tokens" in inner:
            inner["reasoning_tokens"] = self.thought
        return {**counts, **details}


def _count(said: Said) -> int:
    return sum(_tokens(pieces) for _, pieces in said.runs) + sum(map(_call_tokens, said.calls))


def _tokens(pieces: Iterable[Any]) -> int:
    return sum(len(tokens(piece)) for piece in pieces if isinstance(piece, str))


def _call_tokens(call: Call) -> int:
    arguments = call.arguments
    texts = arguments if isinstance(arguments, list) else [arguments]
    said = [each if isinstance(each, str) else json.dumps(each, separators=(",", ":"), ensure_ascii=False)
            for each in texts if each is not None]  # fmt: skip
    return _tokens([str(call.name or ""), "".join(said)])


def script_of(library: Library, choice: Choice, turn: int, ask: Ask) -> list[Json] | None:
    """The steps that a body stands for, as a `stream` would write them; None for a respond, which has none."""
    settled = settle(library, choice, turn)
    body = settled.body
    if isinstance(body, StreamAttempt):
        return [plain_step(each) for each in body.stream]
    if not isinstance(body, ReplyAttempt):
        return None
    return [_as_step(line) for line in lines(settled, body.reply, Drawer(ask, Blanks()))]


def _as_step(line: Line) -> Json:
    written = plain_step(line.step)
    if isinstance(written, dict) and line.base:
        written["delta"] = line.base
    if isinstance(written, dict) and line.null_usage and "usage" not in written:
        written["set"] = {"/usage": None}
    return written
