"""Steps -> cues, one after the other: repeats unrolled, speech made into chunks, made values drawn (section 5: 2, 3).

Lazy: a repeat of a million steps is never held. It must not know edits, events' bytes or time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from fakeserver.plan.cues import Cue
from fakeserver.plan.draw import Drawer, holes_in, made_in
from fakeserver.plan.padding import Padding
from fakeserver.plan.replies import Line, lines
from fakeserver.plan.settle import Settled
from fakeserver.plan.speaking import Speaker
from fakeserver.script import steps as s
from fakeserver.script.scenario import ReplyAttempt
from fakeserver.speech.chat import Chat, Chunk, envelope, kinds

Json = Any


class Unroll:
    """One pass over a body. A second pass needs a second object: counters and open calls belong to the pass."""

    def __init__(self, settled: Settled, drawer: Drawer):
        self.settled = settled
        self.drawer = drawer
        edits = [laid.edit for laid in settled.patch]
        remembers = "so_far" in holes_in([settled.body, settled.envelope, *edits])
        self.chat = Chat(settled.shape, {}, remembers)
        self.speaker = Speaker(self.chat, drawer)
        self.moving = any(True for _ in made_in(settled.envelope))  # its counters count chunks
        self.chat.around = {} if self.moving else self._envelope(0)
        self.sorts = bool(settled.patch or settled.end)  # someone may ask what kind a chunk is
        self.groups = 0
        self.padding = Padding(settled.shape.padding if drawer.ask.padding else "none")

    def cues(self) -> Iterator[Cue]:
        body: Any = self.settled.body  # a reply or a stream: a respond has no steps
        says = isinstance(body, ReplyAttempt)
        for line in lines(self.settled, body.reply, self.drawer) if says else map(Line, body.stream):
            yield from self._line(line, 0)
        if says or not (body.stream and isinstance(body.stream[-1], s.Ending)):
            yield Cue("end", "end")

    def _line(self, line: Line, group: int) -> Iterator[Cue]:
        step = line.step
        if isinstance(step, s.RepeatStep):
            for _ in range(step.times):
                yield from self._lines(line, step.repeat, group)
        elif isinstance(step, s.TogetherStep):
            self.groups += 1
            yield from self._lines(line, step.together, group or self.groups)
        else:
            for cue in self._speech(line) if isinstance(step, s.Speech) else (self._other(step),):
                cue.step, cue.opening, cue.group = step, line.opening, group
                if self.chat.remembers:
                    cue.said = dict(self.chat.said)
                yield cue

    def _lines(self, line: Line, inner: tuple[Any, ...], group: int) -> Iterator[Cue]:
        for step in inner:
            yield from self._line(replace(line, step=step), group)

    def _other(self, step: Any) -> Cue:
        draw, around = self.drawer, self.speaker.around(0)
        match step:
            case s.ChunkStep():
                return self._chunk({**self._around(0).envelope(), **draw.value(step.chunk, around)})
            case s.JsonStep():
                return self._chunk(draw.value(step.json_, around))
            case s.DoneStep():
                return Cue("done", "[DONE]", kinds=frozenset({"done"}))
            case s.EventStep():
                return Cue("event", draw.value(step.event, around))
            case s.CommentStep():
                return Cue("comment", draw.text(step.comment, around))
            case s.RawStep():
                return Cue("raw", draw.text(step.raw, around))
            case s.SocketStep():
                return Cue("socket", draw.text(step.socket, around))
            case s.WaitStep():
                return Cue("wait", step.wait)
            case s.GateStep():
                return Cue("gate", step.gate)
        now = isinstance(step, s.ResetStep) and step.reset == "now"
        return Cue("end", "reset-now" if now else step.VERBS[0])

    def _chunk(self, value: Json, named: str | None = None) -> Cue:
        return Cue("chunk", value, named=named, kinds=kinds(value) if self.sorts else frozenset())

    def _speech(self, line: Line) -> Iterator[Cue]:
        step: s.Speech = line.step
        if not any(map(step.has, _BESIDE_FAIL)):
            yield _paced(self._error(step), step, 0)
            return
        for i, talk in enumerate(self.speaker.talks(line)):
            yield _paced(self._chunk(self.padding.over(self._around(step.choice).chunk(talk))), step, i)

    def _error(self, step: s.Speech) -> Cue:
        """An error on its own; it is one in whatever form the dialect tells it."""
        fail = self.drawer.value(step.fail, self.speaker.around(0))
        value, named = self._around(0).error(fail)
        cue = self._chunk(value, named)
        return replace(cue, kinds=cue.kinds | {"error"}) if fail else cue

    def _around(self, choice: int) -> Chat:
        """The maker of chunks with an envelope that is up to date."""
        if self.moving:
            self.chat.around = self._envelope(choice)
        return self.chat

    def _envelope(self, choice: int) -> Chunk:
        given = self.drawer.value(self.settled.envelope, self.speaker.around(choice))
        return envelope(given, ident=self.drawer.blanks.ident(self.settled.shape.id), model=self.drawer.ask.model)


_BESIDE_FAIL = tuple(name for name in s.Speech.VERBS if name != "fail")


def _paced(cue: Cue, step: s.Speech, place: int) -> Cue:
    cue.paced = True
    cue.gap = step.every if place and step.every is not None else None
    return cue
