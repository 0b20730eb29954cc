"""Scenario + Ask -> Plan: the stages tied together, and nothing else.

steps > chunks > edits > events > break > times > compress > buffer > cut > frames > actions
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from fakeserver.plan import edits, frames, heads, squeeze
from fakeserver.plan.answers import one_body
from fakeserver.plan.ask import Ask
from fakeserver.plan.blanks import Blanks
from fakeserver.plan.breaks import broken_off
from fakeserver.plan.choice import Choice
from fakeserver.plan.cues import Cue
from fakeserver.plan.draw import Drawer, made_in
from fakeserver.plan.events import Events
from fakeserver.plan.idles import idle
from fakeserver.plan.ledger import Ledger
from fakeserver.plan.model import Action, Blank, Idle, Plan, Recipe, Write
from fakeserver.plan.settle import Settled, settle
from fakeserver.plan.times import Timed, Times
from fakeserver.plan.unroll import Unroll
from fakeserver.script.layers import Break
from fakeserver.script.library import Library
from fakeserver.script.made import Moment
from fakeserver.script.scenario import RespondAttempt

Fill = Callable[[Blank], bytes]
_CLEAN = Break.model_validate({"at": "100%", "with": "end"})


def compile_plan(library: Library, choice: Choice, turn: int, ask: Ask, fill: Fill | None = None) -> Plan:
    """The whole answer of one turn. Raises Broken, with file, line and remedy, where the scenario cannot be played.

    `fill` gives the values of blanks where they must be known now: `needs` says "values" (the bytes are compressed).
    """
    return Compiler(_settled(library, choice, turn), ask, fill).plan()


def prove(library: Library, choice: Choice, turn: int, ask: Ask) -> None:
    """Make one answer to its very end, so that whatever is wrong with it is found."""
    for _ in Compiler(_settled(library, choice, turn), ask, lambda blank: b"0" * blank.size).actions():
        pass


def payload(library: Library, choice: Choice, turn: int, ask: Ask, fill: Fill) -> Iterator[bytes]:
    """The body's bytes alone, in order: no head, no framing, nothing that is sent beside it."""
    return Compiler(_settled(library, choice, turn), ask, fill).payload()


def exhaust(plan: Plan) -> None:
    """Run a plan through."""
    for _ in plan:
        pass


