"""Steps -> cues, one after the other: repeats unrolled, speech made into chunks, made values drawn (section 5: 2, 3).

Lazy: a repeat of a million steps is never held. It must not know edits, events' bytes or time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fakeserver.plan.cues import Cue
from fakeserver.plan.draw import Around, Drawer, holes_in
from fakeserver.plan.replies import Line, lines
from fakeserver.plan.settle import Settled
from fakeserver.script import steps as s
from fakeserver.script.scenario import ReplyAttempt, StreamAttempt
from fakeserver.speech.calls import AllCalls
from fakeserver.speech.chat import NOTHING, Chat, Talk, envelope, kinds, tagged
from fakeserver.speech.pieces import cut

Json = Any
_CHANNELS = ("think", "refuse", "say")


class Unroll:
    """One pass over a body. A second pass needs a second object: counters and open calls belong to the pass."""

    def __init__(self, settled: Settled, drawer: Drawer):
        self.settled = settled
        self.drawer = drawer
        around = envelope(drawer.value(settled.envelope), ident=drawer.blanks.ident(), model=drawer.ask.model)
        self.chat = Chat(settled.shape, around)
        self.calls = AllCalls(settled.shape.call_keys)
        self.remembers = "so_far" in holes_in(settled.body) or any("so_far" in holes_in(e.edit) for e in settled.patch)
        self.groups = 0

    def cues(self) -> Iterator[Cue]:
        body = self.settled.body
        if isinstance(body, ReplyAttempt):
            for line in lines(self.settled, body.reply, self.drawer):
                yield from self._line(line)
        elif isinstance(body, StreamAttempt):
            yield from self._steps(body.stream, 0)
        if not (isinstance(body, StreamAttempt) and body.stream and isinstance(body.stream[-1], s.Ending)):
            yield Cue("end", "end")

    def _steps(self, steps: Sequence[Any], group: int) -> Iterator[Cue]:
        for step in steps:
            if isinstance(step, s.RepeatStep):
                for _ in range(step.times):
                    yield from self._steps(step.repeat, group)
            elif isinstance(step, s.TogetherStep):
                self.groups += 0 if group else 1
                yield from self._steps(step.together, group or self.groups)
            else:
                for cue in self._line(Line(step)):
                    cue.group = group
                    yield cue

    def _line(self, line: Line) -> Iterator[Cue]:
        step = line.step
        for cue in self._speech(line) if isinstance(step, s.Speech) else (self._other(step),):
            cue.step = step
            cue.opening = line.opening
            if self.remembers:
                cue.said = dict(self.chat.said)
            yield cue

    def _other(self, step: Any) -> Cue:
        draw = self.drawer
        match step:
            case s.ChunkStep():
                return self._chunk({**self.chat.around, **draw.value(step.chunk)})
            case s.JsonStep():
                return self._chunk(draw.value(step.json_))
            case s.DoneStep():
                return Cue("done", "[DONE]", kinds=frozenset({"done"}))
            case s.EventStep():
                return Cue("event", draw.value(step.event))
            case s.CommentStep():
                return Cue("comment", draw.text(step.comment))
            case s.RawStep():
                return Cue("raw", draw.text(step.raw))
            case s.SocketStep():
                return Cue("socket", draw.text(step.socket))
            case s.WaitStep():
                return Cue("wait", step.wait)
            case s.GateStep():
                return Cue("gate", step.gate)
        now = isinstance(step, s.ResetStep) and step.reset == "now"
        return Cue("end", "reset-now" if now else step.VERBS[0])

    def _chunk(self, value: Json, named: str | None = None) -> Cue:
        return Cue("chunk", value, named=named, kinds=kinds(value))

    def _speech(self, line: Line) -> Iterator[Cue]:
        step: s.Speech = line.step
        if not any(step.has(name) for name in s.Speech.VERBS if name != "fail"):
            value, named = self.chat.error(self.drawer.value(step.fail))
            yield self._paced(self._chunk(value, named), step, 0)
            return
        around = Around(self.chat.said.get(step.choice, ""))
        for i, talk in enumerate(self._run(line, around)):
            yield self._paced(self._chunk(self.chat.chunk(talk)), step, i)

    def _paced(self, cue: Cue, step: s.Speech, place: int) -> Cue:
        cue.paced = True
        cue.gap = step.every if place and step.every is not None else None
        return cue

    def _run(self, line: Line, around: Around) -> Iterator[Talk]:
        """The chunks of one step: role and delta ride on the first, finish, usage and an error on the last."""
        step: s.Speech = line.step
        talks = iter(self._talks(step, around))
        talk = next(talks)
        self._first(talk, line)
        for following in talks:
            yield self._dressed(talk, line)
            talk = following
        self._last(talk, step)
        yield self._dressed(talk, line)

    def _first(self, talk: Talk, line: Line) -> None:
        step: s.Speech = line.step
        if step.role is not None:
            talk.role = step.role
        if step.delta is not None:
            talk.delta = self.drawer.value(step.delta, Around(self.chat.said.get(step.choice, "")))
        talk.calls_only = line.calls_only or bool(talk.calls)

    def _last(self, talk: Talk, step: s.Speech) -> None:
        if step.has("finish"):
            talk.finish = step.finish
        if step.has("usage"):
            talk.usage = _total(self.drawer.value(step.usage))
        if step.has("fail"):
            talk.fail = self.drawer.value(step.fail)

    def _dressed(self, talk: Talk, line: Line) -> Talk:
        step: s.Speech = line.step
        if step.has("logprobs"):
            talk.logprobs = self.drawer.value(step.logprobs)
        if line.null_usage and talk.usage is NOTHING:
            talk.usage = None
        if line.base is not None and talk.finish is not NOTHING:
            talk.base = line.base
        return talk

    def _talks(self, step: s.Speech, around: Around) -> Iterable[Talk]:
        channels = [name for name in (*_CHANNELS, "call") if step.has(name)]
        chosen = channels or any(step.has(name) for name in ("role", "finish", "delta"))
        if not chosen:
            return [Talk(choice=None)]
        if len(channels) != 1:
            one = Talk(step.choice, calls=self._fragments(step) if "call" in channels else [])
            for name in channels:
                if name != "call":
                    setattr(one, name, self._whole(getattr(step, name), around))
            return [one]
        if channels == ["call"]:
            return [Talk(step.choice, calls=[fragment]) for fragment in self._fragments(step)]
        return self._pieces(step, channels[0])

    def _pieces(self, step: s.Speech, channel: str) -> Iterator[Talk]:
        value = getattr(step, channel)
        if isinstance(value, tuple) and not (channel == "think" and self.settled.shape.reasoning == "think-tags"):
            texts: Iterable[str] = (self._whole(each, Around(self.chat.said.get(step.choice, ""))) for each in value)
        else:
            texts = self._cut(step, channel, value)
        for text in texts:
            talk = Talk(step.choice)
            setattr(talk, channel, text)
            yield talk

    def _cut(self, step: s.Speech, channel: str, value: Any) -> list[str]:
        around = Around(self.chat.said.get(step.choice, ""))
        if isinstance(value, tuple):
            pieces = [self._whole(each, around) for each in value]
        else:
            pieces = cut(self._whole(value, around), step.by or "whole")
        wraps = channel == "think" and self.settled.shape.reasoning == "think-tags"
        return tagged(pieces) if wraps and not pieces[0].startswith("<think>") else pieces

    def _whole(self, value: Any, around: Around) -> str:
        return self.drawer.text(value[0] if isinstance(value, tuple) else value, around)

    def _fragments(self, step: s.Speech) -> list[Json]:
        calls = step.call if isinstance(step.call, tuple) else (step.call,) if step.call else ()
        open_calls = self.calls.of(step.choice)
        out: list[Json] = []
        for call in calls:
            written = {name: self.drawer.value(getattr(call, name)) for name in call.model_fields_set}
            out += open_calls.fragments(written, lambda value: _arguments(value, step.by), step.by == "whole")
        return out


def _arguments(value: Json, by: str | None) -> list[Json]:
    """A call's arguments as they are cut: a list is its pieces, a text and a map are cut `by`, null stays null."""
    if isinstance(value, list) or value is None:
        return value if isinstance(value, list) else [None]
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return list(cut(text, by or "whole")) if text else []


def _total(usage: Json) -> Json:
    """`total_tokens` is added where both counts are numbers and it is not written."""
    if not isinstance(usage, dict) or "total_tokens" in usage:
        return usage
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    if not all(isinstance(count, int) and not isinstance(count, bool) for count in counts):
        return usage
    # Right after the later of the two counts, as the API has it.
    names = list(usage)
    place = max(names.index("prompt_tokens"), names.index("completion_tokens")) + 1
    rows = list(usage.items())
    return dict([*rows[:place], ("total_tokens", sum(counts)), *rows[place:]])
