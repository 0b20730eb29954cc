"""Scenario + Ask -> Plan: the stages tied together, and nothing else.

steps > chunks > edits > events > break > times > compress > buffer > cut > frames > actions
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fakeserver.plan import edits, frames, heads, squeeze
from fakeserver.plan.answers import one_body
from fakeserver.plan.ask import Ask
from fakeserver.plan.blanks import Blanks
from fakeserver.plan.breaks import broken_off
from fakeserver.plan.choice import Choice
from fakeserver.plan.cues import Cue
from fakeserver.plan.draw import Drawer, holes_in, made_in
from fakeserver.plan.events import Events
from fakeserver.plan.idles import idle
from fakeserver.plan.ledger import Ledger
from fakeserver.plan.model import Action, Blank, Idle, Plan
from fakeserver.plan.settle import Settled, settle
from fakeserver.plan.times import Timed, Times
from fakeserver.plan.unroll import Unroll
from fakeserver.script.layers import KeepAlive
from fakeserver.script.library import Library
from fakeserver.script.made import Moment
from fakeserver.script.scenario import RespondAttempt
from fakeserver.speech.reading import Ended, Received

Fill = Callable[[Blank], bytes]


def compile_plan(library: Library, choice: Choice, turn: int, ask: Ask, fill: Fill | None = None) -> Plan:
    """The whole answer of one turn. Raises Broken, with file, line and remedy, where the scenario cannot be played.

    `fill` gives the values of blanks where they must be known now: `needs` says "values" (the bytes are compressed).
    """
    settled = settle(library, choice, turn)
    if settled.protocol != "chat":
        raise settled.entry.broken(settled.entry.body, "not-yet", f"protocol: {settled.protocol} is not played yet",
                                   "use chat", "protocol")  # fmt: skip
    return Compiler(settled, ask, fill).plan()


def exhaust(plan: Plan) -> None:
    """Run a plan through, so that whatever is wrong with it is found."""
    for _ in plan:
        pass


def needs(library: Library, choice: Choice) -> frozenset[str]:
    """The request facts that change this answer's bytes: holes of templates, "number" (jitter), "values" (compress)."""
    layers = [choice.scenario.body, *getattr(choice.scenario.body, "attempts", ()), *(o.body for o in choice.overlays)]
    bases = _dialects(library, {getattr(layer, "dialect", "openai") for layer in layers})
    found = {hole for each in (*layers, *bases) for hole in holes_in(each) if hole not in ("count", "so_far", "model")}
    if any(layer.timing.jitter for layer in (*layers, *bases)):
        found.add("number")
    if any(layer.wire.compress != "none" for layer in (*layers, *bases)):
        found.add("values")
    return frozenset(found)


def _dialects(library: Library, names: set[str]) -> list[Any]:
    bodies = []
    for name in names:
        while name:
            bodies.append(library.dialects[name].body)
            name = bodies[-1].base or ""
    return bodies


@dataclass(frozen=True, slots=True)
class Answer:
    """What the last stages need of an answer, be it a stream or one body."""

    settled: Settled
    items: Callable[[Ledger], Iterator[Timed]]
    content_type: str
    idle: Idle | None = None