def _settled(library: Library, choice: Choice, turn: int) -> Settled:
    settled = settle(library, choice, turn)
    if settled.protocol != "chat":
        raise settled.entry.broken(settled.entry.body, "not-yet", f"protocol: {settled.protocol} is not played yet",
                                   "use chat", "protocol")  # fmt: skip
    return settled


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
        self.responds = isinstance(settled.body, RespondAttempt)
        self.streams = not self.responds and not settled.in_one_body(ask)
        self.blanks.ident(settled.shape.id)
        self.blanks.request_id()
        # A plan that is made lazily must know its blanks before it comes to them.
        for made in made_in([settled.body, settled.envelope, settled.manner, *(laid.edit for laid in settled.patch)]):
            if isinstance(made, Moment):
                self.blanks.moment(made.offset, made.form)
        self.answer = self._answer()
        self.frame = heads.framing(self.answer.settled, ask.http)  # a respond has a status of its own
        self._length_acts()

    def plan(self) -> Plan:
        head = self._head()
        first = Ledger()
        plan = Plan.of(lambda: self._actions(head, first))
        # Made anew, a plan never complains: what it has not found by now it has been allowed not to find.
        anew = Recipe(lambda: self._actions(head, Ledger(on=False)))
        source = plan.source if isinstance(plan.source, tuple) else anew
        settled = self.answer.settled.head
        blanks = () if self.blanks.fill else tuple(self.blanks.blanks)
        spin = self.answer.settled.timing.precision == "spin"
        status = None if settled.raw is not None else settled.status
        return Plan(source, status, blanks, self.answer.idle, settled.sndbuf, spin)

    def actions(self) -> Iterator[Action]:
        """Every action, held to find what it asks for."""
        return self._actions(self._head(), Ledger())

    def payload(self) -> Iterator[bytes]:
        items = squeeze.compressed(self.settled, self.answer.items(Ledger(on=False)))
        return (item.data for item in squeeze.buffered(self.settled.wire, items) if item.kind in ("body", "idle"))

    def _head(self) -> list[Write]:
        answer, size = self.answer, 0
        if self.frame.kind == "length":  # of a body that nothing breaks off
            whole = Compiler(replace(self.settled, end=_CLEAN, end_strict=False), self.ask, self.blanks.fill)
            size = sum(map(len, whole.payload()))
        drawer = Drawer(self.ask, self.blanks)
        return list(heads.heads(answer.settled, drawer, self.blanks, self.frame, answer.content_type, size))

    def _answer(self) -> Answer:
        if not self.streams:
            body = one_body(self.settled, self.ask, self.blanks, self._cues)
            return Answer(body.settled, body.timed, body.content_type)
        said = idle(self.settled, Drawer(self.ask, self.blanks))
        kind = self.settled.shape.content_type
        return Answer(self.settled, lambda ledger: self._stream(ledger, said), kind, self._framed(said))

    def _length_acts(self) -> None:
        """A length that a scenario writes is told by no other framing."""
        if self.frame.kind == "length" or self.settled.head.raw is not None:
            return
        for body in (self.settled.body, self.settled.entry.body):
            if body.head.has("length"):
                message = f"'length' has nothing to act on: the framing is {self.frame.kind}"
                raise self.settled.entry.broken(
                    body.head, "nothing-to-act-on", message, "add framing: length", "length"
                )

    def _framed(self, said: Idle | None) -> Idle | None:
        """What goes into silences whose length no plan knows. Compressed, it would need the compressor's state."""
        if said is None or self._packed:
            return None
        [(data, holes)] = self._framer(Ledger(on=False)).laid(said.data, said.holes, {"cut": "whole"}, {})
        return Idle(said.every, data, holes)

    def _cues(self, ledger: Ledger | None = None) -> Iterator[Cue]:
        """The script of a stream up to its edits; a new pass each time."""
        drawer = Drawer(self.ask, self.blanks)
        editor = edits.Editor(self.settled, drawer, ledger or Ledger(on=False), self._chunk_count)
        return editor.edited(Unroll(self.settled, drawer).cues())

    def _chunk_count(self) -> int:
        return sum(cue.kind == "chunk" for cue in Unroll(self.settled, Drawer(self.ask, self.blanks)).cues())

    def _event_count(self) -> int:
        return sum(cue.is_event for cue in self._cues())

    def _stream(self, ledger: Ledger, said: Idle | None) -> Iterator[Timed]:
        settled, framer = self.settled, self._framer(ledger)
        events = Events(settled, self.blanks, ledger, self.frame.chunked).written(self._cues(ledger))
        squeezed = self._packed or settled.wire.buffer != "none"
        times = Times(settled.timing, f"{settled.entry.name}/{self.ask.number}",
                      (lambda cue: 0) if squeezed else framer.span, said)  # fmt: skip
        return times.timed(broken_off(settled, events, self._event_count))

    @property
    def _packed(self) -> bool:
        return self.settled.wire.compress != "none"

    def _framer(self, ledger: Ledger) -> frames.Framer:
        return frames.Framer(self.frame.chunked, self.frame.keep_alive, self.settled.wire.cut, ledger, self._packed)

    def _actions(self, head: list[Write], ledger: Ledger) -> Iterator[Action]:
        yield from head
        settled = self.settled
        if self.responds:
            edits.owe(settled, ledger)
        if settled.wire.cut != "whole" and settled.cut_strict and (self.streams or self.responds):
            ledger.owe("wire.cut", settled.entry, settled.wire.cut, "cuts-nothing", "there is nothing to cut anywhere",
                       "see `fakeserver show` for the bytes")  # fmt: skip
        timed = squeeze.buffered(settled.wire, squeeze.compressed(settled, self.answer.items(ledger)))
        yield from frames.actions(self._framer(ledger), timed)
        ledger.close()