class Compiler:
    """One plan in the making. Each pass over the scenario starts anew; only the blanks are shared."""

    def __init__(self, settled: Settled, ask: Ask, fill: Fill | None):
        self.settled = settled
        self.ask = ask
        self.blanks = Blanks(fill)
        self.frame = heads.framing(settled, ask.http)
        for made in made_in([settled.body, settled.choice.scenario.body, *(laid.edit for laid in settled.patch)]):
            if isinstance(made, Moment):  # a plan that is made lazily must know its blanks before it comes to them
                self.blanks.moment(made.offset, made.form)
                self.blanks.moment(made.offset, made.form, number=made.form != "http-date")

    def plan(self) -> Plan:
        self.blanks.ident()
        self.blanks.request_id()
        answer = self._answer()
        size = sum(map(len, self._payload(answer))) if self.frame.kind == "length" else 0
        head = list(heads.heads(answer.settled, Drawer(self.ask, self.blanks), self.blanks, self.frame, answer.content_type, size))

        def recipe(ledger: Ledger) -> Iterator[Action]:
            yield from head
            yield from self._actions(answer, ledger)

        first = Ledger()
        plan = Plan.of(lambda: recipe(first))
        # Made anew, a plan never complains: what it has not found by now it has been allowed not to find.
        source = plan.source if isinstance(plan.source, tuple) else lambda: recipe(Ledger(on=False))
        status = None if answer.settled.head.raw is not None else answer.settled.head.status
        return Plan(source, status, () if self.blanks.fill else self.blanks.all(), answer.idle)

    def payload(self) -> Iterator[bytes]:
        return self._payload(self._answer())

    def heard(self) -> Received:
        answer = self._answer()
        body = b"".join(item.data for item in answer.items(Ledger(on=False)) if item.kind in ("body", "idle"))
        end = next(item.name for item in answer.items(Ledger(on=False)) if item.kind == "end")
        head = answer.settled.head
        kinds: dict[str, Ended] = {"end": "clean", "close": "close", "reset": "reset", "reset-now": "reset", "hang": "open"}
        ended = kinds[end]
        if self.frame.kind == "close" and ended == "close":
            ended = "clean"  # where only FIN ends a body, FIN is its end
        if self.frame.kind == "length" and head.length is not None and head.length != len(body):
            ended, body = ("short" if head.length > len(body) else "clean"), body[: head.length]
        types = [value for name, value in head.headers.items() if name.lower() == "content-type"]
        content_type = answer.content_type if not types else None if types[0] is None else str(types[0])
        status = head.status if head.raw is None else _status_of(head.raw)
        return Received(status, content_type, body, ended)

    def _answer(self) -> Answer:
        if isinstance(self.settled.body, RespondAttempt) or self._wants_json():
            body = one_body(self.settled, self.ask, self.blanks, self.cues)
            return Answer(body.settled, body.timed, body.content_type)
        return Answer(self.settled, self._stream, heads.SSE, self._idle())

    def _wants_json(self) -> bool:
        form = self.settled.form
        return form == "json" or (form == "asked" and not self.ask.stream)

    def cues(self, ledger: Ledger | None = None) -> Iterator[Cue]:
        """The script of a stream up to its edits; a new pass each time."""
        drawer = Drawer(self.ask, self.blanks)
        editor = edits.Editor(self.settled, drawer, ledger or Ledger(on=False), self._chunk_count)
        return editor.edited(Unroll(self.settled, drawer).cues())

    def _chunk_count(self) -> int:
        return sum(cue.kind == "chunk" for cue in Unroll(self.settled, Drawer(self.ask, self.blanks)).cues())

    def _event_count(self) -> int:
        return sum(cue.is_event for cue in self.cues())

    def spoken(self, ledger: Ledger | None = None) -> Iterator[Cue]:
        """The events with their bytes, up to the end that is in force."""
        ledger = ledger or Ledger(on=False)
        events = Events(self.settled, self.blanks, ledger).written(self.cues(ledger))
        return broken_off(self.settled, events, self._event_count)

    def _stream(self, ledger: Ledger) -> Iterator[Timed]:
        settled, framer = self.settled, self._framer(ledger)
        squeezed = settled.wire.compress != "none" or settled.wire.buffer != "none"

        def span(cue: Cue) -> int:
            if squeezed or cue.kind == "socket":
                return 0
            return framer.span(cue.layout, framer.laid(cue.data, cue.holes, cue.layout, cue.owners))

        data = idle(settled, Drawer(self.ask, self.blanks))
        times = Times(settled.timing, f"{settled.entry.name}/{self.ask.number}", span, data)
        return times.timed(self.spoken(ledger))

    def _actions(self, answer: Answer, ledger: Ledger) -> Iterator[Action]:
        settled = self.settled
        if settled.wire.cut != "whole" and settled.cut_strict:
            ledger.owe("wire.cut", settled.entry, settled.wire.cut, "cuts-nothing", "there is nothing to cut anywhere",
                       "see `fakeserver show` for the bytes")  # fmt: skip
        timed = squeeze.buffered(settled.wire, squeeze.compressed(settled, answer.items(ledger)))
        yield from frames.actions(self._framer(ledger), timed)
        ledger.close()

    def _framer(self, ledger: Ledger) -> frames.Framer:
        return frames.Framer(self.frame.chunked, self.frame.keep_alive, self.settled.wire.cut, ledger)

    def _payload(self, answer: Answer) -> Iterator[bytes]:
        items = squeeze.compressed(self.settled, answer.items(Ledger(on=False)))
        return (item.data for item in squeeze.buffered(self.settled.wire, items) if item.kind in ("body", "idle"))

    def _idle(self) -> Idle | None:
        keepalive = self.settled.timing.keepalive
        if not isinstance(keepalive, KeepAlive) or self.settled.wire.compress != "none":
            return None
        every, data = idle(self.settled, Drawer(self.ask, self.blanks)) or (0, b"")
        framed = self._framer(Ledger(on=False)).laid(data, (), {"cut": "whole"}, {})
        return Idle(every, b"".join(piece for piece, _ in framed))


def heard(library: Library, choice: Choice, turn: int, ask: Ask) -> Received:
    """What a client hears of one turn: status, content type, the body behind HTTP's framing, and the end."""
    return Compiler(settle(library, choice, turn), ask, lambda blank: b"0" * blank.size).heard()


def payload(library: Library, choice: Choice, turn: int, ask: Ask, fill: Fill) -> Iterator[bytes]:
    """The body's bytes alone, in order: no head, no framing, nothing that is sent beside it."""
    return Compiler(settle(library, choice, turn), ask, fill).payload()


def _status_of(raw: object) -> int | None:
    hit = re.match(r"HTTP/1\.[01] (\d{3})", raw) if isinstance(raw, str) else None
    return int(hit[1]) if hit else None
